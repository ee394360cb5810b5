// Stores unsent input of a form in the browser, so that it survives a reload or a crash.

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
type Words = Record<string, string>;

interface Draft {
  fields: Record<string, string[]>;
  /** The form was sent. The next page shows whether it arrived. */
  isSent?: true;
}

const kept = "input:not([type=file], [type=hidden], [type=password]), textarea, select";

function read(key: string): Draft | undefined {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

function store(key: string, draft: Draft | undefined): void {
  try {
    if (draft) localStorage.setItem(key, JSON.stringify(draft));
    else localStorage.removeItem(key);
  } catch {
    // Without free storage the browser keeps no draft.
  }
}

const fieldsOf = (form: HTMLFormElement): Field[] =>
  [...form.querySelectorAll<Field>(kept)].filter(({ name }) => name !== "");

const isBox = (field: Field): field is HTMLInputElement =>
  field instanceof HTMLInputElement && (field.type === "checkbox" || field.type === "radio");

function valuesOf(form: HTMLFormElement): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const field of fieldsOf(form)) {
    const list = values.get(field.name) ?? [];
    if (!isBox(field) || field.checked) list.push(field.value);
    values.set(field.name, list);
  }
  return values;
}

const isSame = (a: string[] | undefined, b: string[] | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);

function apply(form: HTMLFormElement, { fields }: Draft): void {
  const used = new Map<string, number>();
  for (const field of fieldsOf(form)) {
    const values = fields[field.name];
    if (!values) continue;
    if (isBox(field)) field.checked = values.includes(field.value);
    else {
      const at = used.get(field.name) ?? 0;
      used.set(field.name, at + 1);
      if (values[at] !== undefined) field.value = values[at];
    }
  }
  for (const details of form.querySelectorAll("details")) if (details.querySelector(":checked")) details.open = true;
}

export function storeDraft(form: HTMLFormElement, words: Words): void {
  const key = `draft ${form.dataset.draft}`;
  const server = valuesOf(form);
  const draft = read(key);
  // After a refusal the page already has what was typed.
  if (draft && form.dataset.draftTyped === undefined) {
    const differs = Object.entries(draft.fields).some(([name, values]) => !isSame(values, server.get(name)));
    const isOver = draft.isSent && form.dataset.draftOnce !== undefined;
    if (!differs || isOver) store(key, undefined);
    else if (draft.isSent) offer(form, words, draft, key);
    else {
      apply(form, draft);
      tell(form, words.restored ?? "", words.discard ?? "", () => {
        store(key, undefined);
        apply(form, { fields: Object.fromEntries(server) });
      });
    }
  }

  let timer = 0;
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => save(), 300);
  });
  addEventListener("pagehide", () => {
    if (timer !== 0) save();
  });
  form.addEventListener("submit", (event) => {
    if (event.defaultPrevented) return;
    clearTimeout(timer);
    timer = 0;
    const now = read(key);
    if (now) store(key, { ...now, isSent: true });
  });

  function save(): void {
    timer = 0;
    const changed = [...valuesOf(form)].filter(([name, values]) => !isSame(values, server.get(name)));
    store(key, changed.length === 0 ? undefined : { fields: Object.fromEntries(changed) });
  }
}

const offer = (form: HTMLFormElement, words: Words, draft: Draft, key: string): void =>
  tell(form, words.offered ?? "", words.restore ?? "", () => apply(form, draft), [
    words.discard ?? "",
    () => store(key, undefined),
  ]);

function tell(form: HTMLFormElement, text: string, act: string, onAct: () => void, other?: [string, () => void]): void {
  const note = document.createElement("div");
  note.className = "notice";
  note.setAttribute("role", "status");
  const words = document.createElement("strong");
  words.textContent = text;
  const actions = document.createElement("p");
  actions.className = "actions";
  for (const [label, run] of [[act, onAct] as const, ...(other ? [other] : [])]) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button quiet small";
    button.textContent = label;
    button.addEventListener("click", () => {
      run();
      note.remove();
    });
    actions.append(button);
  }
  note.append(words, actions);
  form.prepend(note);
}
