// Turns uploaded pictures into the WebP files that are stored and shown; no uploaded byte is kept as it came.
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
  close(): Promise<void>;
}

const mostUploads = 32;
const mostWaitingCards = 8;

export function openImageTools(options: WorkerClientOptions = {}): ImageTools {
  // Anyone can ask for cards. They wait in a queue of their own, from which one at a time gets a place beside the uploads:
  // an upload waits for one card at most, and no number of cards makes an upload fail.
  const worker = openWorkerClient({ maxUnanswered: mostUploads + 1, ...options });
  const cards = new Semaphore(1, mostWaitingCards);

  async function run(kind: PictureJob["kind"], bytes: Uint8Array): Promise<Answer> {
    return isPictureLike(bytes) ? worker.run({ kind, bytes }) : { refused: "unsupported" };
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
      const answer = await cards.run(() => worker.run({ kind: "card", ...card }));
      return "card" in answer ? { ok: true, value: answer.card } : toRefused(answer);
    },
    close: () => worker.close(),
  };
}

function toRefused(answer: Answer): { ok: false; reason: Refusal } {
  return { ok: false, reason: "refused" in answer ? answer.refused : "broken" };
}
