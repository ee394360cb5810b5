// A text as it was typed, for texts that could not be rendered: all of it is escaped.

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export const toPlainHtml = (text: string): string =>
  `<pre>${text.replace(/[&<>"']/g, (letter) => entities[letter] ?? "")}</pre>`;
