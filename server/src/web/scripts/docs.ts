// The API reference: a search box that shows only the operations and shapes with all given words, and a navigation that
// follows the reading position; on the index, entries instead. Without script the browser's own search finds everything
// on the page.

const finder = document.querySelector<HTMLElement>("[data-docs-find]");
const input = finder?.querySelector("input");
const outcome = finder?.querySelector("output");
const list = document.querySelector<HTMLElement>(".docs-nav");
const links = new Map(
  [...(list?.querySelectorAll<HTMLAnchorElement>("a[href^='#']") ?? [])].map((link) => [link.hash.slice(1), link]),
);
const shown = ".operation, .convention, .docs-entry";
const sections = [...document.querySelectorAll<HTMLElement>(shown)];

/** The reference was one page once: its anchors are entries of the index now, and lead on to the page of their part. */
function follow(): void {
  const entry = document.getElementById(location.hash.slice(1));
  const link = entry?.matches(".docs-entry, .chapter:has(.docs-entry)") ? entry.querySelector("a") : null;
  if (link) location.replace(link.href);
}
addEventListener("hashchange", follow);
follow();

if (finder && input && outcome) {
  finder.hidden = false;
  const texts = sections.map((section) => (section.textContent ?? "").toLowerCase());
  const show = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const [index, section] of sections.entries()) {
      const fits = words.every((word) => texts[index]!.includes(word));
      if (fits) found++;
      section.hidden = !fits;
      const entry = links.get(section.id)?.closest("li");
      if (entry) entry.hidden = !fits;
    }
    for (const chapter of document.querySelectorAll<HTMLElement>(".chapter")) {
      const isEmpty = !chapter.querySelector(`:is(${shown}):not([hidden])`);
      chapter.hidden = isEmpty;
      const entry = links.get(chapter.id)?.closest("li");
      if (entry) entry.hidden = isEmpty;
    }
    const { found: some = "", notFound: none = "" } = outcome.dataset;
    outcome.value = words.length === 0 ? "" : found === 0 ? none : some.replace("%", String(found));
  };
  input.addEventListener("input", () => {
    show();
    // The section in view may be hidden now, so scroll to the first match.
    const start = finder.previousElementSibling!.getBoundingClientRect().bottom + scrollY;
    if (scrollY > start) scrollTo({ top: start });
  });
  // Browsers restore the words when the user returns to the page.
  show();
  // Runs before the site-wide shortcut, which focuses the search for projects.
  addEventListener(
    "keydown",
    (event) => {
      const isTyping = event.target instanceof HTMLElement && event.target.closest("input, textarea, select");
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      input.focus();
      input.select();
    },
    { capture: true },
  );
}

let current: HTMLAnchorElement | undefined;

/** Marks the link to the current section, and keeps it visible if the navigation scrolls. */
function mark(id: string): void {
  const link = links.get(id);
  if (!link || link === current || !list) return;
  current?.removeAttribute("aria-current");
  link.setAttribute("aria-current", "true");
  current = link;
  const [box, frame] = [link.getBoundingClientRect(), list.getBoundingClientRect()];
  if (box.top < frame.top || box.bottom > frame.bottom) list.scrollTop += box.top - frame.top - frame.height / 3;
}

const observer = new IntersectionObserver(
  (entries) => {
    const seen = entries.find(({ isIntersecting }) => isIntersecting);
    if (seen) mark(seen.target.id);
  },
  // The reading position is in the upper part of the window.
  { rootMargin: "-20% 0px -75% 0px" },
);
for (const section of sections) observer.observe(section);

// Makes this file a module: other scripts declare the same names.
export {};
