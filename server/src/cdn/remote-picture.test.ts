// Pictures of other sites (getRemotePicture): fetched once, from a real server on loopback, and shown only where the
// operator wants them.
import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { remotePictureUrl } from "#platform/remote-pictures/address.js";
import { remotePicturesOf } from "#platform/remote-pictures/cache.js";
import { submit } from "#test/callers/page-forms.js";
import { drawPicture } from "#test/files/pictures.js";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { look } from "#test/worlds/desk-world.js";

let asked: string[] = [];
let answer: RequestListener;
const remote = createServer((request, response) => {
  asked.push(request.url!);
  void answer(request, response);
});
await new Promise<void>((resolve) => remote.listen(0, "127.0.0.1", resolve));
const host = `127.0.0.1:${(remote.address() as AddressInfo).port}`;
afterAll(() => {
  remote.close();
  remote.closeAllConnections();
});

const world = await testApp();
const { as, make, config, resources, clock } = world;
const picture = Buffer.from(await (await drawPicture({ width: 300, height: 200 })).arrayBuffer());

const badge = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="20" onload="evil()"><script>evil()</script>
<style>@import "http://evil.site/x.css"</style><linearGradient id="a"><stop stop-color="#bbb"/></linearGradient>
<text x="29" textLength="40" fill="url(#a)">build &amp; test</text><foreignObject><b>evil</b></foreignObject></svg>`;

let count = 0;
/** A URL that was never requested. */
const freshUrl = () => `http://${host}/${++count}.png?a=1&b=2`;
const pathOf = (url: string): string => {
  const signed = new URL(remotePictureUrl({ ...resources, config: { ...config, remotePictures: [host] } }, url)!);
  return signed.pathname + signed.search;
};
const get = (url: string, headers: Record<string, string> = {}) => as.anyone.with(headers).get(pathOf(url));

beforeEach(() => {
  asked = [];
  answer = (_request, response) => void response.setHeader("set-cookie", "spy=1").end(picture);
  config.remotePictures = [host];
});

