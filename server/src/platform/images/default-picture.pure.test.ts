// Default pictures: the same for the same id everywhere, different for different ids, and always valid PNG.
import { createHash } from "node:crypto";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { defaultColor, drawDefaultPicture, type PictureKind } from "./default-picture.js";
import { toOklab } from "./oklab.js";
import { openImageTools } from "./tools.js";

const kinds: PictureKind[] = ["user", "organization", "project", "collection"];
const ids = Array.from({ length: 300 }, (_, index) => `A${index.toString(36).padStart(7, "0")}`);
const tools = openImageTools();
afterAll(() => tools.close());
const picture = (id: string, kind: PictureKind) => tools.drawing(drawDefaultPicture(id, kind));
const pixelsOf = async (id: string, kind: PictureKind) =>
  sharp(await picture(id, kind))
    .raw()
    .toBuffer();

describe("default pictures", () => {
  test.each(kinds)("that of a %s is a small 128 × 128 PNG", async (kind) => {
    const png = await picture("Zz3kQ0aB", kind);
    const expected = { format: "png", width: 128, height: 128, hasAlpha: true, channels: 4 };
    expect(await sharp(png, { failOn: "warning" }).metadata()).toMatchObject(expected);
    expect(png.length).toBeLessThan(6000);
    expect(await pixelsOf("Zz3kQ0aB", kind)).toHaveLength(128 * 128 * 4);
  });

  test("the same id gives the same drawing on every node and after every update", () => {
    const digest = createHash("sha256");
    for (const kind of kinds) digest.update(drawDefaultPicture("Zz3kQ0aB", kind));
    expect(digest.digest("hex")).toMatchInlineSnapshot(
      `"35063ce654d92f2f79370b3a98907912e59e1e3a12b3f8ae892b7932ea52fb8c"`,
    );
    expect(defaultColor("Zz3kQ0aB")).toMatchInlineSnapshot(`"#b06d48"`);
  });

  test("kinds differ for one id, and ids differ within a kind", () => {
    expect(new Set(kinds.map((kind) => drawDefaultPicture("Zz3kQ0aB", kind))).size).toBe(4);
    for (const kind of kinds) expect(new Set(ids.map((id) => drawDefaultPicture(id, kind))).size).toBe(300);
  });

  test.each(["", "x".repeat(100_000), "../../etc/passwd\0", '"><script>&', "名前 🎮"])(
    "any text may be an id (%#)",
    async (id) => {
      for (const kind of kinds) expect(await pixelsOf(id, kind)).toHaveLength(128 * 128 * 4);
      expect(defaultColor(id)).toMatch(/^#[0-9a-f]{6}$/);
    },
  );

  test("the corners are clear, and the middle of each edge is not", async () => {
    for (const kind of kinds) {
      const pixels = await pixelsOf(ids[0]!, kind);
      const alphaAt = (x: number, y: number) => pixels[(y * 128 + x) * 4 + 3];
      expect([alphaAt(0, 0), alphaAt(127, 0), alphaAt(0, 127), alphaAt(127, 127)]).toEqual([0, 0, 0, 0]);
      expect([alphaAt(64, 2), alphaAt(2, 64), alphaAt(125, 64), alphaAt(64, 125)]).toEqual([255, 255, 255, 255]);
    }
  });

  test("no picture is nearly empty or nearly full", async () => {
    for (const id of ids.slice(0, 10)) {
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

describe("rendering", () => {
  test("is done once for the same drawing, also for concurrent requests", async () => {
    const svg = drawDefaultPicture("once", "user");
    const made = await Promise.all(Array.from({ length: 20 }, () => tools.drawing(svg)));
    expect(new Set(made).size).toBe(1);
  });

  test("refuses too many drawings at once, lets an upload pass, and continues", async () => {
    const upload = await picture("upload", "user");
    const asked = Array.from({ length: 1018 }, (_, at) => tools.drawing(`<svg><!-- ${at}`));
    const order: string[] = [];
    const settled = Promise.allSettled(asked).then((results) => {
      order.push("drawings");
      return results.map((result) => (result.status === "rejected" ? result.reason.name : "made"));
    });
    const icon = tools.icon(upload).then((result) => {
      order.push("upload");
      return result.ok;
    });
    expect(await icon).toBe(true);
    expect((await settled).filter((name) => name === "Busy")).toHaveLength(2);
    expect(order).toEqual(["upload", "drawings"]);
    expect((await picture("afterwards", "project")).length).toBeGreaterThan(0);
  });
});

describe("default colors", () => {
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
