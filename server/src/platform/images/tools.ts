// Turns uploaded pictures into the WebP files that are stored and shown; no uploaded byte is kept as it came.
import { createHash } from "node:crypto";
import { Semaphore } from "#lib/mutex.js";
import { averageColor } from "./oklab.js";
import { isPictureLike } from "./sniff.js";
import type { Answer, CardJob, Picture, PictureJob, Refusal } from "./worker.js";
import { openWorkerClient, type WorkerClientOptions } from "./worker-client.js";

export type ImageResult<T> = { ok: true; value: T } | { ok: false; reason: Refusal };

/** All of them are rejected with Busy when too many are waiting. */
export interface ImageTools {
  /** 128 × 128 WebP, cut to fill the square, and the colour (#rrggbb) that stands for it. */
  icon(bytes: Uint8Array): Promise<ImageResult<{ webp: Buffer; color: string }>>;
  /** WebP within 1920 × 1920, never enlarged, and a still thumbnail at most 420 pixels wide. */
  picture(bytes: Uint8Array): Promise<ImageResult<Picture>>;
  /** PNG of an own drawing (SVG) with a picture on it. The drawing is trusted, the picture is not. */
  card(card: Omit<CardJob, "kind">): Promise<ImageResult<Buffer>>;
  /** PNG of an own drawing (SVG), which is trusted. The last ones are kept. */
  drawing(svg: string): Promise<Buffer>;
  close(): Promise<void>;
}

/** Drawings that are kept, of 2 to 5 KB each. */
const maxKept = 2000;

export function openImageTools(options: WorkerClientOptions = {}): ImageTools {
  const worker = openWorkerClient(options);
  // Uploads and cards decode what users sent, one at a time.
  const decoding = new Semaphore(1, 32);
  // Anyone can ask for cards. They wait in a queue of their own, from which one at a time gets a place beside the uploads:
  // an upload waits for one card at most, and no number of cards makes an upload fail.
  const cards = new Semaphore(1, 8);
  // Anyone can ask for drawings too, and a page shows dozens. Each takes about 4 ms, and some can always be rendered between
  // two pictures that take long to decode.
  const drawings = new Semaphore(16, 1000);
  const kept = new Map<string, Promise<Buffer>>();

  async function run(kind: PictureJob["kind"], bytes: Uint8Array): Promise<Answer> {
    return isPictureLike(bytes) ? decoding.run(() => worker.run({ kind, bytes })) : { refused: "unsupported" };
  }

  async function render(svg: string): Promise<Buffer> {
    const answer = await drawings.run(() => worker.run({ kind: "drawing", svg }));
    if ("drawn" in answer) return Buffer.from(answer.drawn);
    throw new Error(`A drawing could not be rendered: ${toRefused(answer).reason}`);
  }

  return {
    async icon(bytes) {
      const answer = await run("icon", bytes);
      if (!("icon" in answer)) return toRefused(answer);
      const { webp, pixels } = answer.icon;
      return { ok: true, value: { webp, color: averageColor(pixels) } };
    },
    async picture(bytes) {
      const answer = await run("picture", bytes);
      return "picture" in answer ? { ok: true, value: answer.picture } : toRefused(answer);
    },
    async card(card) {
      if (!isPictureLike(card.icon)) return { ok: false, reason: "unsupported" };
      const answer = await cards.run(() => decoding.run(() => worker.run({ kind: "card", ...card })));
      return "drawn" in answer ? { ok: true, value: answer.drawn } : toRefused(answer);
    },
    drawing(svg) {
      const key = createHash("sha256").update(svg).digest("base64");
      const made = kept.get(key) ?? render(svg);
      // Moved to the end, so that the one that was not asked for the longest goes first.
      kept.delete(key);
      kept.set(key, made);
      if (kept.size > maxKept) kept.delete(kept.keys().next().value!);
      made.catch(() => kept.delete(key));
      return made;
    },
    close: () => worker.close(),
  };
}

function toRefused(answer: Answer): { ok: false; reason: Refusal } {
  return { ok: false, reason: "refused" in answer ? answer.refused : "broken" };
}
