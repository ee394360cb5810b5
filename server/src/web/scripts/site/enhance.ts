// Forms marked data-enhance are sent in the background: what is marked data-swap is put in place of the same part of the
// page, the focus stays where it was, and a note says what was done. The answer is the page that everybody gets without
// script. Whatever goes otherwise than expected, the form is sent as browsers send forms; so only those are marked that
// may be sent twice.

const shownMs = 6000;

/** It has to be there before it says anything: readers hear of changes only. */
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
  try {
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(form, button)) body.append(name, String(value));
    const headers = { accept: "text/html" };
    const response = await fetch(form.getAttribute("action")!, { method: "POST", body, headers });
    if (!response.ok || !response.redirected) throw new Error(String(response.status));
    const isHere = response.url === location.href.replace(/#.*/, "");
    const answer = new DOMParser().parseFromString(await response.text(), "text/html");
    if (!isHere || !swap(answer, button)) return location.assign(response.url);
    say(button?.dataset.done ?? form.dataset.done ?? "");
  } catch {
    delete form.dataset.enhance;
    form.removeAttribute("aria-busy");
    form.requestSubmit(button);
  }
}

/** Whether every part was found in the answer. */
function swap(answer: Document, button: HTMLElement | null): boolean {
  const parts = [...document.querySelectorAll<HTMLElement>("[data-swap]")];
  const pairs = parts.map((part) => ({
    part,
    fresh: answer.querySelector<HTMLElement>(`[data-swap="${part.dataset.swap}"]`),
  }));
  if (pairs.some(({ fresh }) => !fresh)) return false;
  const typingIn = document.activeElement?.id;
  for (const { part, fresh } of pairs) {
    const place = stopsOf(part).indexOf(button!);
    part.replaceWith(fresh!);
    if (place >= 0) moveFocus(fresh!, typingIn, place);
  }
  dispatchEvent(new Event("swapped"));
  return true;
}

const stopsOf = (part: HTMLElement): HTMLElement[] => [...part.querySelectorAll<HTMLElement>("a[href], button")];

/** To the field that was typed in; else to what has the button's place now, as the next row of a list has. */
function moveFocus(part: HTMLElement, typingIn: string | undefined, place: number): void {
  const field = typingIn ? part.querySelector<HTMLElement>(`#${CSS.escape(typingIn)}`) : null;
  const stop = field ?? stopsOf(part).at(Math.min(place, stopsOf(part).length - 1)) ?? part;
  if (stop === part) part.tabIndex = -1;
  stop.focus({ preventScroll: true });
}
