// The child process that decodes uploaded pictures, so that a hostile picture can harm only this process.
import type { Metadata, OverlayOptions, Sharp, SharpOptions } from "sharp";
import { reportUnready, serveJobs } from "#platform/processes/worker-process.js";
import { cleanVector } from "./vector.js";

/** The SVG of a card is our own; only the picture on it was uploaded. */
export type CardJob = { kind: "card"; svg: string; icon: Uint8Array; left: number; top: number; side: number };
export type DrawingJob = { kind: "drawing"; svg: string };
/** "single" is a picture without a thumbnail; it may be animated. */
export type PictureJob = { kind: "icon" | "picture" | "single"; bytes: Uint8Array };
/** An SVG that is not our own. It is never rendered here, only cleaned. */
export type VectorJob = { kind: "vector"; bytes: Uint8Array };
export type Job = PictureJob | CardJob | DrawingJob | VectorJob;
export type Refusal = "unsupported" | "tooManyPixels" | "broken" | "tooExpensive";
/** The pixels of the icon, four bytes each, to compute its main colour. */
export type Icon = { webp: Buffer; pixels: Buffer };
export type Still = { webp: Buffer; width: number; height: number };
export type Picture = Still & { thumbnail: Still };
export type Answer =
  | { icon: Icon }
  | { picture: Picture }
  | { single: Still }
  | { drawn: Buffer }
  | { vector: Buffer }
  | { refused: Refusal };

const maxPixels = 25_000_000;
const maxFrames = 60;
// A fresh process takes about 85 MiB; 25 Mpx in the most expensive format (progressive JPEG 4:4:4) took 215 MiB more.
const spentBytes = 160 * 1024 * 1024;
const maxBytes = 384 * 1024 * 1024;
const iconSide = 128;
const pictureSide = 1920;
const thumbnailWidth = 420;
const quality = 85;
const acceptedFormats: readonly string[] = ["png", "jpeg", "gif", "webp"];

const sharp = await loadSharp();

async function loadSharp() {
  try {
    const { default: loaded } = await import("sharp");
    loaded.concurrency(1);
    loaded.cache(false);
    loaded.block({ operation: ["VipsForeignLoad"] });
    loaded.unblock({
      operation: ["Png", "Jpeg", "Nsgif", "Webp"].map((format) => `VipsForeignLoad${format}Buffer`),
    });
    return loaded;
  } catch (error) {
    reportUnready(error);
    throw error;
  }
}

/** SVG uploads are refused: SVG is allowed only while our own is rendered, one job at a time. */
const drawings = { operation: ["VipsForeignLoadSvgBuffer"] };

async function answerTo(job: Job): Promise<Answer> {
  try {
    if (job.kind === "card") return { drawn: await toCard(job) };
    if (job.kind === "drawing") return { drawn: await render(job.svg) };
    const { kind, bytes } = job;
    if (kind === "vector") {
      const vector = cleanVector(bytes);
      return vector ? { vector } : { refused: "broken" };
    }
    // This reads headers only; without a limit here, an oversized picture can be distinguished from a broken one.
    const metadata = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (!acceptedFormats.includes(metadata.format)) return { refused: "unsupported" };
    if (metadata.width * metadata.height > maxPixels) return { refused: "tooManyPixels" };
    if (kind === "icon") return { icon: await toIcon(bytes, metadata) };
    if (kind === "single") return { single: await toStill(toWhole(bytes, metadata)) };
    return { picture: await toPicture(bytes, metadata) };
  } catch {
    return { refused: "broken" };
  }
}

/** Upright and in sRGB; all other metadata is dropped. */
function decode(bytes: Uint8Array, options: SharpOptions = {}): Sharp {
  return sharp(bytes, { ...options, limitInputPixels: maxPixels }).autoOrient();
}

async function toIcon(bytes: Uint8Array, { width, height }: Metadata): Promise<Icon> {
  const side = Math.min(width, height);
  // Small pixel art grows by whole pixels instead of being blurred.
  const kernel = side < iconSide && iconSide % side === 0 ? "nearest" : "lanczos3";
  const { data, info } = await decode(bytes)
    .resize({ width: iconSide, height: iconSide, fit: "cover", kernel })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const webp = await sharp(data, { raw: info }).webp({ quality, smartSubsample: true }).toBuffer();
  return { webp, pixels: data };
}

async function toCard({ svg, icon, left, top, side }: CardJob): Promise<Buffer> {
  const picture = await decode(icon).resize({ width: side, height: side, fit: "cover" }).png().toBuffer();
  return render(svg, [{ input: picture, left, top }]);
}

async function render(svg: string, pictures: OverlayOptions[] = []): Promise<Buffer> {
  sharp.unblock(drawings);
  try {
    return await sharp(Buffer.from(svg), { limitInputPixels: maxPixels }).composite(pictures).png().toBuffer();
  } finally {
    sharp.block(drawings);
  }
}

const insidePictureSide = { width: pictureSide, height: pictureSide, fit: "inside", withoutEnlargement: true } as const;

async function toPicture(bytes: Uint8Array, metadata: Metadata): Promise<Picture> {
  const { data, info } = await decode(bytes).resize(insidePictureSide).raw().toBuffer({ resolveWithObject: true });
  const first = sharp(data, { raw: info });
  const thumbnail = first.clone().resize({ width: thumbnailWidth, withoutEnlargement: true }).webp({ quality });
  const whole = isAnimationKept(metadata) ? toAnimation(bytes) : first.webp({ quality });
  return { ...(await toStill(whole)), thumbnail: await toStill(thumbnail) };
}

const toWhole = (bytes: Uint8Array, metadata: Metadata): Sharp =>
  isAnimationKept(metadata) ? toAnimation(bytes) : decode(bytes).resize(insidePictureSide).webp({ quality });

function isAnimationKept({ pages = 1, width, height, orientation = 1 }: Metadata): boolean {
  // The decoder cannot rotate or mirror a strip of frames.
  return pages > 1 && pages <= maxFrames && pages * width * height <= maxPixels && orientation === 1;
}

function toAnimation(bytes: Uint8Array): Sharp {
  // 60 frames at the pixel limit take half as long as with the default effort, for a tenth more bytes.
  return decode(bytes, { animated: true }).resize(insidePictureSide).webp({ quality, effort: 1 });
}

async function toStill(picture: Sharp): Promise<Still> {
  const { data, info } = await picture.toBuffer({ resolveWithObject: true });
  return { webp: data, width: info.width, height: info.pageHeight ?? info.height };
}

serveJobs(answerTo, { maxBytes, spentBytes, onTooMuch: { refused: "tooExpensive" } });
