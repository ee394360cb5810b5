// Single entries of the taxonomy: added, moved, changed and removed with forms; and imported taxonomies.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { submit, submitFiles } from "#test/callers/page-forms.js";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const office = world.as.user(await world.make.user({ role: "admin" }));
const document = async () => (await office.get("/admin/taxonomy/taxonomy.json")).body;
const send = (fields: [string, string][]) => submit(office, "/admin/taxonomy/entry", fields);

describe("submitTaxonomyEntry", () => {
  test("adds a game version as the newest one, and other entries at the end of their lists", async () => {
    const added: [string, string][][] = [
      [
        ["list", "gameVersions"],
        ["name", "9.9.9"],
        ["label", ""],
        ["releaseType", "beta"],
        ["major", "on"],
      ],
      [
        ["list", "projectTypes"],
        ["name", "hat"],
        ["label", "Hat"],
        ["plural", "Hats"],
        ["path", "headwear"],
      ],
      [
        ["list", "loaders"],
        ["name", "hatter"],
        ["color", "#1a2b3c"],
        ["icon", "hat"],
        ["projectTypes", "hat"],
      ],
      [
        ["list", "categories"],
        ["name", "felt"],
        ["kind", "feature"],
        ["projectTypes", "hat"],
        ["projectTypes", "mod"],
      ],
    ];
    for (const fields of added) expect((await send([...fields, ["action", "add"]])).status).toBe(303);
    const { gameVersions, projectTypes, loaders, categories } = await document();
    expect(gameVersions[0]).toEqual({ value: "9.9.9", releaseType: "beta", major: true });
    expect(projectTypes.at(-1)).toMatchObject({ name: "hat", label: "Hat", plural: "Hats", path: "headwear" });
    expect(loaders.at(-1)).toEqual({ name: "hatter", icon: "hat", color: "#1a2b3c", projectTypes: ["hat"] });
    expect(categories.at(-1)).toMatchObject({ name: "felt", kind: "feature", projectTypes: ["hat", "mod"] });
    expect((await world.as.anyone.get("/headwear", { headers: { accept: "text/html" } })).text).toContain("Hats</h1>");
  });

  test("moves an entry by one place, and not beyond the ends", async () => {
    const names = async () => (await document()).loaders.map(({ name }: { name: string }) => name);
    const before = await names();
    const move = (name: string, action: string) =>
      send([
        ["list", "loaders"],
        ["action", `${action}:${name}`],
      ]);
    await move(before[1]!, "up");
    expect((await names()).slice(0, 2)).toEqual([before[1], before[0]]);
    await move(before[1]!, "down");
    for (const [name, action] of [
      [before[0]!, "up"],
      [before.at(-1)!, "down"],
      ["nothing", "up"],
    ] as const)
      expect((await move(name, action)).status).toBe(303);
    expect(await names()).toEqual(before);
  });

  test("takes the whole order of a list, and nothing but all of its names", async () => {
    const names = async () => (await document()).loaders.map(({ name }: { name: string }) => name);
    const before: string[] = await names();
    const order = (list: readonly string[]) =>
      send([
        ["list", "loaders"],
        ["order", list.join(",")],
      ]);
    expect((await order(before.toReversed())).status).toBe(303);
    expect(await names()).toEqual(before.toReversed());
    for (const wrong of [[], before.slice(1), [...before, before[0]!], before.with(0, before[1]!), before.with(0, "x")])
      expect((await order(wrong)).status).toBe(409);
    expect((await order(before)).status).toBe(303);
    expect(await names()).toEqual(before);
  });

  test("refuses what a document could not have, says why, and changes nothing", async () => {
    const before = await document();
    const wrong: [string, string][][] = [
      [
        ["list", "gameVersions"],
        ["name", ""],
      ],
      [
        ["list", "gameVersions"],
        ["name", "0.4.8"],
      ],
      [
        ["list", "loaders"],
        ["name", "lonely"],
      ],
      [
        ["list", "loaders"],
        ["name", "red"],
        ["color", "red"],
        ["projectTypes", "mod"],
      ],
      [
        ["list", "categories"],
        ["name", "<b>"],
        ["projectTypes", "nothing"],
      ],
      [
        ["list", "projectTypes"],
        ["name", "gizmo"],
        ["path", "admin"],
      ],
      [
        ["list", "projectTypes"],
        ["name", "gizmo"],
        ["path", "mods"],
      ],
    ];
    const lonely = await send([
      ["list", "loaders"],
      ["name", "lonely"],
      ["action", "add"],
    ]);
    expect(lonely.text).toContain("Choose at least one project type");
    expect(lonely.text).not.toContain("Name at least one");
    for (const fields of wrong) {
      const reply = await send([...fields, ["action", "add"]]);
      expect(reply.status, JSON.stringify(fields)).toBe(400);
      expect(reply.text).toContain("The entry was not saved");
    }
    expect(
      (
        await send([
          ["list", "__proto__"],
          ["name", "x"],
        ])
      ).status,
    ).toBe(404);
    expect(await document()).toEqual(before);
  });

  test("gives back everything that was typed if it is refused", async () => {
    const { text } = await send([
      ["list", "loaders"],
      ["name", "red"],
      ["label", 'The "red" one'],
      ["icon", "anvil"],
      ["color", "red"],
      ["projectTypes", "mod"],
      ["action", "add"],
    ]);
    const form = /<details class="card" open>[\s\S]*?<\/form>/.exec(text)![0];
    expect(form).toContain("Use a color such as");
    for (const [name, value] of [
      ["name", "red"],
      ["label", "The &quot;red&quot; one"],
      ["color", "red"],
    ])
      expect(form).toContain(`name="${name}" value="${value}"`);
    expect(form).toContain('<option value="anvil" selected>');
    expect(form).toMatch(/value="mod" checked/);
  });
});

