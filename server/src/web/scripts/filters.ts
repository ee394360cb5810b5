// Filters of lists: every choice shows its results at once, and long lists of values can be searched. Without script the
// form does this with its button.

const form = document.querySelector<HTMLFormElement>("form[data-filters]");
/** Shorter lists are quicker to scan than to search. */
const worthFinding = 12;
let asked = 0;
/** The URL whose results are on the page. */
let shown = location.pathname + location.search;

if (form) {
  for (const facet of form.querySelectorAll<HTMLElement>("[data-find]")) addFinder(facet);
  // Not at every keystroke: results that move while the user types are distracting.
  form.addEventListener("change", (event) => {
    untickOther(event.target as HTMLInputElement);
    void refresh(form);
  });
  for (const outside of document.querySelectorAll(`[form="${form.id}"]`))
    if (outside instanceof HTMLSelectElement) outside.addEventListener("change", () => void refresh(form));
  form.addEventListener("submit", (event) => {
    // A search from the header opens another page: its title and its tabs differ too.
    if (event.submitter && !form.contains(event.submitter)) return;
    event.preventDefault();
    if (form.matches(":popover-open")) form.hidePopover();
    void refresh(form);
  });
  // The URL was changed without loading a page, so going back has to load it.
  addEventListener("popstate", () => {
    if (location.pathname + location.search !== shown) location.reload();
  });
}

/** A value is included or excluded, not both. */
function untickOther(box: HTMLInputElement): void {
  for (const other of box.closest("[data-pair]")?.querySelectorAll("input") ?? [])
    if (other !== box) other.checked = false;
}

function addFinder(facet: HTMLElement): void {
  const groups = [...facet.querySelectorAll<HTMLElement>("[data-pair]")];
  if (groups.length < worthFinding) return;
  const field = document.createElement("input");
  field.type = "search";
  field.className = "facet-find";
  field.placeholder = facet.dataset.find ?? "";
  field.setAttribute("aria-label", facet.dataset.find ?? "");
  field.addEventListener("input", () => {
    const wanted = field.value.trim().toLowerCase();
    for (const group of groups) group.hidden = !(group.textContent ?? "").toLowerCase().includes(wanted);
  });
  // It is not part of the filters.
  field.addEventListener("change", (event) => event.stopPropagation());
  facet.querySelector("legend")?.after(field);
}

/** Loads the page that the form would lead to, and takes the results from it. */
async function refresh(owner: HTMLFormElement): Promise<void> {
  const turn = ++asked;
  const results = document.querySelector<HTMLElement>("#results");
  const query = new URLSearchParams(new FormData(owner) as unknown as Record<string, string>);
  const url = `${owner.getAttribute("action")}?${query}`;
  if (!results) return location.assign(url);
  results.setAttribute("aria-busy", "true");
  try {
    const response = await fetch(url, { headers: { accept: "text/html" } });
    if (!response.ok) throw new Error(String(response.status));
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    // The user has changed the filters again: only the latest answer counts.
    if (turn !== asked) return;
    const fresh = page.querySelector("#results");
    if (!fresh) throw new Error("The page has no results");
    const total = fresh.querySelector("[data-total]")?.textContent ?? "";
    results.replaceWith(document.adoptNode(fresh));
    history.pushState(null, "", response.url);
    shown = location.pathname + location.search;
    const show = owner.querySelector("[data-show]");
    if (show) show.textContent = page.querySelector("[data-show]")?.textContent ?? "";
    for (const count of page.querySelectorAll<HTMLElement>("[data-count]")) {
      const old = owner.querySelector<HTMLElement>(`[data-count="${CSS.escape(count.dataset.count ?? "")}"]`);
      if (old) old.textContent = count.textContent;
    }
    const announce = document.querySelector<HTMLElement>("[data-announce]");
    if (announce) announce.textContent = total;
  } catch {
    location.assign(url);
  }
}
