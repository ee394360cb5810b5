// Texts of authors as a visitor sees them: pictures of other sites come from this site, videos wait for a click, and
// call-outs look like what they are.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { drawPicture } from "#test/files/pictures.js";
import { makeProject } from "#test/worlds/content.js";
import { desktop, expectAccessible, expectFits, openSite, phone } from "./browser.js";

const picture = Buffer.from(await (await drawPicture({ width: 300, height: 200 })).arrayBuffer());
const asked: string[] = [];
const remote = createServer((request, response) => {
  asked.push(`${request.url} ${request.headers.cookie ?? ""}`);
  if (request.url === "/lamps.png") response.end(picture);
  else response.writeHead(404).end();
});
await new Promise<void>((resolve) => remote.listen(0, "127.0.0.1", resolve));
const host = `127.0.0.1:${(remote.address() as AddressInfo).port}`;
afterAll(() => void remote.close());

const site = await openSite({ settings: { MODSHELF_REMOTE_PICTURES: host } });
const author = await site.make.user();
const description = `### Lamps

![Lamps at dusk](http://${host}/lamps.png)

<img alt="Low lamps" height="50" src="http://${host}/lamps.png">

![Missing lamps](http://${host}/missing.png)

![From elsewhere](https://elsewhere.site/a.png)

https://youtu.be/dQw4w9WgXcQ

> [!WARNING]
> They are hot.
`;
const project = await makeProject(site, author, { name: "Lamps", summary: "Light", description });
const path = `/project/${project.slug}`;

describe("a description", () => {
  test.each([
    ["desktop, light", { viewport: desktop }],
    ["phone, dark", { viewport: phone, theme: "dark" as const }],
    ["320 px", { viewport: { width: 320, height: 700 } }],
  ])("shows pictures of other sites, call-outs and videos (%s)", async (_what, visitor) => {
    const page = await site.visit("/", visitor);
    const requested: string[] = [];
    page.on("request", (request) => requested.push(new URL(request.url()).host));
    await page.goto(path);
    const shown = page.getByRole("img", { name: "Lamps at dusk" });
    await shown.scrollIntoViewIfNeeded();
    await expect.poll(() => shown.evaluate((img) => (img as HTMLImageElement).naturalWidth)).toBe(300);
    const low = page.getByAltText("Low lamps");
    await expect.poll(() => low.boundingBox()).toMatchObject({ width: 75, height: 50 });
    const missing = page.locator(".remote-image", { hasText: "Missing lamps" });
    await missing.waitFor();
    expect(await missing.textContent()).toBe(`Missing lamps · ${host}`);
    expect(await missing.getAttribute("href")).toBe(`http://${host}/missing.png`);
    expect(await page.locator(".remote-image", { hasText: "From elsewhere" }).textContent()).toBe(
      "From elsewhere (elsewhere.site)",
    );
    expect(await page.locator(".callout.warning .callout-title").textContent()).toBe("Warning");
    expect(new Set(requested)).toEqual(new Set([new URL(page.url()).host]));
    expect(asked.every((line) => line.endsWith(" "))).toBe(true);
    await expectAccessible(page);
    await expectFits(page);
  });

  test("loads a video only after a click, in a frame that has the focus", async () => {
    const page = await site.visit(path);
    const videoHosts: string[] = [];
    await page.route(/^https:\/\/[\w.-]*(?:youtube|ytimg)/, (route) => {
      videoHosts.push(new URL(route.request().url()).host);
      return route.fulfill({ status: 200, contentType: "text/html", body: "<p>the player</p>" });
    });
    const card = page.getByRole("link", { name: "youtu.be/dQw4w9WgXcQ" });
    expect(await card.getAttribute("href")).toBe("https://www.youtube.com/watch?v=dQw4w9WgXcQ");
    expect(videoHosts).toEqual([]);
    await card.focus();
    await page.keyboard.press("Enter");
    await page.frameLocator(".video-card iframe").frameLocator("iframe").getByText("the player").waitFor();
    expect(videoHosts).toEqual(["www.youtube-nocookie.com"]);
    expect(await page.evaluate("document.activeElement.localName")).toBe("iframe");
  });

  test("without script, videos and missing pictures are links", async () => {
    const page = await site.visit(path, { script: false });
    const card = page.getByRole("link", { name: "youtu.be/dQw4w9WgXcQ" });
    expect(await card.getAttribute("href")).toBe("https://www.youtube.com/watch?v=dQw4w9WgXcQ");
    expect(await page.getByRole("link", { name: "Missing lamps" }).getAttribute("href")).toBe(
      `http://${host}/missing.png`,
    );
  });

  test("does not move when a known picture arrives", async () => {
    const source = await (await site.visit(path)).getByAltText("Lamps at dusk").getAttribute("src");
    expect((await fetch(source!)).status).toBe(200);
    // Pages for guests are kept for a minute.
    site.clock.advance(60_000);
    for (const viewport of [desktop, { width: 280, height: 700 }]) {
      const page = await site.visit("/", { viewport });
      const released = Promise.withResolvers<void>();
      await page.route("**/cdn/remote/**", async (route) => {
        await released.promise;
        await route.continue();
      });
      await page.goto(path, { waitUntil: "domcontentloaded" });
      const shown = page.getByAltText("Lamps at dusk");
      expect([await shown.getAttribute("width"), await shown.getAttribute("height")]).toEqual(["300", "200"]);
      await shown.scrollIntoViewIfNeeded();
      const reserved = (await shown.boundingBox())!;
      expect(reserved.width / reserved.height).toBeCloseTo(1.5, 1);
      released.resolve();
      await expect.poll(() => shown.evaluate((img) => (img as HTMLImageElement).naturalWidth)).toBe(300);
      expect(await shown.boundingBox()).toEqual(reserved);
    }
  });

  test("names call-outs in the language of the reader", async () => {
    const page = await site.visit(path, { locale: "de" });
    expect(await page.locator(".callout-title").textContent()).toBe("Warnung");
  });
});

test("getVideoPlayer answers only for videos of known sites, and can be framed only by this site", async () => {
  const { anyone } = site.as;
  for (const wrong of ["youtube/x", "youtube/dQw4w9WgXc%22", "toString/dQw4w9WgXcQ", "vimeo/dQw4w9WgXcQ"])
    expect((await anyone.get(`/assets/video/${wrong}`)).status).toBe(404);
  const player = await anyone.get("/assets/video/vimeo/123456");
  expect(player.status).toBe(200);
  const policy = player.headers.get("content-security-policy");
  expect(policy).toContain("frame-src https://player.vimeo.com;");
  expect(policy).toContain("frame-ancestors 'self'");
});
