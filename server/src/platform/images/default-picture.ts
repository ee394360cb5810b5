// The picture of whoever has uploaded none: a calm mark made from the id alone, so that every node draws the same one.
import { createHash } from "node:crypto";
import { collectionMark, type Draw, type Mark, organizationMark, projectMark, userMark } from "./marks.js";
import { fromHue, mix, type Oklab, toHex, toRgb } from "./oklab.js";
import { encodePng, type PaletteColor } from "./png.js";
import { toCoverage } from "./shapes.js";

export type PictureKind = "user" | "organization" | "project" | "collection";

const side = 128;
/** Steps from one colour to the next along an edge, so that edges look smooth. */
const steps = 7;
const markOf: Record<PictureKind, (draw: Draw) => Mark> = {
  user: userMark,
  organization: organizationMark,
  project: projectMark,
  collection: collectionMark,
};

/** PNG of 128 × 128, transparent outside of its tile. */
export function defaultPicture(id: string, kind: PictureKind): Buffer {
  const hash = hashOf(id);
  const mark = markOf[kind](drawFrom(hash));
  const tile = toCoverage([mark.tile], side, steps);
  const soft = toCoverage(mark.soft, side, steps);
  const strong = toCoverage(mark.strong, side, steps);
  const pixels = tile.map((covered, at) => (covered < steps ? covered : toIndex(soft[at]!, strong[at]!)));
  return encodePng(side, pixels, paletteOf(hueOf(hash)));
}

/** The colour of the mark (#rrggbb), for whoever has no picture to take one from. */
export function defaultColor(id: string): string {
  return toHex(tonesOf(hueOf(hashOf(id))).strong);
}

function hashOf(id: string): Buffer {
  return createHash("sha256").update(id).digest();
}

function hueOf(hash: Buffer): number {
  return hash.readUInt16BE(0) / 65_536;
}

function drawFrom(hash: Buffer): Draw {
  let next = 2;
  return (below) => Math.floor((hash[next++]! / 256) * below);
}

/** Only the hue differs between ids, so that all look equally bright. Every hue of these three fits into sRGB. */
function tonesOf(hue: number): { ground: Oklab; soft: Oklab; strong: Oklab } {
  return { ground: fromHue(0.9, 0.042, hue), soft: fromHue(0.77, 0.085, hue), strong: fromHue(0.6, 0.1, hue) };
}

/** The ground from transparent to nearly opaque, then every mixture of the soft and the strong tone on it. */
function paletteOf(hue: number): PaletteColor[] {
  const { ground, soft, strong } = tonesOf(hue);
  const palette: PaletteColor[] = [];
  for (let tile = 0; tile < steps; tile++) {
    palette.push({ rgb: toRgb(ground), alpha: Math.round((tile / steps) * 255) });
  }
  for (let index = steps; index < toIndex(steps, steps) + 1; index++) {
    const softShare = Math.floor((index - steps) / (steps + 1)) / steps;
    const strongShare = ((index - steps) % (steps + 1)) / steps;
    palette.push({ rgb: toRgb(mix(mix(ground, soft, softShare), strong, strongShare)), alpha: 255 });
  }
  return palette;
}

function toIndex(soft: number, strong: number): number {
  return steps + soft * (steps + 1) + strong;
}
