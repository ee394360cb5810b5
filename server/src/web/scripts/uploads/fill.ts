// Fills a form from the page that the server makes for an uploaded file. Fields that the user has typed in stay.

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const isBox = (field: Field): field is HTMLInputElement =>
  field instanceof HTMLInputElement && (field.type === "checkbox" || field.type === "radio");

function isUntouched(field: Field): boolean {
  if (isBox(field)) return field.checked === field.defaultChecked;
  if (field instanceof HTMLSelectElement)
    return [...field.options].every(
      (option, at) => option.selected === (option.defaultSelected || (at === 0 && !hasDefault(field))),
    );
  return field.value === field.defaultValue;
}

const hasDefault = (field: HTMLSelectElement): boolean => [...field.options].some((option) => option.defaultSelected);

const fieldsOf = (form: ParentNode, name: string): Field[] => [
  ...form.querySelectorAll<Field>(
    `[name="${CSS.escape(name)}"]:is(input:not([type=file], [type=hidden]), textarea, select)`,
  ),
];

export async function fillFrom(form: HTMLFormElement, address: string): Promise<void> {
  const response = await fetch(address, { headers: { accept: "text/html" } });
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const source = [...page.forms].find((other) => other.getAttribute("action") === form.getAttribute("action"));
  if (!source) return;
  const names = new Set([...source.elements].map((element) => (element as Field).name).filter(Boolean));
  for (const name of names) fillField(fieldsOf(form, name), fieldsOf(source, name));
  for (const details of form.querySelectorAll("details")) if (details.querySelector(":checked")) details.open = true;
  growDependencies(form, source);
}

function fillField(mine: Field[], theirs: Field[]): void {
  if (!mine.every(isUntouched)) return;
  for (const field of mine) {
    if (isBox(field)) {
      const other = theirs.find((one) => one.value === field.value);
      if (other && isBox(other)) field.checked = other.checked;
    } else {
      const other = theirs[mine.indexOf(field)];
      if (other) field.value = other.value;
    }
  }
}

/** The page for the file may have more dependency rows than this one. */
function growDependencies(form: HTMLFormElement, source: ParentNode): void {
  const mine = form.querySelectorAll(".dependency-row");
  const theirs = source.querySelectorAll(".dependency-row");
  for (let at = mine.length; at < theirs.length; at++)
    mine[mine.length - 1]?.after(document.importNode(theirs[at]!, true));
}
