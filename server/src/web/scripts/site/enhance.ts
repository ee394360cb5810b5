// Sends forms marked data-enhance in the background: parts marked data-swap are replaced by the same parts of the
// answer, the focus stays, and a message says what was done. The answer is the same page as without script. If anything
// fails, the browser sends the form as usual; so only forms that may be sent twice are marked. A button with a second face
// (parts/toggle.tsx) shows it at once, and gets its first face back, with a message, if the server refuses or is away.

const shownMs = 6000;

/** It must exist before it has a text, because screen readers announce only changes. */
const toast = document.createElement("p");
toast.className = "toast";
toast.setAttribute("role", "status");
if (document.querySelector("form[data-enhance]")) document.body.append(toast);

let hiding: ReturnType<typeof setTimeout> | undefined;

function say(text: string): void {
  clearTimeout(hiding);
  toast.textContent = text;
  hiding = setTimeout(() => toast.replaceChildren(), shownMs);
}

document.addEventListener("submit", (event) => {
  const form = event.target as HTMLFormElement;
  if (form.dataset.enhance === undefined || event.defaultPrevented) return;
  event.preventDefault();
  if (form.ariaBusy === "true") return;
  form.ariaBusy = "true";
  void send(form, event.submitter as HTMLButtonElement | null);
});

async function send(form: HTMLFormElement, button: HTMLButtonElement | null): Promise<void> {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form, button)) body.append(name, String(value));
  const turnBack = turn(button);
  let refusal = document.body.dataset.failed;
  try {
    const headers = { accept: "text/html" };
    const response = await fetch(form.getAttribute("action")!, { method: "POST", body, headers });
    const answer = new DOMParser().parseFromString(await response.text(), "text/html");
    if (!response.ok || !response.redirected) {
      // A form in the answer asks for something first, such as signing in again: the user has to see that page.
      refusal = answer.querySelector("main form") ? undefined : explanationIn(answer);
      throw new Error(String(response.status));
    }
    const isHere = response.url === location.href.replace(/#.*/, "");
    if (!isHere || !swap(answer, button)) return location.assign(response.url);
    say(button?.dataset.done ?? form.dataset.done ?? "");
  } catch {
    form.removeAttribute("aria-busy");
    turnBack?.();
    if (turnBack && refusal) return say(refusal);
    delete form.dataset.enhance;
    form.requestSubmit(button);
  }
}

/** Shows the second face of a button, if it has one. Returns the way back. */
function turn(button: HTMLButtonElement | null): (() => void) | undefined {
  const face = button?.querySelector("template")?.content.cloneNode(true);
  if (!button || !face) return undefined;
  const before = [...button.childNodes];
  button.replaceChildren(face);
  return () => button.replaceChildren(...before);
}

/** The sentence below the heading of an error page. */
const explanationIn = (answer: Document): string | undefined =>
  (answer.querySelector("main h1 + p") ?? answer.querySelector("main h1"))?.textContent?.trim();

/** Returns whether every part was found in the answer. */
function swap(answer: Document, button: HTMLElement | null): boolean {
  const parts = [...document.querySelectorAll<HTMLElement>("[data-swap]")];
  const fresh = new Map<string | undefined, HTMLElement[]>();
  for (const part of answer.querySelectorAll<HTMLElement>("[data-swap]"))
    fresh.set(part.dataset.swap, [...(fresh.get(part.dataset.swap) ?? []), part]);
  // A project may have several cards on a page: the parts of one name are in the same order.
  const pairs = parts.map((part) => ({ part, fresh: fresh.get(part.dataset.swap)?.shift() }));
  if (pairs.some(({ fresh }) => !fresh)) return false;
  const typingIn = document.activeElement?.id;
  for (const { part, fresh } of pairs) {
    const place = stopsOf(part).indexOf(button!);
    const menu = part.querySelector("details[open]") && fresh!.querySelector("details");
    if (menu) menu.open = true;
    part.replaceWith(fresh!);
    if (place >= 0) moveFocus(fresh!, typingIn, place);
  }
  dispatchEvent(new Event("swapped"));
  return true;
}

const stopsOf = (part: HTMLElement): HTMLElement[] => [...part.querySelectorAll<HTMLElement>("a[href], button")];

/** Focuses the field that was typed in, or else the element in the button's place, such as the next row of a list. */
function moveFocus(part: HTMLElement, typingIn: string | undefined, place: number): void {
  const field = typingIn ? part.querySelector<HTMLElement>(`#${CSS.escape(typingIn)}`) : null;
  const stop = field ?? stopsOf(part).at(Math.min(place, stopsOf(part).length - 1)) ?? part;
  if (stop === part) part.tabIndex = -1;
  stop.focus({ preventScroll: true });
}
