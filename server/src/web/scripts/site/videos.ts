// In texts of authors: a click on the card of a video replaces it by the player, and a picture of another site that cannot
// be loaded is replaced by its text, which is a link to it.

document.addEventListener("click", (event) => {
  const card = (event.target as HTMLElement).closest<HTMLElement>("[data-video]");
  if (!card || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const player = document.createElement("iframe");
  player.src = `/assets/video/${card.dataset.video}`;
  player.title = card.textContent?.trim() || "Video";
  player.allow = "autoplay; fullscreen; encrypted-media; picture-in-picture";
  card.replaceWith(player);
  player.focus();
});

function describe(picture: HTMLImageElement): void {
  const link = picture.closest<HTMLAnchorElement>(".remote-image");
  if (picture.closest("[data-video]")) picture.remove();
  else if (link) picture.replaceWith([picture.alt, link.host].filter(Boolean).join(" · "));
}

// Errors of pictures do not bubble.
document.addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLImageElement) describe(target);
  },
  true,
);
// Pictures may have failed before this script ran.
for (const picture of document.querySelectorAll<HTMLImageElement>(".markdown img"))
  if (picture.complete && picture.naturalWidth === 0) describe(picture);
