// Text as it was typed, for what could not be rendered: nothing in it means anything.

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export const toPlainHtml = (text: string): string =>
  `<pre>${text.replace(/[&<>"']/g, (letter) => entities[letter] ?? "")}</pre>`;
