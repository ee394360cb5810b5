// Suggests projects while a text is typed, as a combobox: arrow keys choose, Enter takes, Escape closes. In a search field
// (data-suggests) the choice opens the project; a field for a project (data-picks) gets its slug. Without script, or if
// nothing is chosen, the text itself is sent.

interface Suggestion {
  name: string;
  href: string;
  icon: string;
  type: string;
}

const typingPauseMs = 150;

const selector = "input[data-suggests]";
const known = new Set<Element>();

function enhance(input: HTMLInputElement): void {
  if (known.has(input)) return;
  known.add(input);
  suggestProjects(input, `suggestions-${known.size}`);
}

for (const input of document.querySelectorAll<HTMLInputElement>(selector)) enhance(input);
// Fields of rows that were added later.
document.addEventListener("focusin", ({ target }) => {
  if ((target as Element).matches(selector)) enhance(target as HTMLInputElement);
});

function suggestProjects(input: HTMLInputElement, id: string): void {
  const list = document.createElement("div");
  list.id = id;
  list.className = "suggestions";
  list.hidden = true;
  list.role = "listbox";
  list.ariaLabel = input.dataset.suggests ?? "";
  // Not to its form: on lists, that is the form of the filters.
  const count = document.createElement("span");
  count.className = "visually-hidden";
  count.role = "status";
  input.parentElement?.append(list, count);
  input.autocomplete = "off";
  input.role = "combobox";
  input.ariaExpanded = "false";
  input.ariaAutoComplete = "list";
  input.setAttribute("aria-controls", id);
  let waiting = 0;
  let asked = "";
  let chosen = -1;

  const show = (found: readonly Suggestion[]): void => {
    list.replaceChildren(...found.map((each, index) => toOption(each, `${id}-${index}`)));
    list.hidden = found.length === 0;
    input.ariaExpanded = String(!list.hidden);
    count.textContent = list.hidden ? "" : `${list.ariaLabel}: ${found.length}`;
    choose(-1);
  };
  const choose = (next: number): void => {
    chosen = next;
    for (const [index, option] of [...list.children].entries()) option.ariaSelected = String(index === chosen);
    const option = list.children[chosen];
    option?.scrollIntoView({ block: "nearest" });
    if (option) input.setAttribute("aria-activedescendant", option.id);
    else input.removeAttribute("aria-activedescendant");
  };
  const ask = async (text: string): Promise<void> => {
    const response = await fetch(`/search/suggestions?q=${encodeURIComponent(text)}`).catch(() => undefined);
    // Only the answer to the latest text counts.
    if (!response?.ok || asked !== text || document.activeElement !== input) return;
    show(await response.json());
  };

  input.addEventListener("input", () => {
    window.clearTimeout(waiting);
    const text = input.value.trim();
    asked = text;
    if (text.length < 2) return show([]);
    waiting = window.setTimeout(() => void ask(text), typingPauseMs);
  });
  input.addEventListener("keydown", (event) => {
    if (list.hidden) return;
    const { length } = list.children;
    if (event.key === "ArrowDown") choose(chosen + 1 < length ? chosen + 1 : -1);
    else if (event.key === "ArrowUp") choose(chosen < 0 ? length - 1 : chosen - 1);
    else if (event.key === "Enter" && chosen >= 0) (list.children[chosen] as HTMLElement).click();
    else if (event.key === "Escape") show([]);
    else return;
    event.preventDefault();
  });
  input.addEventListener("blur", () => show([]));
  // A click must not take the focus away first, because that would close the list.
  list.addEventListener("pointerdown", (event) => event.preventDefault());
  if (input.dataset.picks === undefined) return;
  list.addEventListener("click", (event) => {
    event.preventDefault();
    const { pathname } = (event.target as Element).closest("a")!;
    input.value = pathname.slice(pathname.lastIndexOf("/") + 1);
    show([]);
    // For the draft. An event of the field itself would suggest projects again.
    input.form?.dispatchEvent(new Event("input"));
  });
}

function toOption({ name, href, icon, type }: Suggestion, id: string): HTMLElement {
  const option = document.createElement("a");
  option.id = id;
  option.role = "option";
  option.href = href;
  option.tabIndex = -1;
  const picture = document.createElement("img");
  picture.src = icon;
  picture.alt = "";
  picture.width = picture.height = 32;
  const words = document.createElement("span");
  words.dir = "auto";
  words.textContent = name;
  const kind = document.createElement("span");
  kind.className = "muted small";
  kind.textContent = type;
  option.append(picture, words, kind);
  return option;
}
