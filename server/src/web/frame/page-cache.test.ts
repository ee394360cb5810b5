// Pages that are cached for guests are never out of date and never those of a signed-in user.
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { setSiteNotice } from "#operations/administration/site-notice.js";
import { write } from "#platform/changes/write.js";
import { essence, plainCall } from "#test/callers/plain-call.js";
import { sendRaw } from "#test/callers/raw-http.js";
import { testApp } from "#test/server/harness.js";
import { makeProject, setProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make, clock, resources } = world;
// All pages may look different after each full minute, which must not begin between two requests.
clock.freeze();
const owner = await make.user();
const project = await makeProject(world, owner, { name: "Kept for guests" });
const path = `/project/${project.slug}`;
const get = (to: string, headers: Record<string, string> = {}) =>
  as.anyone.get(to, { headers: { accept: "text/html", ...headers } });

describe("a page that is cached for guests", () => {
  test("is the same for each of them, byte for byte, and is not sent again to a browser that has it", async () => {
    const [first, second] = [await get(path), await get(path)];
    expect(second.text).toBe(first.text);
    const headers = (reply: typeof first) =>
      [...reply.headers].filter(([name]) => !["x-request-id", "date", "keep-alive"].includes(name));
    expect(headers(second)).toEqual(headers(first));
    expect((await get(path, { "if-none-match": first.headers.get("etag")! })).status).toBe(304);
    for (const encoding of ["br", "gzip"])
      expect((await get(path, { "accept-encoding": encoding })).text).toBe(first.text);
  });

  test("is rendered again as soon as anything on it has changed", async () => {
    for (const to of [path, "/", "/mods", `${path}/versions`]) await get(to);
    await setProject(world, project.id, { name: "Renamed by another" });
    for (const to of [path, "/", "/mods", `${path}/versions`])
      expect((await get(to)).text, to).toContain("Renamed by another");
    await makeVersion(world, owner, project.id, { versionNumber: "7.7.7" });
    expect((await get(`${path}/versions`)).text).toContain("7.7.7");
  });

  test("is rendered again if another project that it names has changed, or a member of its team", async () => {
    const library = await makeProject(world, owner, { name: "Library of old" });
    const user = await make.user();
    const mod = await makeProject(world, user, { name: "Needs a library" });
    const dependencies = [{ projectId: library.id, versionId: null, type: "required" as const }];
    await makeVersion(world, user, mod.id, { versionNumber: "1.0.0", dependencies });
    const [page, versionPage] = [`/project/${mod.slug}`, `/project/${mod.slug}/version/1.0.0`];
    for (const id of [mod.id, library.id]) await as.anyone.get(`/api/project/${id}`);
    for (const round of [1, 2]) {
      expect((await get(versionPage)).text).toContain("Library of old");
      expect((await get(page)).text, String(round)).toContain(user.userName);
    }
    await setProject(world, library.id, { name: "Library of today" });
    expect((await get(versionPage)).text).toContain("Library of today");
    await write(resources, {}, async (tx) => {
      await tx.db.updateTable("users").set({ user_name: "renamed-maker" }).where("id", "=", user.id).execute();
      tx.changed("user", user.id);
    });
    for (const to of [page, versionPage]) {
      const { text } = await get(to);
      expect(text, to).toContain("renamed-maker");
      expect(text, to).not.toContain(user.userName);
    }
  });

  test("disappears together with its subject", async () => {
    const shy = await makeProject(world, owner, { name: "Soon hidden" });
    expect((await get(`/project/${shy.slug}`)).status).toBe(200);
    expect((await get("/mods")).text).toContain("Soon hidden");
    await setProject(world, shy.id, { visibility: "private" });
    expect((await get(`/project/${shy.slug}`)).status).toBe(404);
    expect((await get("/mods")).text).not.toContain("Soon hidden");
  });

  test("shows the right time", async () => {
    await get(path);
    clock.advance(3 * 60 * 60_000);
    expect((await get(path)).text).toContain("3 hours ago");
  });

  test("is a different one for each language, theme and set-up", async () => {
    const texts = [
      await get(path),
      await get(path, { "accept-language": "de" }),
      await get(path, { cookie: "theme=dark" }),
      await get(path, { cookie: "setup=0.4.8|quilt" }),
      await get(`${path}?x=1`),
    ].map(({ text }) => text);
    expect(new Set(texts).size).toBe(texts.length);
    expect((await get(path)).text).toBe(texts[0]);
  });

  test("is never that of a signed-in user", async () => {
    const user = await make.user();
    for (const to of [path, "/", "/mods"]) {
      const own = await as.user(user).get(to, { headers: { accept: "text/html" } });
      expect(own.text, to).toContain(user.userName);
      expect((await get(to)).text, to).not.toContain(user.userName);
      expect((await as.user(user).get(to, { headers: { accept: "text/html" } })).text, to).toContain(user.userName);
    }
  });

  test("does not include refusals", async () => {
    const slug = "not-there-yet";
    expect((await get(`/project/${slug}`)).status).toBe(404);
    await makeProject(world, owner, { slug });
    expect((await get(`/project/${slug}`)).status).toBe(200);
    expect((await get("/mods?page=999")).status).toBe(404);
  });
});

