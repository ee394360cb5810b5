// Uploads chosen or dropped files at once, in parts, with progress, speed and remaining time. Uploads can be paused,
// and continue after an interruption; the form then sends their ids. Without this script the form sends the files
// itself.
import { formatIn } from "#web/context/format.js";
import type { Locale } from "#words/languages.js";
import { enhanceDependencies } from "./uploads/dependencies.js";
import { enhanceFamily } from "./uploads/families.js";
import { fillFrom } from "./uploads/fill.js";
import { Upload } from "./uploads/upload.js";
import { enhanceRange } from "./uploads/version-range.js";

type Words = Record<string, string>;

const { bytes: toSize } = formatIn(document.documentElement.lang as Locale, Date.now());

function toTime(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds));
  return whole < 90 ? `${whole} s` : `${Math.round(whole / 60)} min`;
}

const filled = (text: string, parts: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (_whole, name: string) => parts[name] ?? "");

function make<K extends keyof HTMLElementTagNameMap>(name: K, className = "", text = ""): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  element.className = className;
  element.textContent = text;
  return element;
}

for (const field of document.querySelectorAll<HTMLElement>("[data-uploader]")) enhance(field);
for (const field of document.querySelectorAll<HTMLElement>("#dependencies")) enhanceDependencies(field);
for (const label of document.querySelectorAll<HTMLElement>("[data-family]")) enhanceFamily(label);
for (const row of document.querySelectorAll<HTMLElement>("[data-range]")) enhanceRange(row);

function enhance(field: HTMLElement): void {
  const words = JSON.parse(field.dataset.uploader ?? "{}") as Words;
  const input = field.querySelector<HTMLInputElement>("input[type=file]");
  const zone = field.querySelector<HTMLElement>(".drop-zone");
  const list = field.querySelector<HTMLElement>(".upload-list");
  const live = field.querySelector<HTMLElement>("[data-live]");
  const form = field.closest("form");
  if (!input || !zone || !list || !live || !form) return;
  const isRequired = input.required;
  let hadFile = list.children.length > 0;
  const running = new Set<Upload>();
  const say = (text: string) => {
    live.textContent = text;
  };
  // The form no longer sends the file, but the id of its upload.
  const inputName = input.name;
  input.removeAttribute("name");
  const settle = () => {
    input.required = isRequired && list.children.length === 0;
    if (!input.multiple) form.querySelector("[data-from-file]")?.replaceChildren();
  };

  function add(file: File): void {
    if (!input!.multiple) for (const row of [...list!.children]) (row as Row).drop?.();
    if (!input!.multiple) list!.replaceChildren();
    const row = toRow(field, words, say, (upload) => finish(upload));
    const limit = Number(field.dataset.limit);
    list!.append(row);
    // The drop zone disappears, and the focus with it.
    const isFocused = zone!.contains(document.activeElement);
    if (file.size > limit) {
      row.refuse(file.name, filled(words.tooLarge ?? "", { size: toSize(limit) }));
      return;
    }
    const upload = new Upload(file, (one) => row.show(one));
    row.follow(upload, () => {
      running.delete(upload);
      settle();
    });
    running.add(upload);
    if (isFocused) row.querySelector<HTMLElement>("button:last-of-type")?.focus();
    settle();
    void upload.run().then(() => {
      running.delete(upload);
      if (running.size === 0 && form!.dataset.waits) form!.requestSubmit();
    });
  }

  function finish(upload: Upload): void {
    const { goesTo } = field.dataset;
    const id = upload.remote?.id ?? "";
    if (goesTo !== undefined) location.assign(goesTo + id);
    if (goesTo !== undefined || input!.multiple) return;
    // After a reload, this URL finds the upload again.
    const address = `${location.pathname}?upload=${encodeURIComponent(id)}`;
    history.replaceState(null, "", address);
    void fillFrom(form!, address, hadFile);
    hadFile = true;
  }

  input.addEventListener("change", () => {
    for (const file of [...(input.files ?? [])]) add(file);
    input.value = "";
  });
  for (const name of ["dragenter", "dragover"])
    zone.addEventListener(name, (event) => {
      event.preventDefault();
      zone.classList.add("drop-zone-over");
    });
  for (const name of ["dragleave", "drop"]) zone.addEventListener(name, () => zone.classList.remove("drop-zone-over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    const files = [...((event as DragEvent).dataTransfer?.files ?? [])];
    for (const file of input.multiple ? files : files.slice(0, 1)) add(file);
  });
  addEventListener("online", () => {
    for (const upload of running) upload.hurry();
  });
  // Runs before the listener that prevents a form from being sent twice.
  form.addEventListener(
    "submit",
    (event) => {
      if (running.size === 0) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      form.dataset.waits = inputName;
      say(words.sending ?? "");
      list.dataset.note = words.sending ?? "";
    },
    { capture: true },
  );
}

