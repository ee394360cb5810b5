// Uploaded pictures, valid and hostile, through the real decoding process.
import { performance } from "node:perf_hooks";
import { crc32, deflateSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { openImageTools } from "./tools.js";

const images = openImageTools();
afterAll(() => images.close());

function plain(width: number, height: number, background = "#3366cc"): Sharp {
  return sharp({ create: { width, height, channels: 3, background } });
}

async function iconOf(bytes: Uint8Array) {
  const result = await images.icon(bytes);
  if (!result.ok) throw new Error(`refused: ${result.reason}`);
  return result.value;
}

async function pictureOf(bytes: Uint8Array) {
  const result = await images.picture(bytes);
  if (!result.ok) throw new Error(`refused: ${result.reason}`);
  return result.value;
}

async function colorAt(webp: Buffer, left: number, top: number): Promise<[red: number, green: number, blue: number]> {
  const [red, green, blue] = await sharp(webp).extract({ left, top, width: 1, height: 1 }).raw().toBuffer();
  return [red!, green!, blue!];
}

function isNear(color: string, expected: string, tolerance = 6): boolean {
  const bytes = Buffer.from(expected.slice(1), "hex");
  return Buffer.from(color.slice(1), "hex").every((byte, index) => Math.abs(byte - bytes[index]!) <= tolerance);
}

describe("accepted pictures", () => {
  test.each(["png", "jpeg", "gif", "webp"] as const)("a %s becomes WebP of the fixed sizes", async (type) => {
    const bytes = await plain(2400, 1200).toFormat(type).toBuffer();
    const icon = await iconOf(bytes);
    expect(await sharp(icon.webp).metadata()).toMatchObject({ format: "webp", width: 128, height: 128 });
    expect(isNear(icon.color, "#3366cc")).toBe(true);
    const { webp, thumbnail, ...size } = await pictureOf(bytes);
    expect(size).toEqual({ width: 1920, height: 960 });
    expect(await sharp(webp).metadata()).toMatchObject({ format: "webp", ...size });
    expect(thumbnail).toMatchObject({ width: 420, height: 210 });
    expect(await sharp(thumbnail.webp).metadata()).toMatchObject({ format: "webp", width: 420, height: 210 });
  });

  test("a small picture is never enlarged", async () => {
    const picture = await pictureOf(await plain(60, 30).png().toBuffer());
    expect(picture).toMatchObject({ width: 60, height: 30, thumbnail: { width: 60, height: 30 } });
  });

  test("small pixel art becomes an icon without blur", async () => {
    const right = { input: await plain(1, 2, "#0000ff").png().toBuffer(), left: 1, top: 0 };
    const { webp } = await iconOf(await plain(2, 2, "#ff0000").composite([right]).png().toBuffer());
    const [red, , blue] = await colorAt(webp, 58, 64);
    expect(red).toBeGreaterThan(230);
    expect(blue).toBeLessThan(25);
  });

  test("16 bits, greys and CMYK keep their colour, transparency stays", async () => {
    const deep = await plain(64, 64).toColourspace("rgb16").png().toBuffer();
    const grey = await plain(64, 64, "#777777").toColourspace("b-w").png().toBuffer();
    const print = await plain(64, 64, "#20a040").toColourspace("cmyk").jpeg({ quality: 100 }).toBuffer();
    expect((await sharp(print).metadata()).space).toBe("cmyk");
    expect(isNear((await iconOf(deep)).color, "#3366cc")).toBe(true);
    expect(isNear((await iconOf(grey)).color, "#777777")).toBe(true);
    // Print cannot reproduce every colour of a screen.
    expect(isNear((await iconOf(print)).color, "#20a040", 30)).toBe(true);
    const clear = { width: 9, height: 9, channels: 4, background: { r: 0, g: 200, b: 0, alpha: 0 } } as const;
    const { webp } = await pictureOf(await sharp({ create: clear }).png().toBuffer());
    expect((await sharp(webp).stats()).isOpaque).toBe(false);
  });

  test("location, comments and profiles of a photo are removed from the stored pictures", async () => {
    const bytes = await plain(500, 300)
      .withExif({
        IFD0: { ImageDescription: "TELLTALE" },
        IFD3: { GPSLatitudeRef: "N", GPSLatitude: "52/1 31/1 0/1" },
      })
      .withXmp("<x:xmpmeta xmlns:x='adobe:ns:meta/'>TELLTALE</x:xmpmeta>")
      .withIccProfile("p3")
      .jpeg()
      .toBuffer();
    expect((await sharp(bytes).metadata()).exif).toBeDefined();
    const [icon, picture] = [await iconOf(bytes), await pictureOf(bytes)];
    for (const webp of [icon.webp, picture.webp, picture.thumbnail.webp]) {
      const { exif, xmp, icc, iptc } = await sharp(webp).metadata();
      expect([exif, xmp, icc, iptc]).toEqual([undefined, undefined, undefined, undefined]);
      expect(webp.includes("TELLTALE")).toBe(false);
    }
  });

  test("a picture with an invalid colour profile is accepted without it", async () => {
    const bytes = await plain(64, 64).withIccProfile("p3").jpeg().toBuffer();
    const profile = bytes.indexOf("ICC_PROFILE");
    bytes.fill(0xff, profile + 14, profile + 200);
    expect(isNear((await iconOf(bytes)).color, "#3366cc", 20)).toBe(true);
  });

  test("a photo taken sideways is stored upright", async () => {
    const right = { input: await plain(20, 20, "#0000ff").png().toBuffer(), left: 20, top: 0 };
    const turned = plain(40, 20, "#ff0000").composite([right]).withMetadata({ orientation: 6 });
    const { webp, ...rest } = await pictureOf(await turned.jpeg().toBuffer());
    expect(rest).toMatchObject({ width: 20, height: 40, thumbnail: { width: 20, height: 40 } });
    const [top, bottom] = [await colorAt(webp, 10, 4), await colorAt(webp, 10, 36)];
    expect(top[0]).toBeGreaterThan(200);
    expect(bottom[2]).toBeGreaterThan(200);
  });

  test("data after the end of a picture is not stored", async () => {
    const hidden = "<script>alert(1)</script>";
    const { webp } = await pictureOf(Buffer.concat([await plain(30, 30).png().toBuffer(), Buffer.from(hidden)]));
    expect(webp.includes(hidden)).toBe(false);
  });
});

describe("refused uploads", () => {
  const svg = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><script>alert(1)</script></svg>";
  const unsupported: Record<string, () => Promise<Uint8Array> | Uint8Array> = {
    "no byte at all": () => new Uint8Array(),
    "a single byte": () => Uint8Array.of(0x89),
    SVG: () => Buffer.from(svg),
    "SVG after an XML declaration": () => Buffer.from(`<?xml version="1.0"?>${svg}`),
    "HTML that is called a picture": () => Buffer.from("<!doctype html><title>icon.png</title>"),
    PDF: () => Buffer.from("%PDF-1.7\n"),
    TIFF: () => plain(8, 8).tiff().toBuffer(),
    AVIF: () => plain(8, 8).avif().toBuffer(),
    BMP: () => Buffer.from("BM".padEnd(100, "\0")),
    "RIFF that is not WebP": () => Buffer.from("RIFF\0\0\0\0WAVEfmt "),
  };

  test.each(Object.entries(unsupported))("%s is not supported", async (_, bytesOf) => {
    expect(await images.icon(await bytesOf())).toEqual({ ok: false, reason: "unsupported" });
    expect(await images.picture(await bytesOf())).toEqual({ ok: false, reason: "unsupported" });
  });

  const jpegStart = Buffer.from([0xff, 0xd8, 0xff, 0xe0]);
  const broken: Record<string, () => Promise<Uint8Array> | Uint8Array> = {
    "a truncated PNG": async () => half(await noisy().png().toBuffer()),
    "a truncated JPEG": async () => half(await noisy().jpeg().toBuffer()),
    "a truncated WebP": async () => half(await noisy().webp().toBuffer()),
    "a PNG signature alone": async () => (await noisy().png().toBuffer()).subarray(0, 8),
    "SVG behind the first bytes of a JPEG": () => Buffer.concat([jpegStart, Buffer.from(svg)]),
    "a GIF without a frame": () => Buffer.from("GIF89a\x10\0\x10\0\0\0\0;", "latin1"),
  };

  test.each(Object.entries(broken))("%s is broken", async (_, bytesOf) => {
    expect(await images.icon(await bytesOf())).toEqual({ ok: false, reason: "broken" });
    expect(await images.picture(await bytesOf())).toEqual({ ok: false, reason: "broken" });
  });

  function noisy(): Sharp {
    const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
    return sharp({ create: { width: 200, height: 200, channels: 3, background: "#000000", noise } });
  }

  function half(bytes: Buffer): Buffer {
    return bytes.subarray(0, bytes.length / 2);
  }
});

describe("pictures that decode to far more than their file size", () => {
  test("900 million pixels in a small PNG are refused before any is decoded", async () => {
    const bomb = toBlankPng(30_000, 30_000);
    expect(bomb.length).toBeLessThan(200_000);
    const honest = await plain(5000, 4900).png().toBuffer();
    const decoding = await timeOf(() => images.icon(honest));
    const refusing = await timeOf(async () => {
      expect(await images.icon(bomb)).toEqual({ ok: false, reason: "tooManyPixels" });
    });
    expect(refusing).toBeLessThan(decoding);
    expect(await images.picture(bomb)).toEqual({ ok: false, reason: "tooManyPixels" });
  });

  test("25 million pixels are accepted, one row more is not", async () => {
    expect(await images.picture(toBlankPng(5000, 5000))).toMatchObject({ ok: true, value: { width: 1920 } });
    expect(await images.picture(toBlankPng(5000, 5001))).toEqual({ ok: false, reason: "tooManyPixels" });
  });

  test("an animation of up to 60 frames stays animated, its thumbnail and icon do not", async () => {
    const bytes = await toAnimatedWebp(60, 32);
    const picture = await pictureOf(bytes);
    expect(picture).toMatchObject({ width: 32, height: 32 });
    expect((await sharp(picture.webp).metadata()).pages).toBe(60);
    expect((await sharp(picture.thumbnail.webp).metadata()).pages ?? 1).toBe(1);
    expect((await sharp((await iconOf(bytes)).webp).metadata()).pages ?? 1).toBe(1);
    expect((await sharp((await pictureOf(toGif(3, 40))).webp).metadata()).pages).toBe(3);
  });

  test.each([
    ["a WebP of 61 frames", () => toAnimatedWebp(61, 32)],
    ["a GIF of 10,000 frames", () => toGif(10_000, 1000)],
    ["a GIF of few frames with too many pixels together", () => toGif(30, 1000)],
  ])("%s keeps only its first frame", async (_, bytesOf) => {
    const bytes = await bytesOf();
    expect((await sharp((await pictureOf(bytes)).webp).metadata()).pages ?? 1).toBe(1);
    expect((await sharp((await iconOf(bytes)).webp).metadata()).width).toBe(128);
  });

  test("a picture that takes too much memory is refused, and the next one is accepted", async () => {
    const wide = await plain(1_000_000, 20).png().toBuffer();
    expect(await images.picture(wide)).toEqual({ ok: false, reason: "tooExpensive" });
    expect(await images.picture(await plain(10, 10).png().toBuffer())).toMatchObject({ ok: true });
  });
});

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function toBlankPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1; // one bit of grey a pixel
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height));
  const chunks = [
    ["IHDR", header],
    ["IDAT", rows],
    ["IEND", Buffer.alloc(0)],
  ] as const;
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([signature, ...chunks.map(([type, data]) => toChunk(Buffer.from(type), data))]);
}

