// Reorders the entries of a list by dragging them with a mouse, a pen or a finger. One request saves the whole order.
// Without this script, buttons move an entry by one place. <ol data-reorder="id of the form">

for (const list of document.querySelectorAll<HTMLElement>("[data-reorder]")) {
  const form = document.getElementById(list.dataset.reorder ?? "");
  if (form instanceof HTMLFormElement) enable(list, form);
}

/** The distance from the edge of the window at which it scrolls, and how far it scrolls with each frame. */
const edge = 72;
const step = 12;

function enable(list: HTMLElement, form: HTMLFormElement): void {
  const live = document.createElement("p");
  live.setAttribute("role", "status");
  live.className = "small";
  list.before(live);
  const rows = () => [...list.children] as HTMLElement[];
  const orderNow = () => rows().map(({ dataset }) => dataset.id ?? "");
  let saved = orderNow();
  let saving = Promise.resolve();

  for (const handle of list.querySelectorAll<HTMLElement>(".drag-handle")) {
    handle.hidden = false;
    handle.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      drag(handle, event);
    });
  }

  function drag(handle: HTMLElement, { pointerId, clientY }: PointerEvent): void {
    const row = handle.closest<HTMLElement>("li")!;
    let y = clientY;
    let frame = 0;
    handle.setPointerCapture(pointerId);
    row.classList.add("dragged");
    const follow = () => {
      if (y < edge) scrollBy(0, -step);
      else if (y > innerHeight - edge) scrollBy(0, step);
      makeWay(row, y);
      frame = requestAnimationFrame(follow);
    };
    const onMove = (event: PointerEvent) => {
      y = event.clientY;
    };
    const onEnd = () => {
      cancelAnimationFrame(frame);
      makeWay(row, y);
      handle.removeEventListener("pointermove", onMove);
      row.classList.remove("dragged");
      saving = saving.then(save);
    };
    handle.addEventListener("pointermove", onMove);
    handle.addEventListener("lostpointercapture", onEnd, { once: true });
    frame = requestAnimationFrame(follow);
  }

  async function save(): Promise<void> {
    const order = orderNow();
    setButtons();
    if (order.join() === saved.join()) return;
    form.querySelector<HTMLInputElement>("[name=order]")!.value = order.join();
    const body = new URLSearchParams(new FormData(form) as never);
    // Not form.action: the form may have a button of that name.
    const answer = await fetch(form.getAttribute("action") ?? "", { method: "POST", body, redirect: "manual" }).catch(
      () => undefined,
    );
    // The page that follows a saved form is not needed.
    const isSaved = answer?.type === "opaqueredirect";
    if (isSaved) saved = order;
    else for (const id of saved) list.append(rows().find(({ dataset }) => dataset.id === id)!);
    setButtons();
    live.textContent = (isSaved ? form.dataset.saved : form.dataset.failed) ?? "";
  }

  /** The first entry cannot move up, and the last one cannot move down. */
  function setButtons(): void {
    for (const [at, row] of rows().entries()) {
      row.querySelector<HTMLButtonElement>("[value^=up]")!.disabled = at === 0;
      row.querySelector<HTMLButtonElement>("[value^=down]")!.disabled = at === list.children.length - 1;
    }
  }
}

/** Moves the neighbors, not the dragged row: the browser would end the drag of an element that leaves the page. */
function makeWay(row: HTMLElement, y: number): void {
  const middle = (other: Element) => other.getBoundingClientRect().top + other.clientHeight / 2;
  for (let other = row.previousElementSibling; other && y < middle(other); other = row.previousElementSibling)
    row.after(other);
  for (let other = row.nextElementSibling; other && y > middle(other); other = row.nextElementSibling)
    row.before(other);
}
