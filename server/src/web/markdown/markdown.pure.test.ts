// What becomes of markdown: everything authors use is there, nothing that acts is, and no text holds up the service.
import { afterAll, describe, expect, test } from "vitest";
import { renderMarkdown } from "./render.js";
import { openRenderingThread } from "./thread.js";

const cdnUrl = "http://cdn.modshelf.test";
const render = (text: string): Promise<string> => renderMarkdown(text, { cdnUrl });

describe("rendered markdown", () => {
  test.each([
    ["headings begin below the page's own", "# Lamps", '<h2 id="h-lamps">Lamps</h2>'],
    ["headings in every script have anchors", "## Größe 大きさ", '<h3 id="h-größe-大きさ">'],
    ["two headings of the same words have two anchors", "# A\n\n# A", '<h2 id="h-a-1">A</h2>'],
    ["tables keep their alignment", "|a|\n|-:|\n|1|", '<td align="right">1</td>'],
    ["task lists are drawn", "- [x] done\n- [ ] open", '<li class="task">☑ done</li>\n<li class="task">☐ open</li>'],
    ["code is coloured", "```json\n[1]\n```", '<span class="hljs-number">1</span>'],
    ["unknown languages stay plain", "```klingon\n<b>\n```", "&lt;b&gt;"],
    ["struck text", "~~no~~", "<s>no</s>"],
    [
      "folded text with markdown inside",
      "<details><summary>More</summary>\n\n**x**\n\n</details>",
      "<strong>x</strong>",
    ],
    ["links say what they are", "[a](https://example.org)", 'rel="ugc nofollow noopener"'],
    ["links to headings find them", "[x](#Lamps-at%20dusk)", 'href="#h-lamps-at-dusk"'],
    ["links on this site stay", "[x](/project/lamps)", 'href="/project/lamps"'],
    ["videos are links that can be drawn as cards", "https://youtu.be/abc", 'class="video"'],
    ["own pictures are shown", `![x](${cdnUrl}/cdn/data/project/a/b.webp)`, '<img src="http://cdn.modshelf.test/cdn/'],
    ["others' pictures are links", "![x](https://other.example/a.png)", 'class="remote-image">x (other.example)</a>'],
    ["file names are not addresses", "see main.rs and example.com", "<p>see main.rs and example.com</p>"],
    ["text that runs from right to left stays as it is", "مرحبا", "<p>مرحبا</p>"],
  ])("%s", async (_what, text, expected) => {
    expect(await render(text)).toContain(expected);
  });

  test.each([
    ["script", "<script>alert(1)</script>"],
    ["an event handler", "<img src=x onerror=alert(1)>"],
    ["a style", '<p style="position:fixed">x</p>'],
    ["a frame", "<iframe src=https://example.org></iframe>"],
    ["a form", "<form action=/auth/sign-out method=post><button>x</button></form>"],
    ["an id of the page's own", '<div id="main">x</div>'],
    ["a field", "<input name=password>"],
    ["an address that is script", "[x](javascript:alert(1))"],
    ["the same in capital letters and entities", '<a href="JaVaScRiPt&colon;alert(1)">x</a>'],
    ["data as an address", "[x](data:text/html,<script>alert(1)</script>)"],
    ["a picture of our own host that is no picture", `![x](${cdnUrl}/api/user)`],
    ["a picture whose scheme is script", "![x](javascript://cdn.modshelf.test/cdn/data/a/b/c)"],
    ["an SVG", "<svg onload=alert(1)><a href=x>y</a></svg>"],
  ])("%s is not in it", async (_what, text) => {
    const html = await render(text);
    expect(html).not.toMatch(
      /<(?:script|iframe|form|input|button|svg|img)|\son\w+=|style=|id=|(?:href|src)="(?!https?:)/i,
    );
  });
});

describe("the rendering thread", () => {
  const thread = openRenderingThread({ maxWaiting: 3 });
  // The wall clock says nothing on a busy machine: only a text that never ends fails here.
  const patient = openRenderingThread({ jobMs: 120_000 });
  afterAll(() => Promise.all([thread.close(), patient.close()]));

  test("is replaced when a text takes too long, and goes on with the next", async () => {
    // Many times what a short text takes in a thread that has just begun, and a small part of what the table takes.
    const impatient = openRenderingThread({ jobMs: 300 });
    const table = `|a|\n|-|\n${"|x|\n".repeat(400_000)}`;
    expect(await impatient.render({ text: table, cdnUrl })).toBeUndefined();
    const next = () => impatient.render({ text: "**b**", cdnUrl });
    await expect.poll(next).toBe("<p><strong>b</strong></p>\n");
    await impatient.close();
  });

  test("survives a text that makes it fail", async () => {
    expect(await thread.render({ text: "![x](https://a.b/c)", cdnUrl: "no address" })).toBeUndefined();
    expect(await thread.render({ text: "**b**", cdnUrl })).toBe("<p><strong>b</strong></p>\n");
  });

  test("turns away what would wait too long", async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, (_, at) => thread.render({ text: `${at}`, cdnUrl })));
    expect(answers.map((answer) => answer !== undefined)).toEqual([true, true, true, false, false]);
  });

  test.each([
    "[",
    "![",
    "*a_ ",
    "<",
    "&",
    "> ",
    "- ",
    "`a ",
    "http://a.b ",
    "|a|\n|-|\n",
    "<b>",
    "```js\n/*\n```\n",
    "[a](",
  ])("renders 64 KiB of %j", async (piece) => {
    const html = await patient.render({ text: piece.repeat(Math.ceil(65_256 / piece.length)), cdnUrl });
    expect(html).toBeTruthy();
  });
});

test("what cannot be rendered is shown as it was typed", async () => {
  const { toPlainHtml } = await import("./plain.js");
  expect(toPlainHtml(`<b onclick='x'>&"`)).toBe("<pre>&lt;b onclick=&#39;x&#39;&gt;&amp;&quot;</pre>");
});
