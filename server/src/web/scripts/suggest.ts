// Suggests usernames while one is typed. Without script the field takes any text.

const pauseMs = 150;

for (const list of document.querySelectorAll<HTMLDataListElement>("datalist[data-suggest]")) {
  const input = document.querySelector<HTMLInputElement>(`input[list="${list.id}"]`);
  if (input) suggest(input, list);
}

function suggest(input: HTMLInputElement, list: HTMLDataListElement): void {
  let waiting = 0;
  let asked = "";
  input.addEventListener("input", () => {
    window.clearTimeout(waiting);
    const text = input.value.trim();
    if (text.length < 2 || text.includes("@") || text === asked) return;
    waiting = window.setTimeout(async () => {
      asked = text;
      const response = await fetch(`${list.dataset.suggest}?q=${encodeURIComponent(text)}`).catch(() => undefined);
      if (!response?.ok || asked !== text) return;
      const names: string[] = await response.json();
      list.replaceChildren(...names.map((name) => new Option(name, name)));
    }, pauseMs);
  });
}
