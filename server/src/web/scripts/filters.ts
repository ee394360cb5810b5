// Filters of lists: three radio buttons become one button with three states, long lists can be searched, and every
// choice shows its results at once. Without script the form does this with its button.

const form = document.querySelector<HTMLFormElement>("form[data-filters]");
const states = ["", "only", "not"] as const;
const signs = { "": "", only: "✓", not: "✕" } as const;
type State = keyof typeof signs;
/** Shorter lists are quicker to scan than to search. */
const worthFinding = 12;
let asked = 0;
/** The URL whose results are on the page. */
let shown = location.pathname + location.search;

if (form) {
  for (const group of form.querySelectorAll<HTMLElement>("[data-tri]")) fold(form, group);
  for (const facet of form.querySelectorAll<HTMLElement>("[data-find]")) addFinder(facet);
  // Not at every keystroke: results that move while the user types are distracting.
  form.addEventListener("change", () => void refresh(form));
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

/**
 * One button instead of three radio buttons: each click goes on from "any" to "only" to "not"; the key "-" chooses
 * "not".
 */
function fold(owner: HTMLFormElement, group: HTMLElement): void {
  const radios = [...group.querySelectorAll<HTMLInputElement>("input[type=radio]")];
  const words: Record<State, string> = { "": "", only: owner.dataset.only ?? "", not: owner.dataset.not ?? "" };
  const button = document.createElement("button");
  button.type = "button";
  button.className = "tri-button";
  const sign = document.createElement("span");
  sign.setAttribute("aria-hidden", "true");
  // Read by screen readers after the name: "Quilt 12, Exclude".
  const told = document.createElement("span");
  told.className = "visually-hidden";
  const now = (): State => (radios.find((radio) => radio.checked)?.value ?? "") as State;
  const draw = (): void => {
    const state = now();
    button.dataset.state = state;
    told.textContent = state === "" ? "" : `, ${words[state]}`;
    sign.textContent = signs[state];
  };
  const choose = (state: State): void => {
    for (const radio of radios) radio.checked = radio.value === state;
    draw();
    radios[0]?.dispatchEvent(new Event("change", { bubbles: true }));
  };
  button.addEventListener("click", () => choose(states[(states.indexOf(now()) + 1) % states.length]!));
  button.addEventListener("keydown", (event) => {
    if (event.key === "-") choose("not");
  });
  button.append(sign, ...group.querySelectorAll(".tri-name"), told);
  // Hidden, but still sent with the form.
  for (const radio of radios) radio.closest<HTMLElement>("label")!.hidden = true;
  group.removeAttribute("role");
  group.removeAttribute("aria-labelledby");
  group.prepend(button);
  draw();
}

function addFinder(facet: HTMLElement): void {
  const groups = [...facet.querySelectorAll<HTMLElement>("[data-tri]")];
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