describe("getRemotePicture", () => {
  test("fetches a picture once, encodes it again, and answers as immutable, without cookies", async () => {
    const url = freshUrl();
    const answers = await Promise.all([get(url), get(url), get(url)]);
    for (const { status, headers, bytes } of answers) {
      expect([status, headers.get("content-type")]).toEqual([200, "image/webp"]);
      expect(headers.get("cache-control")).toContain("immutable");
      expect(headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
      expect(headers.get("set-cookie")).toBeNull();
      expect(await sharp(bytes).metadata()).toMatchObject({ format: "webp", width: 300, height: 200 });
    }
    expect(asked).toEqual([new URL(url).pathname + new URL(url).search]);
    const etag = answers[0]!.headers.get("etag")!;
    expect((await get(url, { "if-none-match": etag })).status).toBe(304);
    const head = await as.anyone.head(pathOf(url));
    expect([head.status, Number(head.headers.get("content-length"))]).toEqual([200, answers[0]!.bytes.length]);
  });

  test("sends an SVG badge without what does not draw, so that it stays sharp", async () => {
    answer = (_request, response) => void response.end(badge);
    const url = freshUrl();
    for (let times = 0; times < 2; times++) {
      const { status, headers, text } = await get(url);
      expect([status, headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
      expect(headers.get("content-security-policy")).toMatch(/^sandbox; default-src 'none'; img-src data:; style-src/);
      expect(text).toContain('<text x="29" textLength="40" fill="url(#a)">build &amp; test</text>');
      expect(text).not.toMatch(/script|onload|evil|foreign|style>/);
    }
    expect(asked).toHaveLength(1);
  });

  test("a picture that becomes an SVG replaces the old one", async () => {
    const url = freshUrl();
    await get(url);
    answer = (_request, response) => void response.end(badge);
    clock.advance(8 * 24 * 60 * 60_000);
    await get(url);
    await expect.poll(async () => (await get(url)).headers.get("content-type")).toBe("image/svg+xml");
  });

  test("keeps an animation", async () => {
    const raw = { width: 8, height: 24, channels: 3 as const, pageHeight: 8 };
    const frames = await sharp(randomBytes(8 * 24 * 3), { raw })
      .gif()
      .toBuffer();
    answer = (_request, response) => void response.end(frames);
    const { bytes } = await get(freshUrl());
    expect((await sharp(bytes).metadata()).pages).toBe(3);
  });

  test.each<[string, (path: string) => string]>([
    ["no signature", (path) => path.replace(/remote\/[\w-]+/, "remote/x")],
    ["the signature of another picture", (path) => path.replace(".png", ".gif")],
    ["another host", (path) => path.replace(encodeURIComponent(host), "10.0.0.1")],
  ])("refuses a URL with %s, and requests nothing", async (_what, change) => {
    expect((await as.anyone.get(change(pathOf(freshUrl())))).status).toBe(404);
    expect(asked).toEqual([]);
  });

  test.each<[string, RequestListener]>([
    ["is missing", (_request, response) => void response.writeHead(404).end(picture)],
    ["is no picture", (_request, response) => void response.setHeader("content-type", "image/png").end("<html>")],
    ["is an SVG with entities", (_request, response) => void response.end(`<!DOCTYPE svg [<!ENTITY a "b">]>${badge}`)],
    ["is an SVG beyond its limit", (_request, response) => void response.end(badge + " ".repeat(128 * 1024))],
    ["is broken", (_request, response) => void response.end(picture.subarray(0, 100))],
    [
      "redirects into the network",
      (_request, response) => void response.writeHead(302, { location: "http://10.0.0.1/" }).end(),
    ],
  ])("a picture that %s is not found, and is not requested again at once", async (_what, listener) => {
    answer = listener;
    const url = freshUrl();
    for (let times = 0; times < 3; times++) expect((await get(url)).status).toBe(404);
    expect(asked).toHaveLength(1);
    answer = (_request, response) => void response.end(picture);
    await clock.during(20 * 60_000, async () => expect((await get(url)).status).toBe(200));
  });

  test("a picture beyond the limit of bytes is not read to its end", async () => {
    const closed = Promise.withResolvers<void>();
    answer = (_request, response) => {
      response.on("close", closed.resolve);
      const fill = () => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
      };
      response.on("drain", fill);
      fill();
    };
    expect((await get(freshUrl())).status).toBe(404);
    await closed.promise;
  });

  test("an old picture is sent while it is fetched again, and kept if that fails", async () => {
    const url = freshUrl();
    const first = await get(url);
    answer = async (_request, response) =>
      void response.end(Buffer.from(await (await drawPicture({ width: 30 })).arrayBuffer()));
    clock.advance(8 * 24 * 60 * 60_000);
    expect((await get(url)).bytes.equals(first.bytes)).toBe(true);
    await expect.poll(async () => (await get(url)).bytes.equals(first.bytes)).toBe(false);
    answer = (_request, response) => void response.writeHead(500).end();
    clock.advance(8 * 24 * 60 * 60_000);
    for (let times = 0; times < 2; times++) expect((await get(url)).status).toBe(200);
  });

  test("hosts that are not allowed, and private addresses that are not listed, get no request", async () => {
    const url = freshUrl();
    const path = pathOf(url);
    for (const allowed of ["off", ["other.site"], ["*.0.0.1"], "on"] as const) {
      config.remotePictures = allowed;
      expect((await as.anyone.get(path)).status).toBe(404);
    }
    expect(asked).toEqual([]);
  });

  test("the least recently used files are deleted when the limit is reached", async () => {
    const noise = Buffer.from(
      await sharp({
        create: {
          width: 256,
          height: 256,
          channels: 3,
          background: "#000",
          noise: { type: "gaussian", mean: 128, sigma: 60 },
        },
      })
        .png()
        .toBuffer(),
    );
    answer = (_request, response) => void response.end(noise);
    const before = config.limits;
    const kept = freshUrl();
    const { size } = (await remotePicturesOf(resources).find(kept))!;
    config.limits = { ...before, remotePictureBytes: size * 4 };
    const listFiles = async () =>
      (await readdir(join(config.dataDir, "cache", "pictures"), { recursive: true })).filter((name) =>
        name.endsWith(".webp"),
      );
    for (let times = 0; times < 8; times++) {
      clock.advance(25 * 60 * 60_000);
      await get(kept);
      await get(freshUrl());
    }
    config.limits = before;
    expect((await listFiles()).length).toBeLessThanOrEqual(5);
    asked = [];
    expect((await get(kept)).status).toBe(200);
    expect(asked).toEqual([]);
  });
});

describe("a description with a picture of another site", () => {
  test("shows it from the content host as soon as the setting allows its host, for guests and members", async () => {
    const office = as.user(await make.user({ role: "admin" }));
    const author = await make.user();
    const project = await makeProject(world, author, { description: `![Lamps](http://${host}/lamps.png)` });
    const shown = async () => {
      const pages = [
        await look(as.anyone, `/project/${project.slug}`),
        await look(as.user(author), `/project/${project.slug}`),
      ];
      const found = pages.map(
        ({ text }) => /<a href="[^"]+" rel="[^"]+" class="remote-image">(.*?)<\/a>/.exec(text)?.[1],
      );
      expect(found[0]).toBe(found[1]);
      return found[0];
    };
    const save = async (value: string) => {
      const page = await look(office, "/admin/settings/general");
      const stamp = /name="stamp" value="([^"]+)"/.exec(page.text)![1]!;
      const names = { MODSHELF_SITE_NAME: "Modshelf", MODSHELF_LANGUAGE: "en", MODSHELF_REMOTE_PICTURES: value };
      expect((await submit(office, "/admin/settings/general", { stamp, ...names })).status).toBe(303);
    };
    await save("off");
    expect(await shown()).toBe(`Lamps (${host})`);
    await save(`i.site, ${host}`);
    const picture = /<img src="([^"]+)" alt="Lamps" loading="lazy" ?\/?>/.exec((await shown())!)?.[1];
    const url = new URL(picture!.replaceAll("&amp;", "&"));
    expect(url.origin).toBe(config.http.cdnUrl);
    expect((await as.anyone.get(url.pathname + url.search)).status).toBe(200);
    await save("other.site");
    expect(await shown()).toBe(`Lamps (${host})`);
    expect((await as.anyone.get(url.pathname + url.search)).status).toBe(404);
  });

  test("has the sizes of its pictures as soon as they are known, without fetching any for this", async () => {
    answer = ({ url }, response) => void response.end(url?.includes("badge") ? badge : picture);
    const user = await make.user();
    const member = as.user(user);
    const other = await makeProject(world, user);
    const image = await drawPicture({ width: 500, height: 250 });
    const own = await member.form("POST", `/api/project/${other.slug}/gallery`, { image, title: "Own" });
    const [photo, build, missing] = ["photo.png", "badge.svg", "missing.png"].map((name) => `http://${host}/${name}`);
    const description = `![Photo](${photo}) <img alt="Small" width="150" src="${photo}"> ![Build](${build})
      ![Missing](${missing}) ![Own](${own.body.data.image})`;
    const project = await makeProject(world, user, { description });
    const sizes = async (actor = member) => {
      const { text } = await look(actor, `/project/${project.slug}`);
      const tags = [...text.matchAll(/<img src="[^"]*" alt="(Photo|Small|Build|Missing|Own)"([^>]*)>/g)];
      return Object.fromEntries(tags.map(([, name, rest]) => [name, rest!.match(/\d+(?=")/g)?.join(" × ") ?? ""]));
    };
    expect(await sizes()).toEqual({ Photo: "", Small: "150", Build: "", Missing: "", Own: "" });
    await expect.poll(() => sizes()).toMatchObject({ Own: "500 × 250" });
    expect(asked).toEqual([]);
    await get(photo!);
    await get(build!);
    const known = { Photo: "300 × 200", Small: "150 × 100", Build: "90 × 20", Missing: "", Own: "500 × 250" };
    await expect.poll(() => sizes()).toEqual(known);
    expect(asked).toEqual(["/photo.png", "/badge.svg"]);
    // Pages for guests are kept for a minute.
    clock.advance(60_000);
    expect(await sizes(as.anyone)).toEqual(known);
  });

  test("has the sizes of pictures that another process has fetched", async () => {
    const url = freshUrl();
    await remotePicturesOf(resources).find(url);
    const user = await make.user();
    const { slug } = await makeProject(world, user, { description: `![Lamps](${url})` });
    const page = async () => (await look(as.user(user), `/project/${slug}`)).text;
    expect(await page()).toMatch(/alt="Lamps" loading/);
    await expect.poll(page).toMatch(/alt="Lamps" width="300" height="200" loading/);
    expect(asked).toHaveLength(1);
  });
});