describe("the effects of a change", async () => {
  const author = await world.make.user();
  const project = await makeProject(world, author, { name: "Uses <much>", types: ["mod"] });
  await makeVersion(world, author, project.id, { loaders: ["quilt"], gameVersions: ["0.4.8", "0.4.7"] });
  await makeVersion(world, author, project.id, { loaders: ["quilt"], gameVersions: ["0.4.7"] });
  const act = (list: string, action: string, fields: [string, string][] = []) =>
    send([["list", list], ["action", action], ...fields]);
  const plain = (text: string) => text.replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");
  async function confirm({ text }: { text: string }) {
    const value = (name: string) =>
      new RegExp(`name="${name}" value="([^"]*)"`).exec(text)![1]!.replaceAll("&quot;", '"');
    return submit(office, "/admin/taxonomy", { document: value("document"), base: value("base") });
  }

  test("a removal first shows the projects and versions that use it, and the projects that no longer fit", async () => {
    const before = await document();
    const page = await act("loaders", "remove:quilt");
    expect(page.status).toBe(200);
    expect(plain(page.text)).toContain("quilt: removed; projects that use it: 1, versions: 2");
    expect(page.text).toContain("1 project would no longer fit");
    expect(page.text).toContain("Uses &lt;much>");
    expect(await document()).toEqual(before);
    const version = await act("gameVersions", "remove:0.4.8");
    expect(plain(version.text)).toContain("0.4.8: removed; projects that use it: 1, versions: 1");
    expect(version.text).not.toContain("no longer fit");
    expect((await act("loaders", "remove:nothing")).status).toBe(404);
  });

  test("the button applies the change; a type takes its own loaders and categories along", async () => {
    for (const [list, ...fields] of [
      ["projectTypes", ["name", "cap"]],
      ["loaders", ["name", "capper"], ["projectTypes", "cap"]],
      ["categories", ["name", "wool"], ["projectTypes", "cap"], ["projectTypes", "mod"]],
    ] as [string, ...[string, string][]][])
      expect((await act(list, "add", fields)).status).toBe(303);
    const page = await act("projectTypes", "remove:cap");
    expect(plain(page.text)).toContain("capper: removed; no project uses it");
    expect((await confirm(page)).status).toBe(303);
    const { projectTypes, loaders, categories } = await document();
    expect(projectTypes.map(({ name }: { name: string }) => name)).not.toContain("cap");
    expect(loaders.map(({ name }: { name: string }) => name)).not.toContain("capper");
    expect(categories.at(-1)).toMatchObject({ name: "wool", projectTypes: ["mod"] });
  });

  test("a change shows the new name; everything else of the entry stays, and other entries follow a type", async () => {
    const entry = await office.get("/admin/taxonomy/entry?list=projectTypes&name=mod", {
      headers: { accept: "text/html" },
    });
    expect(entry.text).toContain('name="name" value="mod"');
    const fields: [string, string][] = [
      ["name", "addon"],
      ["label", "Add-on"],
      ["icon", ""],
    ];
    const page = await act("projectTypes", "edit:mod", fields);
    expect(page.text).toContain("mod is renamed to addon. Projects keep the old name.");
    expect(plain(page.text)).toContain("mod: removed; projects that use it: 1");
    const before = await document();
    expect((await confirm(page)).status).toBe(303);
    const after = await document();
    const old = before.projectTypes.find(({ name }: { name: string }) => name === "mod");
    const { plural: _plural, path: _path, icon: _icon, ...kept } = old;
    expect(after.projectTypes[before.projectTypes.indexOf(old)]).toMatchObject({
      ...kept,
      name: "addon",
      label: "Add-on",
    });
    expect(after.loaders.find(({ name }: { name: string }) => name === "quilt").projectTypes).toContain("addon");
    expect((await confirm(await act("projectTypes", "edit:addon", [["name", "mod"]]))).status).toBe(303);
    const refused = await act("loaders", "edit:quilt", [["name", "Quilt!"]]);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('value="Quilt!"');
    expect((await office.get("/admin/taxonomy/entry?list=loaders&name=nothing")).status).toBe(404);
  });
});

