// Default pictures: the same everywhere for the same id, different for different ones, and valid PNG throughout.
import { createHash } from "node:crypto";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { defaultColor, defaultPicture, type PictureKind } from "./default-picture.js";
import { toOklab } from "./oklab.js";

const kinds: PictureKind[] = ["user", "organization", "project", "collection"];
const ids = Array.from({ length: 300 }, (_, index) => `A${index.toString(36).padStart(7, "0")}`);

async function pixelsOf(id: string, kind: PictureKind): Promise<Buffer> {
  return sharp(defaultPicture(id, kind)).ensureAlpha().raw().toBuffer();
}

describe("default pictures", () => {
  test.each(kinds)("that of a %s is a small 128 × 128 PNG with a palette", async (kind) => {
    const png = defaultPicture("Zz3kQ0aB", kind);
    expect(await sharp(png, { failOn: "warning" }).metadata()).toMatchObject({
      format: "png",
      width: 128,
      height: 128,
      isPalette: true,
      hasAlpha: true,
    });
    expect(png.length).toBeLessThan(4096);
    await expect(pixelsOf("Zz3kQ0aB", kind)).resolves.toHaveLength(128 * 128 * 4);
  });

  test("the same id gives the same picture on every node and after every update", async () => {
    const digest = createHash("sha256");
    for (const kind of kinds) digest.update(await pixelsOf("Zz3kQ0aB", kind));
    expect(digest.digest("hex")).toMatchInlineSnapshot(
      `"e243e154b63d55075f39636e8b7af78a10b3f69a3ad60a4ce30c932b936172f6"`,
    );
    expect(defaultColor("Zz3kQ0aB")).toMatchInlineSnapshot(`"#b06d48"`);
  });

  test("kinds differ for one id, and ids differ within a kind", () => {
    expect(new Set(kinds.map((kind) => defaultPicture("Zz3kQ0aB", kind).toString("base64"))).size).toBe(4);
    for (const kind of kinds) {
      const pictures = new Set(ids.slice(0, 50).map((id) => defaultPicture(id, kind).toString("base64")));
      expect(pictures.size).toBe(50);
    }
  });

  test.each(["", "x".repeat(100_000), "../../etc/passwd\0", "名前 🎮"])("any text may be an id (%#)", async (id) => {
    for (const kind of kinds) expect(await pixelsOf(id, kind)).toHaveLength(128 * 128 * 4);
    expect(defaultColor(id)).toMatch(/^#[0-9a-f]{6}$/);
  });

  test("the corners are clear, the middle of each edge is not, and a user's mark is symmetric", async () => {
    for (const id of ids.slice(0, 10)) {
      for (const kind of kinds) {
        const pixels = await pixelsOf(id, kind);
        const alphaAt = (x: number, y: number) => pixels[(y * 128 + x) * 4 + 3];
        expect([alphaAt(0, 0), alphaAt(127, 0), alphaAt(0, 127), alphaAt(127, 127)]).toEqual([0, 0, 0, 0]);
        expect([alphaAt(64, 2), alphaAt(2, 64), alphaAt(125, 64), alphaAt(64, 125)]).toEqual([255, 255, 255, 255]);
        if (kind !== "user") continue;
        const flopped = await sharp(defaultPicture(id, kind)).ensureAlpha().flop().raw().toBuffer();
        expect(flopped.equals(pixels)).toBe(true);
      }
    }
  });

  test("no mark is nearly empty or nearly full", async () => {
    for (const id of ids.slice(0, 20)) {
      for (const kind of kinds) {
        const pixels = await pixelsOf(id, kind);
        const strong = defaultColor(id);
        const ground = pixels.subarray((3 * 128 + 64) * 4, (3 * 128 + 64) * 4 + 3);
        let marked = 0;
        let strongest = 0;
        for (let at = 0; at < pixels.length; at += 4) {
          if (pixels[at + 3] === 255 && !pixels.subarray(at, at + 3).equals(ground)) marked++;
          if (`#${pixels.toString("hex", at, at + 3)}` === strong) strongest++;
        }
        expect(marked / (128 * 128)).toBeGreaterThan(0.1);
        expect(marked / (128 * 128)).toBeLessThan(0.5);
        expect(strongest).toBeGreaterThan(300);
      }
    }
  });
});

describe("default colours", () => {
  test("all are equally light and equally vivid, and use the whole circle of hues", () => {
    const hues = new Set<number>();
    for (const id of ids) {
      const [red, green, blue] = Buffer.from(defaultColor(id).slice(1), "hex");
      const { lightness, a, b } = toOklab(red!, green!, blue!);
      expect(Math.abs(lightness - 0.6)).toBeLessThan(0.005);
      expect(Math.abs(Math.hypot(a, b) - 0.1)).toBeLessThan(0.005);
      hues.add(Math.floor((Math.atan2(b, a) / (2 * Math.PI) + 0.5) * 12));
    }
    expect(hues.size).toBe(12);
  });
});
