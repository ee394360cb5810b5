// The moderation desk by keyboard: j and k walk, x marks, letters decide. Everything here is also a plain form.

const decision = document.querySelector<HTMLFormElement>("[data-decision]");
const checks = [...document.querySelectorAll<HTMLInputElement>("[data-sentence]")];
const rows = [...document.querySelectorAll<HTMLElement>("[data-rows] > li")];
const help = document.querySelector<HTMLDetailsElement>("[data-key-help]");
const message = decision?.querySelector<HTMLTextAreaElement>("[name=message]");

/** Sentences go into the message as checks are marked, and out of it again; the server is told that they are there. */
if (decision && message) {
  const mark = document.createElement("input");
  mark.type = "hidden";
  mark.name = "composed";
  mark.value = "yes";
  decision.append(mark);
  for (const check of checks) {
    if (check.checked) addSentence(check.dataset.sentence!);
    check.addEventListener("change", () =>
      check.checked ? addSentence(check.dataset.sentence!) : dropSentence(check.dataset.sentence!),
    );
  }
}

function addSentence(sentence: string): void {
  if (!message || message.value.includes(sentence)) return;
  message.value = [message.value.trimEnd(), sentence].filter(Boolean).join("\n");
}

function dropSentence(sentence: string): void {
  if (message)
    message.value = message.value
      .replace(sentence, "")
      .replaceAll(/\n{2,}/g, "\n")
      .trim();
}

/** Software that listens or types presses keys by chance: they can be turned off for good. */
const switchName = "desk-keys";
const keySwitch = document.querySelector<HTMLInputElement>("[data-keys-on]");
let areKeysOn = localStorage.getItem(switchName) !== "off";
if (keySwitch) {
  keySwitch.checked = areKeysOn;
  keySwitch.addEventListener("change", () => {
    areKeysOn = keySwitch.checked;
    localStorage.setItem(switchName, areKeysOn ? "on" : "off");
  });
}

addEventListener("keydown", (event) => {
  const target = event.target as HTMLElement;
  if (!areKeysOn || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  // Boxes take no letters; everything else that takes text keeps its keys.
  if (target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]")) return;
  const act = actions[event.key] ?? (() => press(event.key));
  if (act()) event.preventDefault();
});

/** Each returns whether it did something. */
const actions: Record<string, () => boolean> = {
  j: () => walk(1),
  k: () => walk(-1),
  x: () => {
    const check = checks.find((each) => each === document.activeElement);
    check?.click();
    return check !== undefined;
  },
  "?": () => {
    if (!help) return false;
    help.open = !help.open;
    help.scrollIntoView({ block: "nearest" });
    return true;
  },
};

/** The button of this letter. */
function press(key: string): boolean {
  const button = [...document.querySelectorAll<HTMLButtonElement>("button[data-key]")].find(
    (each) => each.dataset.key === key,
  );
  if (!button) return false;
  button.form?.requestSubmit(button);
  return true;
}

/** To the next check, with the part of the page that it is about; in the queue, to the next row. */
function walk(step: 1 | -1): boolean {
  const stops: HTMLElement[] =
    checks.length > 0 ? checks : rows.flatMap((row) => row.querySelector<HTMLElement>("button, .button") ?? []);
  if (stops.length === 0) return false;
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 ? (step > 0 ? 0 : stops.length - 1) : Math.min(stops.length - 1, Math.max(0, at + step));
  const stop = stops[next]!;
  const section = document.getElementById(stop.dataset.section ?? "");
  section?.scrollIntoView({ block: "start" });
  stop.focus({ preventScroll: section !== null && matchMedia("(min-width: 1024px)").matches });
  return true;
}

/** What can no longer be undone has no button. */
const undoMs = 10_000;
const undo = document.querySelector("[data-undo] form");
if (undo) setTimeout(() => undo.remove(), undoMs);

/** Whoever works on it keeps it: the claim is renewed as long as something is done here. */
const renewMs = 10 * 60 * 1000;
if (decision) {
  let isActive = true;
  for (const sign of ["keydown", "pointerdown", "scroll"])
    addEventListener(sign, () => (isActive = true), { passive: true });
  setInterval(() => {
    if (!isActive || document.hidden || !document.querySelector("[data-key=s]")) return;
    isActive = false;
    // As JSON: no page elsewhere could send that, so it needs no token as forms do.
    const headers = { "content-type": "application/json" };
    const claim = { method: "POST", redirect: "manual", headers, body: "{}" } as const;
    void fetch(decision.action.replace(/decide$/, "claim"), claim).catch(() => {});
  }, renewMs);
}

/** A file that is chosen is read into the field that it is for: <input type="file" data-fills="id">. */
for (const chooser of document.querySelectorAll<HTMLInputElement>("input[data-fills]")) {
  chooser.addEventListener("change", async () => {
    const field = document.getElementById(chooser.dataset.fills ?? "") as HTMLTextAreaElement | null;
    const file = chooser.files?.[0];
    if (field && file) field.value = await file.text();
  });
}
