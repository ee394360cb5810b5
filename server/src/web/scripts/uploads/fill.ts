// Fills a form from the page that the server makes for an uploaded file. Fields that the user has typed in stay, unless
// the file replaces another one that said something else: what was typed for that file may be wrong for this one.

import { defaultOf, type Field, isBox } from "#web/scripts/drafts/fields.js";

function isUntouched(field: Field): boolean {
  if (isBox(field)) return field.checked === field.defaultChecked;
  return field.value === defaultOf(field);
}

/** The values that the server, or the last file, gave a list of fields. */
const givenTo = (fields: Field[]): string =>
  JSON.stringify(fields.map((field) => (isBox(field) ? field.defaultChecked : defaultOf(field))).filter(Boolean));

const fieldsOf = (form: ParentNode, name: string): Field[] => [
  ...form.querySelectorAll<Field>(
    `[name="${CSS.escape(name)}"]:is(input:not([type=file], [type=hidden]), textarea, select)`,
  ),
];

export async function fillFrom(form: HTMLFormElement, address: string, isReplacing: boolean): Promise<void> {
  const response = await fetch(address, { headers: { accept: "text/html" } });
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const source = [...page.forms].find((other) => other.getAttribute("action") === form.getAttribute("action"));
  if (!source) return;
  const names = new Set([...source.elements].map((element) => (element as Field).name).filter(Boolean));
  for (const name of names) fillFields(fieldsOf(form, name), fieldsOf(source, name), isReplacing);
  for (const details of form.querySelectorAll("details")) if (details.querySelector(":checked")) details.open = true;
  form.dispatchEvent(new Event("change"));
  growDependencies(form, source);
  // Messages about the file, such as that a version has it already.
  const about = source.querySelector("[data-from-file]");
  if (about) form.querySelector("[data-from-file]")?.replaceWith(document.importNode(about, true));
}

function fillFields(mine: Field[], theirs: Field[], isReplacing: boolean): void {
  const isNews = isReplacing && givenTo(mine) !== givenTo(theirs);
  if (!isNews && !mine.every(isUntouched)) return;
  for (const [at, field] of mine.entries()) {
    if (isBox(field)) {
      field.checked = theirs.some((other) => other.value === field.value && isBox(other) && other.checked);
      field.defaultChecked = field.checked;
    } else give(field, theirs[at]?.value ?? "");
  }
}

/** As if the server had sent the page with this value, so that drafts contain only what the user typed. */
function give(field: Field, value: string): void {
  if (field instanceof HTMLSelectElement) {
    field.value = value || (field.options[0]?.value ?? "");
    for (const option of field.options) option.defaultSelected = option.selected;
  } else {
    field.value = value;
    field.defaultValue = value;
  }
}

/** The page for the file may have more dependency rows than this one. */
function growDependencies(form: HTMLFormElement, source: ParentNode): void {
  const mine = form.querySelectorAll(".dependency-row");
  const theirs = source.querySelectorAll(".dependency-row");
  for (let at = mine.length; at < theirs.length; at++)
    mine[mine.length - 1]?.after(document.importNode(theirs[at]!, true));
}
