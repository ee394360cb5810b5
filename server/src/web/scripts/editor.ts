// Adds to a text area for markdown: buttons, a preview by the server's own renderer, pasted or dropped pictures, and a
// draft that survives a reload. The form still sends the text area.
import { storeDraft } from "./drafts/draft.js";

type Words = Record<string, string>;

/** Text before and after the selection, and a sample that is inserted if nothing is selected. */
const marks: Record<string, [before: string, after: string, sample: string]> = {
  bold: ["**", "**", "text"],
  italic: ["*", "*", "text"],
  heading: ["\n## ", "\n", "heading"],
  link: ["[", "](https://)", "text"],
  list: ["\n- ", "\n", "item"],
  quote: ["\n> ", "\n", "text"],
  code: ["\n```\n", "\n```\n", "code"],
  table: ["\n| a | b |\n|---|---|\n| ", " | 2 |\n", "1"],
  details: ["\n<details><summary>", "</summary>\n\n\n\n</details>\n", "title"],
};

const shortcuts: Record<string, string> = { b: "bold", i: "italic", k: "link" };

for (const field of document.querySelectorAll<HTMLElement>("[data-editor]")) enhance(field);
for (const form of document.querySelectorAll<HTMLFormElement>("form[data-draft]")) {
  const words = form.querySelector<HTMLElement>("[data-editor]")?.dataset.editor;
  storeDraft(form, JSON.parse(words ?? "{}") as Words);
}

function enhance(field: HTMLElement): void {
  const area = field.querySelector("textarea");
  if (!area) return;
  const words = JSON.parse(field.dataset.editor ?? "{}") as Words;
  const bar = document.createElement("div");
  bar.className = "editor-bar";
  bar.setAttribute("role", "toolbar");
  bar.setAttribute("aria-label", words.toolbar ?? "");
  const status = document.createElement("p");
  status.className = "small muted";
  status.setAttribute("role", "status");

  for (const name of Object.keys(marks)) bar.append(button(words[name] ?? name, () => mark(area, name)));
  const { pictures } = field.dataset;
  if (pictures !== undefined) bar.append(pictureButton(area, words, status, pictures));
  addPreview(field, area, bar, words);
  area.before(bar);
  area.after(status);

  area.addEventListener("keydown", (event) => {
    const name = event.ctrlKey || event.metaKey ? shortcuts[event.key.toLowerCase()] : undefined;
    if (!name || event.shiftKey || event.altKey) return;
    event.preventDefault();
    mark(area, name);
  });
  if (pictures === undefined) return;
  area.addEventListener("paste", (event) => takePictures(event.clipboardData, event));
  area.addEventListener("drop", (event) => takePictures(event.dataTransfer, event));

  function takePictures(from: DataTransfer | null, event: Event): void {
    const files = [...(from?.files ?? [])].filter(({ type }) => /^image\/(?:png|jpeg|gif|webp)$/.test(type));
    if (files.length === 0) return;
    event.preventDefault();
    for (const file of files) void addPicture(area!, words, status, pictures!, file);
  }
}

function button(text: string, act: () => void): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "button quiet small";
  made.textContent = text;
  made.addEventListener("click", act);
  return made;
}

function mark(area: HTMLTextAreaElement, name: string): void {
  const [before, after, sample] = marks[name]!;
  const { selectionStart: start, selectionEnd: end, value } = area;
  const inner = value.slice(start, end) || sample;
  // At the start of a line no line break is needed.
  const lead = before.startsWith("\n") && (start === 0 || value[start - 1] === "\n") ? before.slice(1) : before;
  insert(area, lead + inner + after, start + lead.length, inner.length);
}

function insert(area: HTMLTextAreaElement, text: string, at: number, length: number): void {
  area.focus();
  area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
  area.setSelectionRange(at, at + length);
  area.dispatchEvent(new Event("input", { bubbles: true }));
}

function addPreview(field: HTMLElement, area: HTMLTextAreaElement, bar: HTMLElement, words: Words): void {
  const shown = document.createElement("div");
  shown.className = "markdown editor-preview";
  shown.dir = "auto";
  shown.hidden = true;
  shown.setAttribute("aria-live", "polite");
  shown.tabIndex = 0;
  const toggle = button(words.preview ?? "", async () => {
    const isOpening = shown.hidden !== false;
    shown.hidden = !isOpening;
    area.hidden = isOpening;
    toggle.textContent = (isOpening ? words.write : words.preview) ?? "";
    toggle.setAttribute("aria-pressed", String(isOpening));
    for (const other of bar.querySelectorAll("button")) if (other !== toggle) other.disabled = isOpening;
    if (isOpening) await render(area.value, shown, words);
  });
  toggle.classList.add("editor-toggle");
  toggle.setAttribute("aria-pressed", "false");
  bar.append(toggle);
  area.after(shown);
  field.classList.add("enhanced");
}

async function render(text: string, into: HTMLElement, words: Words): Promise<void> {
  const isEmpty = text.trim() === "";
  into.textContent = (isEmpty ? words.empty : words.loading) ?? "";
  if (isEmpty) return;
  try {
    const body = JSON.stringify({ text });
    const response = await fetch("/api/markdown", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    if (response.status === 401) {
      into.textContent = words.signIn ?? "";
      return;
    }
    if (!response.ok) throw new Error(String(response.status));
    // The server's renderer made it, so it has passed the allow-list.
    into.innerHTML = ((await response.json()) as { html: string }).html;
  } catch {
    into.textContent = words.failed ?? "";
  }
}

function pictureButton(area: HTMLTextAreaElement, words: Words, status: HTMLElement, to: string): HTMLElement {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = "image/png,image/jpeg,image/gif,image/webp";
  input.hidden = true;
  input.addEventListener("change", () => {
    for (const file of [...(input.files ?? [])]) void addPicture(area, words, status, to, file);
    input.value = "";
  });
  const made = button(words.picture ?? "", () => input.click());
  made.append(input);
  return made;
}

/** Uploads the picture to the gallery, which encodes it again, and inserts it into the text. */
async function addPicture(
  area: HTMLTextAreaElement,
  words: Words,
  status: HTMLElement,
  to: string,
  file: File,
): Promise<void> {
  status.textContent = words.uploading ?? "";
  const title = file.name
    .replace(/\.[^.]*$/, "")
    .replace(/[-_\s]+/g, " ")
    .trim()
    .slice(0, 32)
    .trim();
  const form = new FormData();
  form.append("title", title.length < 2 ? (words.picture ?? "Picture") : title);
  form.append("image", file);
  try {
    const response = await fetch(to, { method: "POST", body: form });
    const answer = (await response.json()) as { message: string; data?: { name: string; image: string } };
    if (!response.ok || !answer.data) throw new Error(answer.message);
    status.textContent = "";
    const text = `![${answer.data.name.replace(/[[\]\\]/g, "")}](${answer.data.image})`;
    insert(area, text, area.selectionStart + text.length, 0);
  } catch (error) {
    status.textContent = `${words.pictureFailed} ${(error as Error).message}`;
  }
}
