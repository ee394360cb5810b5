// Rendering of markdown: it supports what authors use, produces nothing active, and no text blocks the service.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { afterAll, describe, expect, test } from "vitest";
import { ownFile } from "#lib/own-files.js";
import { Busy } from "#lib/queue.js";
import { previewMarkdown, renderMarkdown } from "./render.js";
import { type Showing, showHtml } from "./show.js";
import { openRenderingThread } from "./thread.js";
import { TextTooLarge, toHtml } from "./to-html.js";

const cdnUrl = "http://cdn.modshelf.test";
const render = (text: string): Promise<string> => renderMarkdown(text, { cdnUrl });

describe("rendered markdown", () => {
  test.each([
    ["headings begin below the page's own", "# Lamps", '<h2 id="h-lamps">Lamps</h2>'],
    ["the highest heading of a text is h2", "### A\n\n#### B", '<h2 id="h-a">A</h2>\n<h3 id="h-b">B</h3>'],
    ["a level that is left out is closed up", "# A\n\n#### B\n\n## C", '<h3 id="h-b">B</h3>\n<h3 id="h-c">C</h3>'],
    ["a first heading below the highest is h2 too", "## A\n\n# B", '<h2 id="h-a">A</h2>\n<h2 id="h-b">B</h2>'],
    ["headings in every script have anchors", "## Größe 大きさ", '<h2 id="h-größe-大きさ">'],
    ["headings of HTML are aligned", "<h1 align=center>A</h1>", '<h2 align="center" id="h-a">A</h2>'],
    ["the alignment of a style is kept", '<p style="color:red;text-align: center">x</p>', '<p align="center">x</p>'],
    [
      "old tags of HTML",
      "<strike>a</strike> <tt>b</tt> <font color=red>c</font>",
      "<s>a</s> <code>b</code> <span>c</span>",
    ],
    [
      "call-outs",
      "> [!NOTE]\n> *x*",
      '<div class="callout note">\n<p class="callout-title">Note</p><p><em>x</em></p>\n</div>',
    ],
    [
      "call-outs in lower case with a blank line",
      "> [!warning]\n>\n> x",
      '<p class="callout-title">Warning</p><p>x</p>\n</div>',
    ],
    ["an unknown kind is a quote", "> [!IDEA]\n> x", "<blockquote>\n<p>[!IDEA]"],
    ["a mark inside a line is text", "> [!NOTE] x", "<blockquote>\n<p>[!NOTE] x</p>"],
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
    [
      "a link to a video that stands alone is a card with its picture",
      "https://youtu.be/dQw4w9WgXcQ?t=3",
      '<span class="video-card"><a href="https://www.youtube.com/watch?v=dQw4w9WgXcQ" rel="ugc nofollow noopener" data-video="youtube/dQw4w9WgXcQ"><img data-remote="https://i.ytimg.com/vi/dQw4w9WgXcQ/hqdefault.jpg" alt="" /><span class="video-title">youtu.be/dQw4w9WgXcQ?t=3</span></a></span>',
    ],
    [
      "a frame with a video is a card",
      '<iframe width="560" src="//www.youtube-nocookie.com/embed/dQw4w9WgXcQ" onload="x"></iframe>',
      'data-video="youtube/dQw4w9WgXcQ"',
    ],
    [
      "a picture that links to a video is a card",
      "[![x](https://a.site/b.png)](https://vimeo.com/123456)",
      'data-video="vimeo/123456"><img data-remote="https://a.site/b.png" alt="x" /></a>',
    ],
    [
      "a title of a video is kept",
      "[Trailer](https://www.bilibili.com/video/BV1xx411c7mD/)",
      '<span class="video-title">Trailer</span>',
    ],
    [
      "a link to a video in a sentence is a link",
      "See https://youtu.be/dQw4w9WgXcQ now",
      ">https://youtu.be/dQw4w9WgXcQ</a> now</p>",
    ],
    ["own pictures are shown", `![x](${cdnUrl}/cdn/data/project/a/b.webp)`, '<img src="http://cdn.modshelf.test/cdn/'],
    ["gallery pictures are shown", `![x](${cdnUrl}/cdn/data/project/a/gallery/b.webp)`, '/gallery/b.webp" alt="x"'],
    ["generated icons are shown", `![x](${cdnUrl}/cdn/data/user/a/default.png)`, '/a/default.png" alt="x"'],
    ["files of versions are links", `![x](${cdnUrl}/cdn/data/project/a/version/b/huge.png)`, '<a href="http://cdn.mod'],
    [
      "pictures of other sites are marked",
      "![x](https://o.site/a.png#b)",
      '<img data-remote="https://o.site/a.png" alt="x" />',
    ],
    [
      "with size and side",
      "<img src=http://o.site/a.png width=50% height=20px align=right>",
      'alt="" width="50%" height="20" align="right" />',
    ],
    ["but not with credentials", "![x](https://a:b@o.site/a.png)", "<p><span>x</span></p>"],
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
    ["a version's picture", `![x](${cdnUrl}/cdn/data/project/a/version/b/huge.png)`],
    ["a version's archive as a picture", `<img src="${cdnUrl}/cdn/data/project/a/version/b/lamps.jar">`],
    ["an archive in the place of an icon", `![x](${cdnUrl}/cdn/data/project/a/lamps.jar)`],
    ["a version's picture by a detour", `![x](${cdnUrl}/cdn/data/project/a/gallery/../version/b/huge.png)`],
    ["the same with encoded slashes", `![x](${cdnUrl}/cdn/data/project/a/gallery/..%2fversion%2fb%2fhuge.png)`],
    ["a file by its address in the API", `![x](${cdnUrl}/api/project/a/version/b/huge.png)`],
    ["a picture whose scheme is script", "![x](javascript://cdn.modshelf.test/cdn/data/a/b/c)"],
    ["an SVG", "<svg onload=alert(1)><a href=x>y</a></svg>"],
  ])("%s is removed", async (_what, text) => {
    const html = await render(text);
    expect(html).not.toMatch(
      /<(?:script|iframe|form|input|button|svg|img (?!data-remote="https?:))|\son\w+=|style=|id=|(?:href|src)="(?!https?:)/i,
    );
  });
});

test("only 200 pictures of other sites are shown in one text", async () => {
  const html = await render("![x](https://o.site/a.png)\n".repeat(210));
  expect(html.match(/data-remote/g)).toHaveLength(200);
  expect(html.match(/class="remote-image">x \(o\.site\)<\/a>/g)).toHaveLength(10);
});

describe("before it is shown", () => {
  const calloutTitles = { note: "Hinweis", tip: "b", important: "c", warning: "d", caution: "e" };
  const show = async (
    text: string,
    pictureUrl: Showing["pictureUrl"] = (url) => `/picture?${encodeURIComponent(url)}`,
  ) => showHtml(await renderMarkdown(text, { cdnUrl }), { pictureUrl, calloutTitles });

  test("pictures of other sites get their URL here, and link to their source", async () => {
    expect(await show("![x](https://o.site/a.png?b=1&c=2)")).toBe(
      '<p><a href="https://o.site/a.png?b=1&amp;c=2" rel="ugc nofollow noopener" class="remote-image"><img src="/picture?https%3A%2F%2Fo.site%2Fa.png%3Fb%3D1%26c%3D2" alt="x" loading="lazy" /></a></p>\n',
    );
  });

  test.each([
    ["no size", "", ' width="600" height="400"'],
    ["a width", 'width="300"', ' width="300" height="200"'],
    ["a height", 'height="100"', ' width="150" height="100"'],
    ["a width that does not divide", 'width="100"', ' width="100" height="66.67"'],
    ["another ratio", 'width="300" height="300"', ' width="300" height="200"'],
    ["a part of the column", 'width="50%"', ' width="50%"'],
    ["a part of a height", 'height="50%"', ' width="600" height="400"'],
  ])("a picture with %s from its author has the width and height of its ratio", async (_what, given, attributes) => {
    const pictureSize = (url: string) => (url.includes("unknown") ? undefined : { width: 600, height: 400 });
    const shownOf = async (src: string) => {
      const html = await renderMarkdown(`<img src="${src}" title="a width=" ${given} align="left">`, { cdnUrl });
      return showHtml(html, { pictureUrl: () => "/p", pictureSize, calloutTitles });
    };
    const [own, remote] = [`${cdnUrl}/cdn/data/project/p1/gallery/abc.webp`, "https://o.site/a.png?b=1&amp;c=2"];
    for (const [src, shown] of [
      [own, own],
      [remote, "/p"],
    ] as const) {
      const tag = /<img [^>]*>/.exec(await shownOf(src))![0];
      expect(tag).toContain(`<img src="${shown}" alt="" title="a width="`);
      for (const each of [attributes, ' align="left"', ' loading="lazy"']) expect(tag).toContain(each);
      expect(tag.replace(' title="a width="', "").match(/ (?:width|height)="/g)).toHaveLength(
        attributes.split('="').length - 1,
      );
    }
    const unknown = /<img [^>]*>/.exec(await shownOf("https://o.site/unknown.png"))![0];
    expect(unknown).toBe(`<img src="/p" alt="" title="a width="${given && ` ${given}`} align="left" loading="lazy" />`);
  });

  test("a picture inside a link gets no second link", async () => {
    expect(await show("[![x](https://o.site/a.png) y](https://b.site) ![z](https://o.site/b.png)")).toMatch(
      /^<p><a href="https:\/\/b.site" rel="[^"]+"><img src="[^"]+" alt="x" loading="lazy" \/> y<\/a> <a href="https:\/\/o.site\/b.png"/,
    );
  });

  test("pictures that are not allowed are links with their text", async () => {
    const none = () => undefined;
    expect(await show("![x](https://o.site/a.png) ![](https://o.site/b.png)", none)).toBe(
      '<p><a href="https://o.site/a.png" rel="ugc nofollow noopener" class="remote-image">x (o.site)</a> <a href="https://o.site/b.png" rel="ugc nofollow noopener" class="remote-image">o.site</a></p>\n',
    );
    expect(await show("[![x](https://o.site/a.png)](https://b.site)", none)).toContain(">x (o.site)</a>");
    expect(await show("https://youtu.be/dQw4w9WgXcQ", none)).not.toContain("ytimg");
  });

  test("headings start below the heading of the page", async () => {
    const html = await renderMarkdown("# A\n\n## B\n\n### C\n\n#### D", { cdnUrl });
    const shown = showHtml(html, { pictureUrl: () => undefined, calloutTitles, below: 3 });
    expect(shown.match(/h\d(?= id)|h\d(?=>\n)/g)).toEqual(["h4", "h4", "h5", "h5", "h6", "h6", "h6", "h6"]);
  });

  test("titles of call-outs are in the language of the reader", async () => {
    expect(await show("> [!NOTE]\n> Note")).toContain('<p class="callout-title">Hinweis</p><p>Note</p>');
  });
});

describe("tables", () => {
  const table = (columns: number, rows: number) =>
    `${"|a".repeat(columns)}|\n${"|-".repeat(columns)}|\n${"|\n".repeat(rows)}\n`;
  const countCells = (html: string) => html.match(/<t[dh][ >]/g)?.length ?? 0;

  test("have at most 64 columns; wider ones stay text", () => {
    expect(countCells(toHtml(table(60, 3), cdnUrl))).toBe(240);
    expect(toHtml(table(65, 3), cdnUrl)).toMatch(/^<p>\|a\|a/);
  });

  test("have at most 5,000 cells together in one text, however short the text is", () => {
    const html = toHtml(table(50, 80).repeat(6), cdnUrl);
    expect(countCells(html)).toBeLessThanOrEqual(5_000);
    expect(countCells(html)).toBeGreaterThan(4_900);
    // The other rows are shown as text.
    expect(html.match(/\|/g)!.length).toBeGreaterThan(300);
    expect(countCells(toHtml(`> ${table(50, 300).replaceAll("\n", "\n> ")}`, cdnUrl))).toBeLessThanOrEqual(5_000);
  });
});

test("a text whose HTML would be too large is refused before it is sanitized", () => {
  expect(() => toHtml("# a\n".repeat(16_000), cdnUrl)).toThrow(TextTooLarge);
  expect(() => toHtml(`<b title="${'"'.repeat(2)}${"&".repeat(65_000)}">`, cdnUrl)).not.toThrow();
  expect(() => toHtml("- Sodium\n".repeat(7_200), cdnUrl)).not.toThrow();
});

test("code beyond the first 20,000 characters of a text is not highlighted", () => {
  const code = (letters: number) => `\`\`\`json\n${"[1]\n".repeat(letters / 4)}\`\`\`\n\n`;
  const html = toHtml(code(8_000).repeat(4), cdnUrl);
  expect(html.match(/hljs-number/g)).toHaveLength(4_000);
});

/** A dense text of the given length, as an author might write it. */
const honest = (letters: number) =>
  "# Lamps\n\nThey *light* **themselves**. See [the wiki](https://example.org).\n\n- one\n- two\n\n|a|b|\n|-|-|\n|1|2|\n\n"
    .repeat(Math.ceil(letters / 90))
    .slice(0, letters);

test("previews do not delay pages", async () => {
  let previewed = 0;
  const previews = Array.from({ length: 8 }, async (_, at) => {
    await previewMarkdown(`${at}\n\n${honest(60_000)}`, { cdnUrl });
    previewed++;
  });
  expect(await render("a text that is not cached yet")).toContain("<p>a text");
  expect(previewed).toBeLessThan(8);
  await Promise.all(previews);
});

describe("the rendering thread", () => {
  const thread = openRenderingThread({ maxWaiting: 3 });
  afterAll(() => thread.close());

  test("is replaced if a text takes too long, and continues with the next text", async () => {
    // Much more than a short text takes, and much less than the long one takes.
    const impatient = openRenderingThread({ cpuMs: 10 });
    expect(await impatient.render({ text: honest(65_000), cdnUrl })).toBeUndefined();
    const next = () => impatient.render({ text: "**b**", cdnUrl });
    await expect.poll(next, { timeout: 10_000 }).toBe("<p><strong>b</strong></p>\n");
    await impatient.close();
  });

  test("counts CPU time, so that an ordinary text is rendered on a busy machine too", async () => {
    const start = new Int32Array(new SharedArrayBuffer(4));
    const spin = `const { parentPort, workerData } = require("node:worker_threads");
      parentPort.postMessage("ready");
      Atomics.wait(workerData, 0, 0);
      for (;;) {}`;
    const spinners = Array.from(
      { length: 4 * availableParallelism() },
      () => new Worker(spin, { eval: true, workerData: start }),
    );
    await Promise.all([thread.render({ text: "", cdnUrl }), ...spinners.map((spinner) => once(spinner, "message"))]);
    Atomics.store(start, 0, 1);
    Atomics.notify(start, 0);
    const html = await thread.render({ text: honest(32_000), cdnUrl });
    await Promise.all(spinners.map((spinner) => spinner.terminate()));
    expect(html).toContain("<strong>themselves</strong>");
  });

  test("keeps its process running while it renders, and lets it exit afterwards", async () => {
    const program = `import { openRenderingThread } from "${new URL("thread.ts", import.meta.url)}";
      const render = (text) => thread.render({ text, cdnUrl: "${cdnUrl}" });
      const thread = openRenderingThread();
      console.log(await render("one"), await render("two"));`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--import", ownFile("lib/source-imports.ts").href, "--input-type=module", "--eval", program],
      { timeout: 60_000 },
    );
    expect(stdout).toBe("<p>one</p>\n <p>two</p>\n\n");
  }, 90_000);

  test("survives a text that makes it throw", async () => {
    expect(await thread.render({ text: "![x](https://a.b/c)", cdnUrl: "no address" })).toBeUndefined();
    expect(await thread.render({ text: "**b**", cdnUrl })).toBe("<p><strong>b</strong></p>\n");
  });

  test("is busy if too many texts are waiting", async () => {
    const answers = await Promise.allSettled(
      Array.from({ length: 5 }, (_, at) => thread.render({ text: `${at}`, cdnUrl })),
    );
    expect(answers.map(({ status }) => status === "fulfilled")).toEqual([true, true, true, false, false]);
    expect(answers[4]).toMatchObject({ reason: expect.any(Busy) });
  });

  test.each([
    "[",
    "![",
    "![[]",
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
    const html = await render(piece.repeat(Math.ceil(65_256 / piece.length)));
    expect(html.startsWith("<pre>[") || html.startsWith("<pre>!")).toBe(false);
    expect(html).not.toBe("");
  });
});

test("a text that cannot be rendered is shown as it was typed", async () => {
  const { toPlainHtml } = await import("./plain.js");
  expect(toPlainHtml(`<b onclick='x'>&"`)).toBe("<pre>&lt;b onclick=&#39;x&#39;&gt;&amp;&quot;</pre>");
});
