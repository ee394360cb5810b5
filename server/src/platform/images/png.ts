// Writes small PNG pictures with a palette. Synchronous, so only for pictures of a few kilobytes.
import { crc32, deflateSync } from "node:zlib";

export interface PaletteColor {
  rgb: readonly [red: number, green: number, blue: number];
  /** 0 is transparent, 255 opaque. */
  alpha: number;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const bitDepth = 8;
const indexedColor = 3;

/** `pixels` holds one palette index a pixel, row by row. */
export function encodePng(width: number, pixels: Uint8Array, palette: readonly PaletteColor[]): Buffer {
  const height = pixels.length / width;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = bitDepth;
  header[9] = indexedColor;
  // Each row begins with its filter; 0 is "none", the best for palettes.
  const rows = Buffer.alloc((width + 1) * height);
  for (let row = 0; row < height; row++) {
    rows.set(pixels.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  }
  return Buffer.concat([
    signature,
    toChunk("IHDR", header),
    toChunk("PLTE", Buffer.from(palette.flatMap((color) => color.rgb))),
    toChunk("tRNS", Buffer.from(palette.map((color) => color.alpha))),
    toChunk("IDAT", deflateSync(rows, { level: 9 })),
    toChunk("IEND", Buffer.alloc(0)),
  ]);
}

function toChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(data.length + 12);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, "latin1");
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, data.length + 8)), data.length + 8);
  return chunk;
}
