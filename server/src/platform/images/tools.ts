// Turns uploaded pictures into the WebP files that are stored and shown; uploaded bytes are never stored unchanged.
import { createHash } from "node:crypto";
import { Queue } from "#lib/queue.js";
import { averageColor } from "./oklab.js";
import { isPictureLike, isVectorLike } from "./sniff.js";
import { maxVectorBytes } from "./vector.js";
import type { Answer, CardJob, Picture, PictureJob, Refusal } from "./worker.js";
import { openWorkerClient, type WorkerClientOptions } from "./worker-client.js";

export type ImageResult<T> = { ok: true; value: T } | { ok: false; reason: Refusal };

export interface RemotePicture {
  format: "webp" | "svg";
  bytes: Buffer;
}

/** All of them reject with Busy if too many are waiting. */
export interface ImageTools {
  /** A 128 × 128 WebP, cropped to the square, and its main colour (#rrggbb). */
  icon(bytes: Uint8Array): Promise<ImageResult<{ webp: Buffer; color: string }>>;
  /** A WebP within 1920 × 1920, never enlarged, and a still thumbnail at most 420 pixels wide. */
  picture(bytes: Uint8Array): Promise<ImageResult<Picture>>;
  /** A picture of another site becomes a WebP within 1920 × 1920; of an SVG, what draws is kept. */
  remote(bytes: Uint8Array): Promise<ImageResult<RemotePicture>>;
  /** A PNG of our own SVG with a picture on it. The SVG is trusted, the picture is not. */
  card(card: Omit<CardJob, "kind">): Promise<ImageResult<Buffer>>;
  /** A PNG of our own SVG, which is trusted. The most recent ones are cached. */
  drawing(svg: string): Promise<Buffer>;
  close(): Promise<void>;
}

/** Cached drawings, of 2 to 5 KB each. */
const maxKept = 2000;

export function openImageTools(options: WorkerClientOptions = {}): ImageTools {
  const worker = openWorkerClient(options);
  // Uploads and cards decode untrusted data, one at a time.
  const decoding = new Queue(1, 32);
  // Everyone can request cards. They have their own queue, from which one at a time enters the queue of uploads: an
  // upload waits for one card at most, and no number of cards makes an upload fail.
  const cards = new Queue(1, 8);
  // Every visitor can cause that pictures of other sites are decoded, so the same holds for them.
  const remotes = new Queue(1, 32);
  // Everyone can request drawings too, and a page shows dozens. Each takes about 4 ms, and some can always be rendered
  // between two pictures that take long to decode.
  const drawings = new Queue(16, 1000);
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
    async remote(bytes) {
      const answer = await remotes.run(() =>
        isVectorLike(bytes) && bytes.length <= maxVectorBytes
          ? decoding.run(() => worker.run({ kind: "vector", bytes }))
          : run("single", bytes),
      );
      if ("vector" in answer) return { ok: true, value: { format: "svg", bytes: answer.vector } };
      return "single" in answer
        ? { ok: true, value: { format: "webp", bytes: answer.single.webp } }
        : toRefused(answer);
    },
    async card(card) {
      if (!isPictureLike(card.icon)) return { ok: false, reason: "unsupported" };
      const answer = await cards.run(() => decoding.run(() => worker.run({ kind: "card", ...card })));
      return "drawn" in answer ? { ok: true, value: answer.drawn } : toRefused(answer);
    },
    drawing(svg) {
      const key = createHash("sha256").update(svg).digest("base64");
      const made = kept.get(key) ?? render(svg);
      // Moved to the end, so that the least recently used one is evicted first.
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