function toChunk(type: Buffer, data: Buffer): Buffer {
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(Buffer.concat([type, data])));
  return Buffer.concat([length, type, data, check]);
}

/** Frames of one pixel each on a large canvas: 24 bytes cost `side` × `side` pixels. */
function toGif(frames: number, side: number): Buffer {
  const screen = Buffer.from([side & 255, side >> 8, side & 255, side >> 8, 0x80, 0, 0, 255, 0, 0, 0, 0, 255]);
  const delay = [0x21, 0xf9, 4, 0, 10, 0, 0, 0];
  const place = (x: number) => [0x2c, x, 0, 0, 0, 1, 0, 1, 0, 0];
  const pixel = [2, 2, 0x44, 1, 0];
  const frame = (index: number) => Buffer.from([...delay, ...place(index % 32), ...pixel]);
  const all = Array.from({ length: frames }, (_, index) => frame(index));
  return Buffer.concat([Buffer.from("GIF89a"), screen, ...all, Buffer.from(";")]);
}

function toAnimatedWebp(frames: number, side: number): Promise<Buffer> {
  const pixels = Buffer.alloc(frames * side * side * 3);
  for (let frame = 0; frame < frames; frame++) pixels.fill((frame * 97) % 256, frame * side * side * 3);
  const raw = { width: side, height: side * frames, channels: 3, pageHeight: side } as const;
  return sharp(pixels, { raw }).webp().toBuffer();
}
