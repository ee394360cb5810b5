// On every page: small conveniences. Everything works without them.

/** "/" goes to the search field, unless somebody is typing. */
addEventListener("keydown", (event) => {
  const target = event.target as HTMLElement;
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.closest("input, textarea, select, [contenteditable]")) return;
  const field = document.querySelector<HTMLInputElement>("[data-search]");
  if (!field) return;
  event.preventDefault();
  field.focus();
  field.select();
});

/** Choices that take effect as soon as they are made; the button beside them is for those without script. */
for (const choice of document.querySelectorAll<HTMLSelectElement>("select[data-submits]")) {
  const { form } = choice;
  const button = form?.querySelector<HTMLElement>("button[type=submit]");
  if (button) button.hidden = true;
  choice.addEventListener("change", () => form?.requestSubmit());
}

/** Buttons that copy a text: <button data-copy="text" data-copied="Copied">. */
document.addEventListener("click", async (event) => {
  const button = (event.target as HTMLElement).closest<HTMLElement>("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(button.dataset.copy ?? "");
  const before = button.textContent;
  button.textContent = button.dataset.copied ?? "✓";
  setTimeout(() => {
    button.textContent = before;
  }, 2000);
});

/** Menus close when somebody clicks elsewhere or presses Escape. */
const openMenus = () => document.querySelectorAll<HTMLDetailsElement>("details.menu[open]");
document.addEventListener("click", (event) => {
  for (const menu of openMenus()) if (!menu.contains(event.target as Node)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of openMenus()) {
    menu.open = false;
    menu.querySelector("summary")?.focus();
  }
});

/** A form is sent once, however often its button is pressed. */
document.addEventListener("submit", (event) => {
  const form = event.target as HTMLFormElement;
  if (form.method !== "post") return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
  // Back from the next page it can be sent again.
  addEventListener("pageshow", () => delete form.dataset.sent, { once: true });
});

/** A row of tabs that does not fit begins where the visitor is. */
for (const tab of document.querySelectorAll(".tabs [aria-current]"))
  tab.scrollIntoView({ block: "nearest", inline: "center" });
