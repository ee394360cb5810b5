// Suggests projects while a text is typed into a search field, as a combobox: arrow keys choose, Enter opens, Escape
// closes. Without script, or if nothing is chosen, the form searches as usual.

interface Suggestion {
  name: string;
  href: string;
  icon: string;
  type: string;
}

const typingPauseMs = 150;

for (const [at, input] of document.querySelectorAll<HTMLInputElement>("input[data-suggests]").entries())
  suggestProjects(input, `suggestions-${at}`);

function suggestProjects(input: HTMLInputElement, id: string): void {
  const list = document.createElement("div");
  list.id = id;
  list.className = "suggestions";
  list.hidden = true;
  list.role = "listbox";
  list.ariaLabel = input.dataset.suggests ?? "";
  // Not to its form: on lists, that is the form of the filters.
  input.parentElement?.append(list);
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
