// Shows the pictures of a gallery in a dialog, with keys, buttons and swipes. Without script each is a link to the
// picture.

const gallery = document.querySelector<HTMLElement>("[data-lightbox]");
const links = [...(gallery?.querySelectorAll<HTMLAnchorElement>("li > a") ?? [])];

if (gallery && links.length > 0) {
  const dialog = document.createElement("dialog");
  dialog.className = "lightbox";
  dialog.setAttribute("aria-label", gallery.dataset.lightbox ?? "");
  const picture = document.createElement("img");
  const caption = document.createElement("p");
  caption.dir = "auto";
  let current = 0;

  const show = (index: number): void => {
    current = (index + links.length) % links.length;
    const link = links[current]!;
    const small = link.querySelector("img");
    const words = [...(link.parentElement?.querySelectorAll(".gallery-text > *") ?? [])];
    const text = words.map((word) => word.textContent ?? "").join(" · ");
    picture.src = link.href;
    picture.alt = small?.alt ?? "";
    caption.textContent = links.length > 1 ? `${current + 1} / ${links.length} · ${text}` : text;
    history.replaceState(null, "", `#${link.parentElement?.id ?? ""}`);
  };

  const button = (name: string, sign: string, act: () => void): HTMLButtonElement => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "button quiet";
    made.setAttribute("aria-label", name);
    made.textContent = sign;
    made.addEventListener("click", act);
    return made;
  };

  const open = (index: number): void => {
    show(index);
    if (!dialog.open) dialog.showModal();
  };

  const { close = "", previous = "", next = "" } = gallery.dataset;
  const bar = document.createElement("div");
  bar.className = "lightbox-bar";
  if (links.length > 1) bar.append(button(previous, "‹", () => show(current - 1)));
  bar.append(caption);
  if (links.length > 1) bar.append(button(next, "›", () => show(current + 1)));
  bar.append(button(close, "×", () => dialog.close()));
  dialog.append(picture, bar);
  document.body.append(dialog);

  for (const [index, link] of links.entries())
    link.addEventListener("click", (event) => {
      // The user wants to open it in another tab or window.
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
      event.preventDefault();
      open(index);
    });

  dialog.addEventListener("keydown", (event) => {
    if (event.key === "ArrowLeft") show(current - 1);
    if (event.key === "ArrowRight") show(current + 1);
  });
  // A click beside the picture closes it.
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => {
    history.replaceState(null, "", location.pathname + location.search);
    links[current]!.focus();
  });

  let from: number | undefined;
  dialog.addEventListener("touchstart", (event) => {
    from = event.touches[0]?.clientX;
  });
  dialog.addEventListener("touchend", (event) => {
    const way = (event.changedTouches[0]?.clientX ?? 0) - (from ?? 0);
    if (from !== undefined && Math.abs(way) > 50) show(current + (way < 0 ? 1 : -1));
    from = undefined;
  });

  const named = links.findIndex((link) => link.parentElement?.id === location.hash.slice(1));
  if (location.hash !== "" && named >= 0) open(named);
}