describe("a cached page for a guest without cookies", () => {
  const unpack: Record<string, (bytes: Buffer) => Buffer> = {
    "": (bytes) => bytes,
    gzip: gunzipSync,
    br: brotliDecompressSync,
  };
  const browser = { accept: "text/html", "sec-fetch-site": "none", "upgrade-insecure-requests": "1" };
  const hot = (to: string, headers: Record<string, string> = {}) =>
    plainCall(world.origin, "GET", to, { ...browser, ...headers });
  const ordinary = (to: string, headers: Record<string, string> = {}) => hot(to, { ...headers, "x-nothing": "1" });
  const counted = async () => {
    const lines = (await resources.metrics.registry.metrics()).split("\n");
    const counts = lines.filter((line) => line.startsWith('modshelf_hot_requests_total{method="GET",route="/'));
    return counts.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
  };

  /** Requests a page of which nothing is kept, and then lets the ordinary route render it again. */
  const expectReady = async (to: string, headers: Record<string, string>) => {
    // The parts that all pages have in common come from an ordinary one.
    await ordinary("/status");
    const before = await counted();
    const first = essence(await hot(to, headers));
    expect(await counted(), to).toBe(before + 1);
    await dropKept();
    expect(essence(await ordinary(to, headers)), to).toEqual(first);
  };
  /** A change of any setting drops the pages that were kept. */
  const dropKept = () => write(resources, {}, async (tx) => tx.changed("setting", "nothing"));

  test("bypasses the router, with the same answer", async () => {
    for (const to of [path, "/", "/mods", "/mods?l=quilt"])
      for (const headers of [
        {},
        { "accept-language": "de-AT,de;q=0.9,en;q=0.8" },
        { "accept-encoding": "gzip, br" },
      ] as Record<string, string>[]) {
        const expected = essence(await ordinary(to, headers));
        const before = await counted();
        expect(essence(await hot(to, headers)), to).toEqual(expected);
        expect(await counted(), to).toBe(before + 1);
      }
  });

  test("bypasses the router at the first request too, if it is about a project", async () => {
    const fresh = await makeProject(world, owner, { name: "Opened <once>" });
    await makeVersion(world, owner, fresh.id);
    // A project is prepared when it is requested for the first time after a change.
    await as.anyone.get(`/api/project/${fresh.id}`);
    for (const below of ["", "/versions"])
      for (const language of ["en", "de", "zh"])
        await expectReady(`/project/${fresh.slug}${below}`, { "accept-language": language });
    for (const to of [`/project/${fresh.id}`, `/project/${fresh.slug}/nothing`]) {
      const before = await counted();
      expect((await hot(to)).status, to).not.toBe(200);
      expect(await counted(), to).toBe(before);
    }
  });

  test.each([
    "/mods",
    "/mods?l=quilt&v=0.4.8",
    "/mods?v=0.4.8&v=!0.4.7&c=utility&d=!ai",
    "/mods?v=%3Cb%3E&ch=beta&e=client&li=oss",
    "/mods?sort=published&n=10&view=gallery",
    "/search?q=opened",
    "/projects?type=mod&q=%C3%A4%26%22%3C",
  ])("bypasses the router at the first request too, if it is a list: %s", async (to) => {
    await makeProject(world, owner, { name: 'Opened <b>&"' });
    for (const language of ["en", "de", "zh"])
      for (const encoding of ["gzip", ""]) {
        await dropKept();
        await expectReady(to, { "accept-language": language, ...(encoding !== "" && { "accept-encoding": encoding }) });
      }
  });

  test("is the same list as the one that is rendered as a whole, for a guest whose page is not kept", async () => {
    await makeProject(world, owner, { name: "Rendered as a whole" });
    for (const to of ["/mods", "/mods?v=0.4.8&v=!0.4.7&l=quilt", "/search?q=rendered+whole&e=client"]) {
      const { text } = await hot(to);
      // Other parameters keep the page out of the cache; the URL is a part of the page.
      const mark = `${to.includes("?") ? "&" : "?"}utm=1`;
      const whole = (await hot(to + mark)).text;
      const withoutMark = [mark, mark.replace("&", "&amp;"), encodeURIComponent(mark)].reduce(
        (rest, each) => rest.replaceAll(each, ""),
        whole,
      );
      expect(text).toBe(withoutMark);
    }
  });

  test("is a list without projects that were hidden, and with the present names of all others", async () => {
    const user = await make.user();
    const shown = await makeProject(world, user, { name: "Kept on a card" });
    const withCard = async () => (await hot("/mods")).text;
    await ordinary("/status");
    expect(await withCard()).toContain("Kept on a card");
    expect(await withCard()).toContain(user.userName);
    await write(resources, {}, async (tx) => {
      await tx.db.updateTable("users").set({ user_name: "renamed-owner" }).where("id", "=", user.id).execute();
      tx.changed("user", user.id);
    });
    expect(await withCard()).toContain("renamed-owner");
    expect(await withCard()).not.toContain(user.userName);
    for (const visibility of ["unlisted", "private"] as const) {
      await setProject(world, shown.id, { visibility });
      await ordinary("/status");
      expect(await withCard(), visibility).not.toContain("Kept on a card");
    }
    await setProject(world, shown.id, { visibility: "listed" });
    expect(await withCard()).toContain("Kept on a card");
  });

  test.each([
    ["with compression and then without", ["gzip", "", "br", "gzip"]],
    ["without compression and then with", ["", "gzip", "br", ""]],
  ])("is the same page in every encoding, requested %s", async (_name, encodings) => {
    const fresh = await makeProject(world, owner, { name: "Packed – once" });
    const to = `/project/${fresh.slug}`;
    await ordinary("/status");
    await as.anyone.get(`/api/project/${fresh.id}`);
    const seen = new Set<string>();
    for (const encoding of encodings) {
      const { bytes, headers } = await hot(to, encoding === "" ? {} : { "accept-encoding": encoding });
      expect(headers.get("content-encoding") ?? "").toBe(encoding);
      seen.add(unpack[encoding]!(bytes).toString());
      seen.add(headers.get("etag")!.replace(/-(?:gzip|br)"$/, '"'));
    }
    // One text and one tag.
    expect(seen.size).toBe(2);
    expect([...seen][0]).toContain("Packed – once");
  });

  test("remains while other projects change, and lists do not", async () => {
    const [kept, other] = [await makeProject(world, owner), await makeProject(world, owner)];
    await makeVersion(world, owner, kept.id);
    // Only a kept page of changelogs bypasses the router.
    const page = `/project/${kept.slug}/changelog`;
    for (const to of [`/api/project/${kept.id}`, page, "/mods"]) await ordinary(to);
    await setProject(world, other.id, { name: "Renamed after that" });
    const before = await counted();
    expect((await hot(page)).status).toBe(200);
    expect(await counted()).toBe(before + 1);
    expect((await hot("/mods")).text).toContain("Renamed after that");
    await makeVersion(world, owner, kept.id);
    const then = await counted();
    await hot(page);
    expect(await counted()).toBe(then);
  });

  test.each([
    ["/mods?l=quilt&v=0.4.8", "/mods?l=quilt&amp;v=0.4.8"],
    [path, path],
  ])("has its own URL in its links: %s", async (to, escaped) => {
    for (const ask of [ordinary, hot]) {
      const { text } = await ask(to);
      expect(gunzipSync((await ask(to, { "accept-encoding": "gzip" })).bytes).toString()).toBe(text);
      expect(text).toContain(`name="next" value="${escaped}"`);
      expect(text).toContain(`href="/auth/sign-in?next=${encodeURIComponent(to)}"`);
      expect(text).not.toContain("mark-of");
    }
  });

  test("escapes the URL, which programs other than browsers may send as it is", async () => {
    const request = (extra: string) =>
      Buffer.from(`GET /mods?q="><b>&l=quilt HTTP/1.1\r\nhost: modshelf.test\r\n${extra}connection: close\r\n\r\n`);
    for (const extra of ["x-nothing: 1\r\n", ""]) {
      const text = await sendRaw(world.origin, request(extra));
      expect(text).toContain('name="next" value="/mods?q=&quot;>&lt;b>&amp;l=quilt"');
      expect(text).not.toContain('"><b>');
    }
  });

  test("is not the page of a user with a cookie or in another language", async () => {
    const to = "/mods?l=fabric";
    await ordinary(to, { cookie: "theme=dark" });
    expect((await hot(to)).text).not.toContain('data-theme="dark"');
    await ordinary(to, { "accept-language": "de" });
    expect((await hot(to)).text).toContain('lang="en"');
    expect((await hot(`${to}&lang=de`)).text).toContain('lang="de"');
    expect((await hot(`${to}&lang=de`, { "accept-language": "en" })).text).toContain('lang="de"');
  });

  test("is not stored for a long URL or for unknown parameters", async () => {
    const stored = () => resources.memory.listCaches().find(({ name }) => name === "pages")!.entries;
    for (const to of [`${path}?x=1`, "/mods?l=quilt&x=1", `/mods?l=quilt&q=${"x".repeat(600)}`]) {
      const before = stored();
      for (const ask of [ordinary, hot]) expect((await ask(to)).status, to).toBe(200);
      expect(stored(), to).toBe(before);
    }
  });

  test("is never out of date: neither its content, nor the time, nor the site's notice", async () => {
    await ordinary(path);
    await setProject(world, project.id, { name: "Renamed once more" });
    expect((await hot(path)).text).toContain("Renamed once more");
    clock.advance(60_000);
    const before = await counted();
    await hot(path);
    expect(await counted()).toBe(before);
    await write(resources, {}, (tx) =>
      setSiteNotice(tx, owner.id, { text: "Back soon", level: "plain", from: "", until: "" }),
    );
    expect((await hot(path)).text).toContain("Back soon");
  });
});
