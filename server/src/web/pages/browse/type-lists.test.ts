// Lists of the project types that an operator has added or renamed.
import { describe, expect, test } from "vitest";
import { parseTaxonomy } from "#content/taxonomy/document.js";
import { setTaxonomy, webSource } from "#content/taxonomy/write.js";
import { write } from "#platform/changes/write.js";
import type { Reply } from "#test/callers/actors.js";
import { FrameControl, frameRoutes } from "#test/server/frame-routes.js";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const goesTo = ({ status, headers }: Reply) => [status, headers.get("location")];

describe("getTypePage", () => {
  const fresh = testApp();
  const change = async (types: readonly object[]) => {
    const { resources } = await fresh;
    const parsed = parseTaxonomy(
      JSON.stringify({
        projectTypes: types,
        gameVersions: ["1.0"],
        loaders: [{ name: "iris", projectTypes: ["pack"], icon: "leaf", color: "#1a2b3c" }],
      }),
      "test",
    );
    if (!parsed.ok) throw new Error(parsed.report);
    await write(resources, { credential: "test" }, (tx) => setTaxonomy(tx, parsed.document, webSource));
  };
  const get = async (path: string, at = fresh, headers = {}) =>
    (await at).as.anyone.get(path, { headers: { accept: "text/html", ...headers } });
  const navigation = async (at = fresh, headers = {}, path = "/about") =>
    [
      ...(await get(path, at, headers)).text
        .match(/<nav class="site-nav"[^>]*>(.*?)<\/nav>/)![1]!
        .matchAll(/href="([^"]*)"><svg[^>]*><use[^>]*><\/use><\/svg> ([^<]*)/g),
    ].map(([, href, text]) => [href, text]);

  test("has the address, names and order that the operator has chosen, on every server at once", async () => {
    const there = await testApp({ sharedWith: await fresh });
    const other = Promise.resolve(there);
    expect(await navigation(fresh, {}, "/api/docs")).toContainEqual(["/mods", "Mods"]);
    expect(await navigation()).toContainEqual(["/mods", "Mods"]);
    expect(await navigation(other)).toContainEqual(["/mods", "Mods"]);
    await change([
      { name: "pack", label: "Data pack", plural: "Data packs", path: "datapacks", icon: "gift" },
      { name: "mod", label: "Mod" },
      { name: "shader", label: "Light", plural: "Lights", path: "lights" },
      { name: "hat", label: "Hat" },
    ]);
    const wanted = [
      ["/datapacks", "Data packs"],
      ["/mods", "Mods"],
      ["/lights", "Lights"],
      ["/hats", "Hats"],
    ];
    expect(await navigation()).toEqual(wanted);
    for (const path of ["/no/such/page", "/api/docs", "/api/docs/projects"])
      expect(await navigation(fresh, {}, path), path).toEqual(wanted);
    const failing = testApp({ sharedWith: await fresh, routes: frameRoutes(new FrameControl()) });
    expect(await navigation(failing, {}, "/frame/throw"), "after a fault").toEqual(wanted);
    await expect.poll(() => navigation(other)).toEqual(wanted);
    const list = await get("/datapacks");
    expect(list).toSucceed();
    expect(list.text).toContain('<h1 dir="auto">Data packs</h1>');
    const german = (await navigation(fresh, { "accept-language": "de" })).map(([, text]) => text);
    expect(german, "own texts stay, those of Modshelf are translated").toEqual([
      "Data packs",
      "Mods",
      "Lights",
      "Hats",
    ]);
    expect(goesTo(await get("/pack?q=a"))).toEqual([301, "/datapacks?q=a"]);
    expect(goesTo(await get("/shaders?sort=updated"))).toEqual([301, "/lights?sort=updated"]);
    expect(goesTo(await get("/DataPacks"))).toEqual([301, "/datapacks"]);
    expect(goesTo(await get("/mod"))).toEqual([301, "/mods"]);
    for (const path of ["/worlds", "/nothing", "/__proto__", "/constructor"])
      expect((await get(path)).status, path).toBe(404);
    await there.stop();
  });

  test("shows its projects, and names their type on cards and on their own pages", async () => {
    const world = await fresh;
    const owner = await world.make.user();
    const { slug, id } = await makeProject(world, owner, { name: "Better loot", types: ["pack"] });
    await makeVersion(world, owner, id, { loaders: ["iris"], gameVersions: ["1.0"] });
    for (const path of ["/datapacks", `/user/${owner.userName}/datapacks`]) {
      const { text } = await get(path);
      expect(text, path).toContain("Better loot");
      expect(text, path).toContain("</svg> Data pack</a>");
    }
    expect((await get(`/project/${slug}`)).text).toContain("</svg> Data pack</a>");
    const list = (await get("/datapacks")).text;
    expect(list, "the operator's icons and colors").toMatch(
      /<svg class="icon" color="#1a2b3c"[^>]*><use href="\/assets\/tags\.[\w-]{12}\.svg#leaf">/,
    );
    expect(list).toMatch(/<a href="\/datapacks"[^>]*><svg class="icon"[^>]*><use href="[^"#]*#gift">/);
    expect((await world.as.anyone.get("/sitemap.xml")).status).toBe(200);
  });
});
