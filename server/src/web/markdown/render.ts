// Markdown of authors as safe HTML, made in a thread of its own and kept by content. What cannot be rendered in time is
// shown as it was typed. Previews of unsaved texts have another thread and are not kept, so that they can neither delay
// pages nor push their texts out of memory.
import { Busy } from "#lib/queue.js";
import { toPlainHtml } from "./plain.js";
import { openRenderingThread, type RenderingThread } from "./thread.js";

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
const previewThread = openRenderingThread({ maxWaiting: 20 });
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
  try {
    const html = await renderIn(thread, text, cdnUrl);
    if (html === undefined) setTimeout(() => forget(key), retryMs).unref();
    const shown = html ?? toPlainHtml(text);
    // It may have had to make room for others while it was rendered.
    if (kept.has(key)) keep(key, key.length + shown.length);
    return shown as SafeHtml;
  } catch (error) {
    kept.delete(key);
    throw error;
  }
}

/** For a text that is not saved. Nothing is kept. */
export async function previewMarkdown(text: string, { cdnUrl }: MarkdownOptions): Promise<SafeHtml> {
  return ((await renderIn(previewThread, text, cdnUrl)) ?? toPlainHtml(text)) as SafeHtml;
}

/** Undefined where the text cannot be rendered; rejected with Busy where too many are waiting. */
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