interface Row extends HTMLLIElement {
  show(upload: Upload): void;
  refuse(name: string, reason: string): void;
  follow(upload: Upload, onEnd: () => void): void;
  drop?(): void;
}

/** One file with its progress bar and buttons. */
function toRow(field: HTMLElement, words: Words, say: (text: string) => void, onDone: (upload: Upload) => void): Row {
  const row = make("li", "upload") as HTMLLIElement as Row;
  const [head, name, size] = [make("p"), make("strong"), make("span", "muted")];
  name.dir = "auto";
  const bar = make("progress");
  const note = make("p", "small muted upload-note");
  const buttons = make("p", "actions");
  const button = (text: string, act: () => void): HTMLButtonElement => {
    const made = make("button", "button quiet small", text);
    made.type = "button";
    made.addEventListener("click", act);
    buttons.append(made);
    return made;
  };
  head.append(name, " ", size);
  row.append(head, bar, note, buttons);
  let told = 0;

  row.refuse = (fileName, reason) => {
    name.textContent = fileName;
    bar.remove();
    note.className = "wrong";
    note.textContent = filled(words.failed ?? "", { name: fileName, reason });
    say(note.textContent);
    button(words.remove ?? "", () => row.remove());
  };

  row.follow = (upload, onEnd) => {
    const { file } = upload;
    name.textContent = file.name;
    size.textContent = toSize(file.size);
    bar.max = file.size;
    bar.setAttribute("aria-label", file.name);
    const pause = button(words.pause ?? "", () => upload.pause());
    const resume = button(words.resume ?? "", () => upload.resume());
    const drop = () => {
      void upload.remove();
      row.remove();
      onEnd();
    };
    button(words.remove ?? "", drop);
    row.drop = drop;
    row.show = ({ progress, remote }) => {
      const { state, sent, speed, reason } = progress;
      bar.value = sent;
      pause.hidden = state !== "sending" && state !== "starting" && state !== "waiting";
      resume.hidden = state !== "paused" && state !== "failed";
      resume.textContent = (state === "failed" ? words.retry : words.resume) ?? "";
      row.dataset.state = state;
      note.className = state === "failed" || remote?.file?.problem ? "wrong" : "small muted upload-note";
      note.textContent = describe(words, state, sent, file.size, speed);
      announce(sent / file.size);
      if (state === "failed") {
        note.textContent = filled(words.failed ?? "", { name: file.name, reason: words[reason] ?? reason });
        say(note.textContent);
      }
      if (state === "done" && remote && !row.querySelector("input")) {
        bar.remove();
        const hidden = make("input");
        hidden.type = "hidden";
        hidden.name = field.dataset.name ?? "";
        hidden.value = remote.id;
        row.append(hidden);
        if (remote.file?.problem) note.textContent = remote.file.problem;
        say(note.textContent === words.done ? filled(words.finished ?? "", { name: file.name }) : note.textContent);
        onDone(upload);
      }
    };
  };

  /** Only at each quarter, so that a screen reader can finish each announcement. */
  function announce(part: number): void {
    const quarter = Math.floor(part * 4);
    if (quarter <= told) return;
    told = quarter;
    say(filled(words.percent ?? "", { percent: String(quarter * 25), name: name.textContent ?? "" }));
  }
  return row;
}

function describe(words: Words, state: string, sent: number, size: number, speed: number): string {
  if (state !== "sending") return words[state] ?? "";
  const share = `${Math.floor((sent / size) * 100)} % · ${toSize(sent)}`;
  if (speed === 0) return share;
  return `${share} · ${toSize(speed)}/s · ${toTime((size - sent) / speed)} ${words.left}`;
}

/** The slug of a new project follows its name until the user types one, and is checked. */
const project = document.querySelector<HTMLFormElement>("form[data-new-project]");
const [projectName, slug] = ["name", "slug"].map((name) => project?.querySelector<HTMLInputElement>(`[name=${name}]`));
if (project && projectName && slug) {
  const note = make("span", "wrong");
  note.setAttribute("role", "status");
  slug.after(note);
  let isOwn = slug.value !== "";
  slug.addEventListener("input", () => {
    isOwn = slug.value !== "";
    note.textContent = "";
  });
  projectName.addEventListener("input", () => {
    if (isOwn) return;
    const plain = projectName.value.normalize("NFKD").toLowerCase();
    slug.value = plain
      .replace(/[^a-z0-9._+-]+/g, "-")
      .replace(/^[^a-z0-9]+|(?<!-)-+$/g, "")
      .slice(0, 64);
  });
  const check = async () => {
    if (!slug.value) return;
    const response = await fetch(`/api/project/${encodeURIComponent(slug.value)}/check`).catch(() => undefined);
    note.textContent = response?.ok ? (project.dataset.newProject ?? "") : "";
  };
  slug.addEventListener("change", check);
  projectName.addEventListener("change", check);
}
