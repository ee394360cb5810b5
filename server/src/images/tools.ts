// Turns uploaded pictures into the WebP files that are stored and shown; no uploaded byte is kept as it came.
import { averageColor } from "./oklab.js";
import { isPictureLike } from "./sniff.js";
import type { Answer, Job, Picture, Refusal } from "./worker.js";
import { openWorkerClient, type WorkerClientOptions } from "./worker-client.js";

export type ImageResult<T> = { ok: true; value: T } | { ok: false; reason: Refusal };

export interface ImageTools {
  /** 128 × 128 WebP, cut to fill the square, and the colour (#rrggbb) that stands for it. */
  icon(bytes: Uint8Array): Promise<ImageResult<{ webp: Buffer; color: string }>>;
  /** WebP within 1920 × 1920, never enlarged, and a still thumbnail at most 420 pixels wide. */
  picture(bytes: Uint8Array): Promise<ImageResult<Picture>>;
  close(): Promise<void>;
}

export function openImageTools(options: WorkerClientOptions = {}): ImageTools {
  const worker = openWorkerClient(options);

  async function run(kind: Job["kind"], bytes: Uint8Array): Promise<Answer> {
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
    close: () => worker.close(),
  };
}

function toRefused(answer: Answer): { ok: false; reason: Refusal } {
  return { ok: false, reason: "refused" in answer ? answer.refused : "broken" };
}
