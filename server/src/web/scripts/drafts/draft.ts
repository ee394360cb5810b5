// Stores unsent input of a form in the browser, so that it survives a reload or a crash. The draft of a form for an
// uploaded file (data-draft-file) belongs to that upload: with another file, or with none, only the fields named in
// data-draft-kept are restored, because all others describe the file.

import { defaultOf, type Field, isBox } from "./fields.js";
import { growRows } from "./rows.js";

type Words = Record<string, string>;

interface Draft {
  fields: Record<string, string[]>;
  /** The id of the upload that the form had. */
  file?: string;
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

function valuesOf(
  form: HTMLFormElement,
  read = (field: Field) => field.value,
  box: "checked" | "defaultChecked" = "checked",
): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const field of fieldsOf(form)) {
    const list = values.get(field.name) ?? [];
    if (!isBox(field) || field[box]) list.push(read(field));
    values.set(field.name, list);
  }
  return values;
}

/** The values that the server, or the uploaded file, put into the fields. */
const givenTo = (form: HTMLFormElement): Map<string, string[]> => valuesOf(form, defaultOf, "defaultChecked");

const isSame = (a: string[] | undefined, b: string[] | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);

function apply(form: HTMLFormElement, { fields }: Draft): void {
  growRows(form, fields);
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
  form.dispatchEvent(new Event("change"));
}

const fileOf = (form: HTMLFormElement): string =>
  form.querySelector<HTMLInputElement>(`[name="${form.dataset.draftFile}"]`)?.value ?? "";

/** The part of the draft that fits the file of the form. */
function fitting(form: HTMLFormElement, draft: Draft): Draft {
  const { draftFile, draftKept } = form.dataset;
  if (draftFile === undefined || (draft.file && draft.file === fileOf(form))) return draft;
  return { ...draft, fields: Object.fromEntries(Object.entries(draft.fields).filter(([name]) => name === draftKept)) };
}

export function storeDraft(form: HTMLFormElement, words: Words): void {
  const key = `draft ${form.dataset.draft}`;
  const stored = read(key);
  // After a refusal the page already has what was typed.
  if (stored && form.dataset.draftTyped === undefined) {
    const draft = fitting(form, stored);
    const given = givenTo(form);
    const differs = Object.entries(draft.fields).some(([name, values]) => !isSame(values, given.get(name)));
    const isOver = draft.isSent && form.dataset.draftOnce !== undefined;
    if (!differs || isOver) store(key, undefined);
    else if (draft.isSent) offer(form, words, draft, key);
    else {
      apply(form, draft);
      const text = draft.fields === stored.fields ? words.restored : words.restoredPart;
      tell(form, text ?? "", words.discard ?? "", () => {
        store(key, undefined);
        apply(form, { fields: Object.fromEntries(givenTo(form)) });
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
    const given = givenTo(form);
    const changed = [...valuesOf(form)].filter(([name, values]) => !isSame(values, given.get(name)));
    store(key, changed.length === 0 ? undefined : { fields: Object.fromEntries(changed), file: fileOf(form) });
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
