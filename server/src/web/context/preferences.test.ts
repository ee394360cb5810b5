// Theme, language and set-up of visitors, including guests.
import { describe, expect, test } from "vitest";
import type { Actor } from "#test/callers/actors.js";
import { location, submit, wrongWith } from "#test/callers/page-forms.js";
import { siteUrl, testApp } from "#test/server/harness.js";

const { as, make } = await testApp();

const cookiesOf = (reply: { headers: Headers }): Record<string, string> =>
  Object.fromEntries(reply.headers.getSetCookie().map((text) => text.split(";")[0]!.split("=") as [string, string]));

const pageWith = (cookie: string, headers: Record<string, string> = {}) =>
  as.anyone.get("/about", { headers: { cookie, accept: "text/html", ...headers } });

describe("submitDisplay", () => {
  test("stores theme and language, and redirects back to the page", async () => {
    const reply = await submit(as.anyone, "/settings/display", { theme: "dark", lang: "de", next: "/mods?q=x" });
    expect([reply.status, location(reply)]).toEqual([303, "/mods?q=x"]);
    expect(cookiesOf(reply)).toEqual({ theme: "dark", lang: "de" });
    const page = await pageWith("theme=dark; lang=de");
    expect(page.text).toContain('<html lang="de" data-theme="dark">');
  });

  test("can return to the theme of the device", async () => {
    const reply = await submit(as.anyone, "/settings/display", { theme: "auto" });
    expect(cookiesOf(reply)).toEqual({ theme: "auto" });
    expect((await pageWith("theme=auto")).text).not.toContain("data-theme");
  });

  test.each(["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "/\u0000"])(
    "never leads to another site (%j)",
    async (next) => {
      const reply = await submit(as.anyone, "/settings/display", { theme: "dark", next });
      expect(location(reply) ?? "/").toBe("/");
    },
  );

  test("ignores values that it does not know", async () => {
    const reply = await submit(as.anyone, "/settings/display", { theme: "pink", lang: "tlh" });
    expect(reply.status).toBe(303);
    expect(cookiesOf(reply)).toEqual({ theme: "auto" });
    const page = await pageWith("theme=<x>; lang=../../x; setup=<script>|", { "accept-language": "xx, de;q=0.9" });
    expect(page.text).toContain('<html lang="de">');
    expect(page.text).not.toContain("<script>|");
  });
});

describe("density", () => {
  test("is stored, and set on the page; the default needs no cookie", async () => {
    const reply = await submit(as.anyone, "/settings/display", { density: "compact" });
    expect(cookiesOf(reply)).toEqual({ density: "compact" });
    expect((await pageWith("density=compact")).text).toContain('data-density="compact"');
    expect((await pageWith("density=<b>")).text).not.toContain("data-density");
    const usual = await submit(as.anyone, "/settings/display", { density: "comfortable" });
    expect(usual.headers.getSetCookie()[0]).toMatch(/^density=; .*Max-Age=0/);
    expect((await submit(as.anyone, "/settings/display", { density: "wide" })).headers.getSetCookie()).toEqual([]);
  });

  test("can be chosen by guests on the settings page", async () => {
    const { text } = await as.anyone.get("/settings", { headers: { cookie: "density=compact" } });
    expect(text).toMatch(/<option[^>]*value="compact"[^>]*selected|<option[^>]*selected[^>]*value="compact"/);
  });
});

describe("submitView", () => {
  const choose = (fields: Record<string, string>, cookie = "") =>
    submit(as.anyone.with({ cookie }), "/settings/view", fields);

  test("stores the view of lists separately for each project type", async () => {
    const first = await choose({ view: "gallery", type: "mod", next: "/mods?l=quilt" });
    expect([first.status, location(first)]).toEqual([303, "/mods?l=quilt"]);
    expect(cookiesOf(first)).toEqual({ views: "mod.gallery" });
    const second = await choose({ view: "list" }, "views=mod.gallery");
    expect(cookiesOf(second)).toEqual({ views: "mod.gallery~.list" });
    const third = await choose({ view: "compact", type: "mod" }, "views=mod.gallery~.list");
    expect(cookiesOf(third)).toEqual({ views: ".list" });
  });

  test("accepts no view that does not exist, and ignores a cookie with unknown content", async () => {
    expect((await choose({ view: "wall", type: "mod" })).headers.getSetCookie()).toEqual([]);
    expect((await choose({ view: "list", type: "__proto__" })).headers.getSetCookie()).toEqual([]);
    for (const cookie of ["views=<script>", "views=mod.wall", `views=${"a.list~".repeat(300)}`, "views=mod.gallery.x"])
      expect((await pageWith(cookie)).status, cookie).toBe(200);
  });
});

describe("submitSetupChoice", () => {
  test("stores a game version and loader that exist; the chip then shows them", async () => {
    const reply = await submit(as.anyone, "/settings/setup", { gameVersion: "0.4.8", loader: "quilt", next: "/mods" });
    expect([reply.status, location(reply)]).toEqual([303, "/mods"]);
    expect(cookiesOf(reply)).toEqual({ setup: "0.4.8|quilt" });
    expect((await pageWith("setup=0.4.8|puzzle_loader")).text).toContain("0.4.8 · Puzzle Loader");
    const loaders = ["quilt", "simply_shaders", "quilt", "nonsense"];
    const several: [string, string][] = [
      ["gameVersion", "0.4.8"],
      ...loaders.map((name) => ["loader", name] as [string, string]),
    ];
    expect(cookiesOf(await submit(as.anyone, "/settings/setup", several))).toEqual({
      setup: "0.4.8|quilt|simply_shaders",
    });
  });

  test("clears the choice, and accepts no values that do not exist", async () => {
    expect((await submit(as.anyone, "/settings/setup")).headers.getSetCookie()[0]).toMatch(/^setup=; .*Max-Age=0/);
    const odd = await submit(as.anyone, "/settings/setup", { gameVersion: "99.99", loader: "<b>" });
    expect(cookiesOf(odd)).toEqual({ setup: "" });
  });
});

describe("the language of a page", () => {
  const localeOf = async (actor: Actor, path = "/about", accepted = "en") =>
    /<html lang="([\w-]+)"/.exec(
      (await actor.get(path, { headers: { accept: "text/html", "accept-language": accepted } })).text,
    )?.[1];

  test("is taken from the URL for one request, then from the account, the cookie, the browser", async () => {
    const user = as.user(await make.user());
    expect(await localeOf(as.anyone, "/about", "fr, de;q=0.8, en;q=0.5")).toBe("de");
    expect(await localeOf(as.anyone.with({ cookie: "lang=de" }))).toBe("de");
    expect(await localeOf(as.anyone.with({ cookie: "lang=xx" }))).toBe("en");
    expect(await localeOf(as.anyone, "/about?lang=de")).toBe("de");
    expect(await localeOf(as.anyone, "/about?lang=xx")).toBe("en");
    const led = await as.anyone.get("/dashboard?lang=de", { headers: { accept: "text/html" } });
    expect(led.headers.get("location")).toBe(`/auth/sign-in?next=${encodeURIComponent("/dashboard?lang=de")}&lang=de`);
    await submit(user, "/settings/display", { lang: "de" });
    expect(await localeOf(user)).toBe("de");
    expect(await localeOf(user.with({ cookie: `${user.cookie}; lang=en` }))).toBe("de");
    expect(await localeOf(user, "/about?lang=en")).toBe("en");
    expect(await localeOf(user)).toBe("de");
  });

  test.each([
    ["zh", "zh-Hans"],
    ["zh-CN,zh;q=0.9", "zh-Hans"],
    ["zh-SG", "zh-Hans"],
    ["ZH-hans-TW", "zh-Hans"],
    ["zh-TW", "en"],
    ["zh-HK, de;q=0.5", "de"],
    ["zh-Hant,en;q=0.8,de;q=0.9", "de"],
    ["zh-TW,zh;q=0.9,en-US;q=0.8,en;q=0.7", "zh-Hans"],
    ["zh-nonsense-tag!, de", "de"],
    ["den, de;q=0, en-GB", "en"],
    ["*", "en"],
  ])("%j asks for %s", async (accepted, tag) => {
    expect(await localeOf(as.anyone, "/about", accepted)).toBe(tag);
  });

  test.each(["zh", "zh-CN", "zh-Hans-CN", "fr, zh;q=0.5"])(
    "is Chinese in simplified characters for %s",
    async (accepted) => {
      expect(await localeOf(as.anyone, "/about", accepted)).toBe("zh-Hans");
    },
  );

  test("is announced to search engines on pages that are translated, under a URL that does not change", async () => {
    const { text } = await as.anyone.get("/about?lang=de", { headers: { accept: "text/html" } });
    expect(text).toContain(`<link rel="canonical" href="${siteUrl}/about"`);
    for (const [locale, address] of [
      ["en", "/about?lang=en"],
      ["de", "/about?lang=de"],
      ["zh-Hans", "/about?lang=zh"],
      ["x-default", "/about"],
    ])
      expect(text).toContain(`<link rel="alternate" hreflang="${locale}" href="${siteUrl}${address}"`);
    expect((await as.anyone.get("/status", { headers: { accept: "text/html" } })).text).not.toContain("hreflang");
  });

  test("is used for refusals beside fields and on error pages", async () => {
    const german = as.user(await make.user()).with({ "accept-language": "de" });
    const refused = await submit(german, "/collections/new", { name: "x", visibility: "private" });
    expect([refused.status, refused.text.includes("Bitte prüfe Folgendes")]).toEqual([400, true]);
    expect(wrongWith(refused, "name")).toBe("Muss 2 bis 32 Zeichen auf einer Zeile haben, ohne Leerzeichen am Rand");
    const denied = await german.get("/admin", { headers: { accept: "text/html" } });
    expect(denied.text).not.toMatch(/[Oo]nly administrators/);
    const english = await submit(as.user(await make.user()), "/collections/new", { name: "x", visibility: "private" });
    expect(wrongWith(english, "name")).toMatch(/^Must be 2 to 32 characters/);
  });
});
