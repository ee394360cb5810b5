// The box "all of 0.5" ticks and unticks the versions of its family, and shows whether all or some of them are ticked.

export function enhanceFamily(label: HTMLElement): void {
  const all = label.querySelector("input")!;
  const boxes = [...label.parentElement!.querySelectorAll<HTMLInputElement>("[name=gameVersions]")];
  // The versions themselves are sent, and the box follows them.
  all.removeAttribute("name");
  all.addEventListener("change", () => {
    for (const box of boxes) box.checked = all.checked;
  });
  const follow = () => {
    const ticked = boxes.filter(({ checked }) => checked).length;
    all.checked = ticked === boxes.length;
    all.indeterminate = ticked > 0 && !all.checked;
  };
  follow();
  // Also sent by the scripts that fill the form from a file or a draft.
  all.form?.addEventListener("change", follow);
  // Going back restores the boxes after the scripts have run.
  addEventListener("pageshow", follow);
}
