// Single entries of the taxonomy, added and moved with forms.
import { describe, expect, test } from "vitest";
import { submit } from "#test/callers/page-forms.js";
import { testApp } from "#test/server/harness.js";

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
        ["name", name],
        ["action", action],
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
    for (const fields of wrong) {
      const reply = await send([...fields, ["action", "add"]]);
      expect(reply.status, JSON.stringify(fields)).toBe(400);
      expect(reply.text).toContain("The entry was not added");
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
});
