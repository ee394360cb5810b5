// Keyboard shortcuts of the moderation desk, which moderators can choose: navigate, mark and decide. Every action is
// also a plain form.

let decision: HTMLFormElement | null = null;
let checks: HTMLInputElement[] = [];
let message: HTMLTextAreaElement | null = null;
const rows = [...document.querySelectorAll<HTMLElement>("[data-rows] > li")];

/** The form is on the page from the start, or appears when the moderator claims the project (site/enhance.ts). */
function findDecision(): void {
  decision = document.querySelector<HTMLFormElement>("[data-decision]");
  checks = [...document.querySelectorAll<HTMLInputElement>("[data-sentence]")];
  message = decision?.querySelector<HTMLTextAreaElement>("[name=message]") ?? null;
  if (decision && message) composeMessage(decision);
}

/**
 * Adds a sentence to the message when a check is marked, and removes it again. A hidden field tells the server that the
 * message contains them.
 */
function composeMessage(form: HTMLFormElement): void {
  const mark = document.createElement("input");
  mark.type = "hidden";
  mark.name = "composed";
  mark.value = "yes";
  form.append(mark);
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

/** The action of each key; empty on other pages, and if shortcuts are turned off. */
const chosen = document.querySelector<HTMLElement>("[data-desk-keys]")?.dataset.deskKeys;
const acts = new Map<string, string>(
  document.body.dataset.keys === "off"
    ? []
    : Object.entries<string>(JSON.parse(chosen ?? "{}")).map(([act, key]): [string, string] => [key, act]),
);

addEventListener("keydown", (event) => {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  // Checkboxes take no letters. All other fields keep their keys.
  if (target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]")) return;
  const act = acts.get(event.key.toLowerCase());
  if (act !== undefined && (actions[act] ?? (() => press(act)))()) event.preventDefault();
});

/** Each returns whether it did something. */
const actions: Record<string, () => boolean> = {
  next: () => walk(1),
  previous: () => walk(-1),
  mark: () => {
    const check = checks.find((each) => each === document.activeElement);
    check?.click();
    return check !== undefined;
  },
  help: () => {
    const help = document.querySelector<HTMLDetailsElement>("[data-key-help]");
    if (!help) return false;
    help.open = !help.open;
    help.scrollIntoView({ block: "nearest" });
    return true;
  },
};

/** Clicks the button of an action. */
function press(act: string): boolean {
  const button = document.querySelector<HTMLButtonElement>(`button[data-act=${act}]`);
  if (!button) return false;
  button.form?.requestSubmit(button);
  return true;
}

/** Moves to the next check and the part of the page that it is about, or to the next row of the queue. */
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

/** When a decision is final, its notice says so and no longer offers to undo it. */
const held = document.querySelector<HTMLElement>("[data-undo]");
if (held)
  setTimeout(() => {
    held.querySelector("form")?.remove();
    for (const line of held.querySelectorAll<HTMLElement>("[data-final]")) line.textContent = line.dataset.final ?? "";
  }, Number(held.dataset.undo));

/** Renews the moderator's claim as long as they are active on this page. */
const renewMs = 10 * 60 * 1000;
let isActive = true;
for (const sign of ["keydown", "pointerdown", "scroll"])
  addEventListener(sign, () => (isActive = true), { passive: true });
setInterval(() => {
  if (!decision || !isActive || document.hidden || !document.querySelector("[data-act=skip]")) return;
  isActive = false;
  // Sent as JSON, which pages of other sites cannot send, so it needs no form token.
  const headers = { "content-type": "application/json" };
  const claim = { method: "POST", redirect: "manual", headers, body: "{}" } as const;
  void fetch(decision.action.replace(/decide$/, "claim"), claim).catch(() => {});
}, renewMs);

addEventListener("swapped", findDecision);
findDecision();
