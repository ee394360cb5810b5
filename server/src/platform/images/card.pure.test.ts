// Cards: texts that do not fit, and texts that try to break the SVG.
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { cardIcon, cardSize, drawCard, wrapText } from "./card.js";
import { drawDefaultPicture } from "./default-picture.js";
import { openImageTools } from "./tools.js";

describe("the text of a card", () => {
  test("is wrapped between words, and cut with an ellipsis", () => {
    const lines = wrapText("one two three four five six seven eight nine ten", 300, 30, 2);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/…$/);
    expect(wrapText("short", 300, 30, 2)).toEqual(["short"]);
    expect(wrapText("  ", 300, 30, 2)).toEqual([]);
  });

  test("is wrapped inside words that are longer than a line", () => {
    const lines = wrapText("x".repeat(500), 300, 30, 3);
    expect(lines).toHaveLength(3);
    expect(lines[0]!.length).toBeLessThan(30);
  });

  test("cannot inject SVG", () => {
    const svg = drawCard({
      name: `</text><script>"&`,
      summary: "\u0000\u001f\ud800",
      line: "",
      tags: [],
      color: `"/>`,
      site: "",
    });
    expect(svg).not.toContain("<script");
    expect(svg).toContain("&lt;script&gt;");
    expect(svg).not.toContain('fill=""/>');
  });
});

test("a card is a PNG of the expected size for any text", async () => {
  const tools = openImageTools();
  try {
    for (const name of ["Better Grass", "مشروع الضوء", "光る草 😀", "<&\u0001>", ""]) {
      const svg = drawCard({
        name,
        summary: "Says what it does",
        line: "Mod",
        tags: ["quilt"],
        color: "#336699",
        site: "x",
      });
      const icon = await tools.drawing(drawDefaultPicture("abc", "project"));
      const made = await tools.card({ svg, icon, ...cardIcon });
      if (!made.ok) throw new Error(made.reason);
      const { format, width, height } = await sharp(Buffer.from(made.value)).metadata();
      expect({ format, width, height }).toEqual({ format: "png", ...cardSize });
    }
    // SVG is still refused as an upload.
    expect(await tools.icon(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"))).toMatchObject({ ok: false });
    const notAPicture = { svg: "<svg/>", icon: Buffer.from("nothing"), ...cardIcon };
    expect(await tools.card(notAPicture)).toEqual({ ok: false, reason: "unsupported" });
  } finally {
    await tools.close();
  }
});
