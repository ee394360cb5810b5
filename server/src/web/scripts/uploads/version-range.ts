// "From … to …" ticks the game versions in between at once. Without script the server does it when the form is sent.

export function enhanceRange(row: HTMLElement): void {
  const [from, to] = row.querySelectorAll("select");
  const form = row.closest("form");
  if (!from || !to || !form) return;
  // The versions themselves are sent.
  from.removeAttribute("name");
  to.removeAttribute("name");
  row.querySelector("button")?.remove();
  const order = [...from.options].map(({ value }) => value).filter(Boolean);
  /** Versions that another range has ticked are unticked again. */
  let ticked: HTMLInputElement[] = [];
  row.addEventListener("change", () => {
    const ends = [from.value, to.value || order[0]!].map((value) => order.indexOf(value)).sort((a, b) => a - b);
    const wanted = new Set(from.value ? order.slice(ends[0], ends[1]! + 1) : []);
    for (const box of ticked) box.checked = false;
    ticked = [...form.querySelectorAll<HTMLInputElement>("[name=gameVersions]:not(:checked)")].filter(({ value }) =>
      wanted.has(value),
    );
    for (const box of ticked) {
      box.checked = true;
      box.closest("details")!.open = true;
    }
    // For drafts and for the boxes of families.
    form.dispatchEvent(new Event("input"));
    form.dispatchEvent(new Event("change"));
  });
}
