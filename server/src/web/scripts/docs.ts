// The API reference: a search box that shows only the operations and shapes with all given words, and a list at the side
// that follows the reading position. Without script the browser's own search finds everything on the page.

const finder = document.querySelector<HTMLElement>("[data-docs-find]");
const input = finder?.querySelector("input");
const outcome = finder?.querySelector("output");
const list = document.querySelector<HTMLElement>(".docs-nav");
const links = new Map(
  [...(list?.querySelectorAll<HTMLAnchorElement>("a[href^='#']") ?? [])].map((link) => [link.hash.slice(1), link]),
);
const sections = [...document.querySelectorAll<HTMLElement>(".operation, .convention")];

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
      const isEmpty = !chapter.querySelector(".operation:not([hidden]), .convention:not([hidden])");
      chapter.hidden = isEmpty;
      const entry = links.get(chapter.id)?.closest("li");
      if (entry) entry.hidden = isEmpty;
    }
    const { found: some = "", notFound: none = "" } = outcome.dataset;
    outcome.value = words.length === 0 ? "" : found === 0 ? none : some.replace("%", String(found));
  };
  input.addEventListener("input", () => {
    show();
    // What was read may be hidden by now: begin with the first that is found.
    const start = finder.previousElementSibling!.getBoundingClientRect().bottom + scrollY;
    if (scrollY > start) scrollTo({ top: start });
  });
  // A browser that comes back to the page puts the words in again.
  show();
  // Before the key of the whole site, which leads to the search for projects.
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

/** Marks the entry of the section that is read, and keeps it in view where the list scrolls by itself. */
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
  // The line that is read lies in the upper part of the window.
  { rootMargin: "-20% 0px -75% 0px" },
);
for (const section of sections) observer.observe(section);

// A module of its own: the other scripts of pages have names like these.
export {};
