// Small conveniences on every page. Everything works without them.
import "./site/enhance.js";
import "./site/search-box.js";
import "./site/videos.js";
import { formatIn } from "#web/context/format.js";
import type { Locale } from "#words/languages.js";

/** Users can turn off shortcuts (WCAG 2.1.4; /settings/shortcuts). */
const areKeysOff = document.body.dataset.keys === "off";

/** "/" focuses the search field, unless the user is typing. */
addEventListener("keydown", (event) => {
  const target = event.target as HTMLElement;
  if (event.key !== "/" || areKeysOff || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.closest("input, textarea, select, [contenteditable]")) return;
  const field = document.querySelector<HTMLInputElement>("[data-search]");
  if (!field) return;
  event.preventDefault();
  field.focus();
  field.select();
});

/** Drop-downs that take effect at once; the button beside them is for browsers without script. */
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

/** Menus close on a click elsewhere and on Escape. */
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

/** A form is sent once, however often its button is clicked, and the button shows that it is being sent. */
document.addEventListener("submit", (event) => {
  const form = event.target as HTMLFormElement;
  if (form.method !== "post") return;
  if (form.dataset.sent) event.preventDefault();
  // A script that sends the form itself also shows its progress.
  if (event.defaultPrevented) return;
  form.dataset.sent = "yes";
  const undo = showBusy(event.submitter);
  // After going back, the form can be sent again.
  addEventListener(
    "pageshow",
    () => {
      delete form.dataset.sent;
      undo();
    },
    { once: true },
  );
});

const busyMs = 400;

function showBusy(button: HTMLElement | null): () => void {
  const bar = setTimeout(() => document.documentElement.classList.add("busy"), busyMs);
  const before = [...(button?.childNodes ?? [])];
  const hasWords = button?.textContent?.trim() && !button.ariaLabel;
  if (button && hasWords) {
    button.style.minInlineSize = `${button.offsetWidth}px`;
    // Deferred, because the button's own value is part of the form data.
    setTimeout(() => button.replaceChildren(document.body.dataset.busy ?? "…"));
  }
  button?.setAttribute("aria-busy", "true");
  return () => {
    clearTimeout(bar);
    document.documentElement.classList.remove("busy");
    button?.removeAttribute("aria-busy");
    if (button && hasWords) button.replaceChildren(...before);
  };
}

/** "3 minutes ago" stays true on a page that stays open. */
const refreshTimes = () => {
  const { ago } = formatIn(document.documentElement.lang as Locale, Date.now());
  for (const time of document.querySelectorAll<HTMLTimeElement>("time[data-ago]")) {
    const text = ago(Date.parse(time.dateTime));
    if (time.textContent !== text) time.textContent = text;
  }
};
setInterval(refreshTimes, 60_000);
addEventListener("pageshow", (event) => event.persisted && refreshTimes());

/** The server does not count pages that the browser loads in advance. One that the user opens then is requested again. */
const [opened] = performance.getEntriesByType("navigation") as (PerformanceEntry & { deliveryType?: string })[];
if (opened?.deliveryType === "navigational-prefetch" && location.pathname.startsWith("/project/"))
  void fetch(location.href, { cache: "no-cache", priority: "low" }).catch(() => {});

/** "?" shows the keyboard shortcuts. */
const keys = document.querySelector<HTMLDialogElement>("dialog.keys");
addEventListener("keydown", (event) => {
  if (event.key !== "?" || areKeysOff || event.ctrlKey || event.metaKey || event.altKey) return;
  if ((event.target as HTMLElement).closest("input, textarea, select, [contenteditable]")) return;
  if (keys && !document.querySelector("dialog[open]")) keys.showModal();
});

/** A row of tabs that is too wide is scrolled to the current tab. */
for (const tab of document.querySelectorAll<HTMLElement>(":is(.tabs, .site-nav) > [aria-current]")) {
  const row = tab.parentElement!;
  // Not scrollIntoView, which scrolls the whole page if the row is far down.
  row.scrollLeft = tab.offsetLeft - row.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2;
}
