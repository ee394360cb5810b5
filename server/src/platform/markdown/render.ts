// Renders the markdown of authors as safe HTML in a thread of its own, and caches the result by content. A text that
// cannot be rendered in time is shown as it was typed. Previews of unsaved texts use another thread and are not cached,
// so that they can neither delay pages nor push their texts out of the cache.
import { Busy } from "#lib/queue.js";
import { toPlainHtml } from "./plain.js";
import { openRenderingThread, type RenderingThread } from "./thread.js";

export interface MarkdownOptions {
  /** Pictures from here are shown; others become links, so that visitors' browsers do not contact other servers. */
  cdnUrl: string;
}

/** HTML that has passed the allow-list. No other value has this type. */
export type SafeHtml = string & { readonly safe: unique symbol };

/** Characters of texts and their HTML. */
const mostKept = 24 * 1024 * 1024;
/** A text that could not be rendered is tried again after this time, not at every request. */
const retryMs = 60_000;

const thread = openRenderingThread();
const previewThread = openRenderingThread({ maxWaiting: 20 });
const kept = new Map<string, Promise<SafeHtml>>();
const sizes = new Map<string, number>();
let keptLetters = 0;

export function renderMarkdown(text: string, { cdnUrl }: MarkdownOptions): Promise<SafeHtml> {
  const key = `${cdnUrl}\n${text}`;
  const known = kept.get(key);
  if (known) {
    // Moves the entry to the end of the map: the first entry is evicted next.
    kept.delete(key);
    kept.set(key, known);
    return known;
  }
  const made = make(key, text, cdnUrl);
  kept.set(key, made);
  return made;
}

async function make(key: string, text: string, cdnUrl: string): Promise<SafeHtml> {
  try {
    const html = await renderIn(thread, text, cdnUrl);
    if (html === undefined) setTimeout(() => forget(key), retryMs).unref();
    const shown = html ?? toPlainHtml(text);
    // The entry may have been evicted while the text was rendered.
    if (kept.has(key)) keep(key, key.length + shown.length);
    return shown as SafeHtml;
  } catch (error) {
    kept.delete(key);
    throw error;
  }
}

/** For a text that is not saved. The result is not cached. */
export async function previewMarkdown(text: string, { cdnUrl }: MarkdownOptions): Promise<SafeHtml> {
  return ((await renderIn(previewThread, text, cdnUrl)) ?? toPlainHtml(text)) as SafeHtml;
}

/** Undefined if the text cannot be rendered; rejects with Busy if too many texts are waiting. */
const renderIn = (thread: RenderingThread, text: string, cdnUrl: string): Promise<string | undefined> =>
  thread.render({ text, cdnUrl }).catch((error) => {
    if (error instanceof Busy) throw error;
    return undefined;
  });

function keep(key: string, size: number): void {
  keptLetters += size;
  sizes.set(key, size);
  for (const oldest of kept.keys()) {
    if (keptLetters <= mostKept) break;
    if (oldest !== key) forget(oldest);
  }
}

function forget(key: string): void {
  kept.delete(key);
  keptLetters -= sizes.get(key) ?? 0;
  sizes.delete(key);
}
