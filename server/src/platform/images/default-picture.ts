// The default picture of an owner without an uploaded one, made only from the id, so that every node draws the same.
import { createHash } from "node:crypto";
import { collectionMark, type Draw, type Mark, organizationMark, projectMark, userMark } from "./marks.js";
import { fromHue, toHex } from "./oklab.js";

export type PictureKind = "user" | "organization" | "project" | "collection";

const side = 128;
const markOf: Record<PictureKind, (draw: Draw) => Mark> = {
  user: userMark,
  organization: organizationMark,
  project: projectMark,
  collection: collectionMark,
};

/** An SVG of 128 × 128, transparent outside of its tile. */
export function drawDefaultPicture(id: string, kind: PictureKind): string {
  const hash = hashOf(id);
  const { tile, soft, strong } = markOf[kind](drawFrom(hash));
  const tones = tonesOf(hash);
  const layer = (color: string, shapes: readonly string[]) =>
    `<g fill="${color}" stroke="${color}" stroke-width="0">${shapes.join("")}</g>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="-1 -1 2 2" stroke-linecap="round" stroke-linejoin="round">`,
    ...[layer(tones.ground, [tile]), layer(tones.soft, soft), layer(tones.strong, strong)],
    "</svg>",
  ].join("");
}

/** The main color of the default picture (#rrggbb), for an owner without an uploaded picture. */
export function defaultColor(id: string): string {
  return tonesOf(hashOf(id)).strong;
}

function hashOf(id: string): Buffer {
  return createHash("sha256").update(id).digest();
}

function drawFrom(hash: Buffer): Draw {
  let next = 2;
  return (below) => Math.floor((hash[next++]! / 256) * below);
}

/** Only the hue differs between ids, so that all look equally bright. Every hue of these three fits into sRGB. */
function tonesOf(hash: Buffer): { ground: string; soft: string; strong: string } {
  const hue = hash.readUInt16BE(0) / 65_536;
  return {
    ground: toHex(fromHue(0.9, 0.042, hue)),
    soft: toHex(fromHue(0.77, 0.085, hue)),
    strong: toHex(fromHue(0.6, 0.1, hue)),
  };
}
