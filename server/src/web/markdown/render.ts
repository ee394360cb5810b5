// Markdown of authors as safe HTML, made in a thread of its own and kept by content. What cannot be rendered in time is
// shown as it was typed.
import { toPlainHtml } from "./plain.js";
import { openRenderingThread } from "./thread.js";

export interface MarkdownOptions {
  /** Pictures from here are shown; others become links, so that no visitor is made to call a stranger's server. */
  cdnUrl: string;
}

/** HTML that has passed the allow-list; nothing else has this type. */
export type SafeHtml = string & { readonly safe: unique symbol };

/** Letters, of texts and of what became of them. */
const mostKept = 24 * 1024 * 1024;
/** What could not be rendered is not tried again at every look, and not given up for ever. */
const retryMs = 60_000;

const thread = openRenderingThread();
const kept = new Map<string, Promise<SafeHtml>>();
const sizes = new Map<string, number>();
let keptLetters = 0;

export function renderMarkdown(text: string, { cdnUrl }: MarkdownOptions): Promise<SafeHtml> {
  const key = `${cdnUrl}\n${text}`;
  const known = kept.get(key);
  if (known) {
    // The oldest of the map is the one that goes: asked for, it is young again.
    kept.delete(key);
    kept.set(key, known);
    return known;
  }
  const made = make(key, text, cdnUrl);
  kept.set(key, made);
  return made;
}

async function make(key: string, text: string, cdnUrl: string): Promise<SafeHtml> {
  const html = await thread.render({ text, cdnUrl }).catch(() => undefined);
  if (html === undefined) setTimeout(() => forget(key), retryMs).unref();
  const shown = (html ?? toPlainHtml(text)) as SafeHtml;
  keptLetters += key.length + shown.length;
  sizes.set(key, key.length + shown.length);
  for (const oldest of kept.keys()) {
    if (keptLetters <= mostKept) break;
    if (oldest !== key) forget(oldest);
  }
  return shown;
}

function forget(key: string): void {
  kept.delete(key);
  keptLetters -= sizes.get(key) ?? 0;
  sizes.delete(key);
}