describe("submitTaxonomyImport", () => {
  const bring = (fields: Record<string, string>, file?: string) =>
    submitFiles(office, "/admin/taxonomy/import", fields, {
      file: file === undefined ? [] : [new File([file], "t.yaml")],
    });

  test("shows the effects of a file, and its mistakes", async () => {
    const good = await bring({}, "projectTypes: [mod]\ngameVersions: [7.7.7]");
    expect(good.status).toBe(200);
    expect(good.text).toContain("1 added: 7.7.7");
    expect((await document()).gameVersions[0].value).not.toBe("7.7.7");
    const wrong = await bring({}, "projectTypes: [mod]\ngameVersion: [<b>]");
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain("Line 2, column 1");
    expect(wrong.text).toContain("gameVersion: [&lt;b>]");
    expect((await bring({})).text).toContain("Choose a template or a file, or enter a URL.");
    expect([400, 413]).toContain((await bring({}, "x".repeat(1024 * 1024 + 1))).status);
  });

  test("shows the effects of a template, and of no unknown one", async () => {
    const { status, text } = await bring({ preset: "luanti" });
    expect(status).toBe(200);
    expect(text).toContain("2 added: game, texture-pack");
    expect((await document()).projectTypes.some(({ name }: { name: string }) => name === "game")).toBe(false);
    expect((await bring({ preset: "__proto__" })).status).toBe(400);
  });

  test("fetches a URL, but none of this network, and nothing too large", async () => {
    for (const url of [
      "http://example.org/t.yaml",
      "https://127.0.0.1/",
      "https://localhost/",
      "ftp://x",
      "x",
      "https://10.0.0.1/t",
    ]) {
      const { status, text } = await bring({ url });
      expect(status, url).toBe(400);
      expect(text).toContain('id="url-wrong"');
      expect(text).toContain(`value="${url}"`);
    }
    const server = createServer((request, response) => {
      const body =
        request.url === "/large" ? "x".repeat(2 * 1024 * 1024) : "projectTypes: [mod]\ngameVersions: [6.6.6]";
      if (request.url === "/missing") response.statusCode = 404;
      response.end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      // Allowed by the operator, for closed networks.
      const open = await testApp({ sharedWith: world, settings: { MODSHELF_WEBHOOK_ALLOW_PRIVATE: "on" } });
      const there = open.as.user(await open.make.user({ role: "admin" }));
      const fetchFrom = (path: string) => submitFiles(there, "/admin/taxonomy/import", { url: `${base}${path}` });
      expect((await fetchFrom("/t.yaml")).text).toContain("1 added: 6.6.6");
      for (const path of ["/large", "/missing"]) expect((await fetchFrom(path)).status).toBe(400);
    } finally {
      server.close();
    }
  });
});
