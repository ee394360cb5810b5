// The filters of project lists and the set-up of the visitor, as a browser without script uses them.
import { describe, expect, test } from "vitest";
import type { Environment } from "#platform/db/tables.js";
import type { Reply } from "#test/callers/actors.js";
import { testApp } from "#test/server/harness.js";
import { makeProject, setProject } from "#test/worlds/content.js";
import { listWorld } from "#test/worlds/list-world.js";
import { makeVersion } from "#test/worlds/versions.js";

const { world, author, quilted, puzzling, page, names } = await listWorld();
const { as } = world;
const goesTo = ({ status, headers }: Reply) => [status, headers.get("location")];

describe("filters", () => {
  test("must all match the same version, not only the project", async () => {
    expect(names(await page("/mods?l=quilt"))).toEqual(["Both", "Quilted"]);
    expect(names(await page("/mods?l=quilt&v=0.4.8"))).toEqual(["Quilted"]);
    expect(names(await page("/mods?l=quilt&v=0.4.7"))).toEqual([]);
  });

  test("exclude projects with any version that has the value", async () => {
    expect(names(await page("/mods?l=!quilt"))).toEqual(["Puzzling"]);
    expect(names(await page("/mods?v=!0.4.8"))).toEqual(["Both"]);
  });

  test("by loader and game version need one of the values, by category all of them, and say so", async () => {
    expect(names(await page("/mods?l=quilt&l=puzzle_loader"))).toEqual(["Both", "Puzzling", "Quilted"]);
    expect(names(await page("/mods?l=quilt&l=puzzle_loader&v=0.4.7"))).toEqual(["Puzzling"]);
    expect(names(await page("/mods?v=0.5.13&v=0.4.7"))).toEqual(["Both", "Puzzling"]);
    const { text } = await page("/mods");
    for (const title of ["Loader", "Game version"])
      expect(text).toContain(`<legend>${title} <span class="facet-meaning">any of these</span>`);
    // The public interface keeps its meaning: one version with both loaders.
    const { body } = await as.anyone.get("/api/search?type=mod&l=quilt&l=puzzle_loader");
    expect(body.hits.map(({ name }: { name: string }) => name)).toEqual(["Both thing"]);
  });

  test("keep all their values if nothing is found, with the number that each would find", async () => {
    const { text } = await page("/mods?l=quilt&v=0.4.7");
    const countOf = (value: string) =>
      new RegExp(`data-count="${value.replaceAll(".", "\\.")}">(\\d+) *<`).exec(text)?.[1];
    expect(["l.quilt", "l.puzzle_loader", "v.0.4.7", "v.0.4.8", "v.0.5.13"].map(countOf)).toEqual([
      ...["0", "1", "0", "1", "1"],
    ]);
  });

  test("by what authors state leave projects alone whose authors have stated nothing", async () => {
    const own = await testApp();
    const owner = await own.make.user();
    const state = async (name: string, disclosures: object) => {
      const { id } = await makeProject(own, owner, { name: `${name} lamp` });
      await setProject(own, id, { disclosures: JSON.stringify(disclosures) });
    };
    const found = async (query: string) =>
      [...(await page(`/mods?${query}`, { actor: own.as.anyone })).text.matchAll(/>(\w+) lamp<\/a>/g)].map(
        ([, name]) => name,
      );
    await state("Silent", {});
    // A filter that no project needs is not shown.
    expect((await page("/mods", { actor: own.as.anyone })).text).not.toContain("Stated by authors");
    await state("Painted", { ai: ["art"], telemetry: { present: false, details: "", url: null } });
    await state("Handmade", { ai: [] });
    expect((await found("d=!ai")).sort()).toEqual(["Handmade", "Silent"]);
    expect(await found("d=no-ai")).toEqual(["Handmade"]);
    expect(await found("d=ai-art&d=no-telemetry")).toEqual(["Painted"]);
    const { text } = await page("/mods?d=!ai-art&d=nonsense", { actor: own.as.anyone });
    for (const words of [
      "Not AI-generated art or sound",
      "Ignored unknown filter: d=nonsense",
      'data-count="d.no-ai">1 ',
    ])
      expect(text).toContain(words);
    const { body } = await own.as.anyone.get("/api/search?d=!ai&d=no-ai&facets=1");
    expect([body.hits.length, body.facets.d]).toEqual([1, { "no-ai": 1 }]);
    expect(await own.as.anyone.get("/api/search?d=robots")).toFail(400);
  });

  test("by environment count required and optional, or one side alone", async () => {
    const own = await testApp();
    const owner = await own.make.user();
    const sided = async (name: string, clientSide: Environment, serverSide: Environment) => {
      const { id } = await makeProject(own, owner, { name: `${name} lamp` });
      await makeVersion(own, owner, id, { loaders: ["quilt"], gameVersions: ["0.4.1"] });
      await setProject(own, id, { client_side: clientSide, server_side: serverSide });
    };
    await sided("Anywhere", "required", "optional");
    await sided("Everywhere", "required", "required");
    await sided("Player", "required", "unsupported");
    await sided("Host", "unsupported", "required");
    const found = async (query: string) =>
      [...(await page(`/mods?${query}`, { actor: own.as.anyone })).text.matchAll(/>(\w+) lamp<\/a>/g)]
        .map(([, name]) => name)
        .sort();
    expect(await found("e=server")).toEqual(["Anywhere", "Everywhere", "Host"]);
    expect(await found("e=client")).toEqual(["Anywhere", "Everywhere", "Player"]);
    expect(await found("e=server-only")).toEqual(["Host"]);
    expect(await found("e=client-only")).toEqual(["Player"]);
    expect(await found("e=both")).toEqual(["Everywhere"]);
    expect(await found("e=client&e=server")).toEqual(["Everywhere"]);
    // The public interface keeps its meaning: usable on servers without the other side.
    const { body } = await own.as.anyone.get("/api/search?e=server&facets=1");
    expect(body.hits.map(({ name }: { name: string }) => name)).toEqual(["Host lamp"]);
    expect(Object.keys(body.facets.e).sort()).toEqual(["client", "server"]);
  });

  test("come from a form without script, and are redirected to the short URL", async () => {
    const long = "q=&v.0.4.8=&l.quilt=only&l.puzzle_loader=not&c.utility=&ch=&li=&sort=trending&n=20";
    expect(goesTo(await page(`/mods?${long}`))).toEqual([303, "/mods?l=quilt&l=!puzzle_loader"]);
    expect(goesTo(await page("/search?q=thing&sortby=downloads"))).toEqual([303, "/search?q=thing&sort=downloads"]);
    expect(goesTo(await page("/projects?type=shader&l.simply_shaders=only"))).toEqual([
      303,
      "/projects?type=shader&l=simply_shaders",
    ]);
  });

  test("are passed by a link for keyboards", async () => {
    expect((await page("/mods")).text).toMatch(
      /<a class="skip wide-only" href="#results">Skip to results<\/a>.*id="results"/s,
    );
  });

  test("can be removed one by one", async () => {
    const { text } = await page("/mods?l=quilt&v=!0.4.7");
    expect(text).toContain('class="chip" href="/mods?v=!0.4.7" aria-label="Remove filter: Quilt"');
    expect(text).toContain('class="chip" href="/mods?l=quilt" aria-label="Remove filter: Not 0.4.7"');
    expect(text).toContain('<a href="/mods">Clear all filters</a>');
    expect(text).toMatch(/name="l" value="quilt" checked/);
    expect(text).toMatch(/name="v" value="!0\.4\.7" checked/);
  });

  test("that are unknown are ignored and reported", async () => {
    const reply = await page("/mods?c=%3Cscript%3E&sort=luck&page=0&n=9999&view=wall");
    expect(names(reply)).toEqual(["Both", "Puzzling", "Quilted"]);
    expect(reply.text).toContain("sort=luck");
    expect(reply.text).not.toContain("<script>,");
    expect(await page("/mods?__proto__=x&constructor=y&l.__proto__=only&l.constructor=not")).toBeDefined();
  });

  test("with an unknown loader or game version find nothing, and can be removed", async () => {
    for (const query of ["v=9.9.9", "l=forge", "l=__proto__", "v=constructor"]) {
      const reply = await page(`/mods?${query}`);
      expect([reply.status, names(reply)], query).toEqual([200, []]);
      expect(reply.text).toContain('class="chip" href="/mods"');
      const [name, value] = query.split("=");
      expect(reply.text).toContain(`name="${name}" value="${value}" checked`);
    }
    expect(names(await page("/mods?v=!9.9.9"))).toEqual(["Both", "Puzzling", "Quilted"]);
  });

  test("by release channel must match the same version, and are part of the URL", async () => {
    const early = await makeProject(world, author, { name: "Early lamp", types: ["shader"] });
    await makeVersion(world, author, early.id, {
      channel: "beta",
      loaders: ["simply_shaders"],
      gameVersions: ["0.4.8"],
    });
    await makeVersion(world, author, early.id, {
      channel: "release",
      loaders: ["simply_shaders"],
      gameVersions: ["0.4.7"],
    });
    const has = async (query: string) =>
      (await page(`/shaders?q=early&${query}`)).text.includes(`/project/${early.slug}"`);
    expect(await has("ch=release")).toBe(true);
    expect(await has("ch=release&v=0.4.8")).toBe(false);
    expect(await has("ch=beta&v=0.4.8")).toBe(true);
    const { text } = await page("/shaders?q=early&ch=beta");
    expect(text).toContain('class="chip" href="/shaders?q=early" aria-label="Remove filter: Beta and up"');
    expect(text).toMatch(/name="ch" value="beta" checked/);
    expect((await page("/shaders?ch=beta-only")).text).toContain("Beta only");
    expect((await page("/shaders?ch=beta")).text).toContain('rel="canonical" href="http://modshelf.test/shaders"');
    expect(goesTo(await page("/shaders?ch=alpha&l.simply_shaders=only"))).toEqual([
      303,
      "/shaders?l=simply_shaders&ch=alpha",
    ]);
  });

  test("that find nothing say which one removes most", async () => {
    const { text } = await page("/mods?l=quilt&v=0.4.7");
    expect(text).toContain("No results");
    expect(text).toContain('<a href="/mods?l=quilt">Without 0.4.7: 2 projects</a>');
    expect(text).toContain('<a href="/mods?v=0.4.7">Without Quilt: 1 project</a>');
    expect(text.indexOf("Without 0.4.7")).toBeLessThan(text.indexOf("Without Quilt"));
  });

  test("have nothing to remove if only the words find nothing", async () => {
    const { text } = await page("/mods?q=zzzzzz");
    expect(text).toContain("Check the spelling, or try other words.");
    expect(text).toMatch(/href="\/mods">Browse without a search</);
    expect(text).not.toContain("Clear all filters");
  });
});

describe("the visitor's set-up", () => {
  test("is compared with each project: a fitting version can be downloaded, others show the newest", async () => {
    const { text } = await page("/mods", { setup: "0.4.8|quilt" });
    const card = (slug: string) =>
      text.split('<li class="project-card">').find((part) => part.includes(`/project/${slug}"`))!;
    expect(card(quilted.slug)).toContain("Works with your setup");
    expect(card(quilted.slug)).toMatch(/<a class="[^"]*get" href="[^"]*\/cdn\/data\/project\/[^"]*"/);
    expect(card(puzzling.slug)).toContain("No Quilt version");
    expect((await page("/mods?q=quilted", { setup: "0.4.7|quilt" })).text).toContain("For 0.4.8");
    expect(card(puzzling.slug)).not.toContain("Download");
    expect(text).toContain("Only for my setup: 0.4.8 · Quilt");
    expect(text).toContain('href="/mods?fit=0.4.8&amp;fit=quilt"');
  });

  test("has loaders for several types, and each project is compared with those that it can have", async () => {
    const setup = "0.4.8|quilt";
    const shaders = await page("/shaders", { setup });
    expect(shaders.text).not.toContain("No Quilt version");
    expect(shaders.text).toContain("Works with your setup");
    expect(shaders.text).toContain("Only for my setup: 0.4.8");
    expect(shaders.text).toContain('href="/shaders?fit=0.4.8"');
    expect(names(await page("/shaders?fit=0.4.8&fit=quilt"))).toEqual(["Shiny"]);
    expect(names(await page("/search?q=thing&fit=0.4.8&fit=quilt"))).toEqual(["Quilted", "Shiny"]);
    expect(names(await page("/mods?fit=0.4.8&fit=quilt&fit=puzzle_loader"))).toEqual(["Puzzling", "Quilted"]);
    expect(names(await page("/mods?fit=0.4.8&fit=simply_shaders"))).toEqual(["Puzzling", "Quilted"]);
    const both = await page("/mods", { setup: "0.4.8|simply_shaders|puzzle_loader" });
    expect(both.text).toContain("No Puzzle Loader version");
    expect(both.text).toContain("0.4.8 · Simply Shaders · Puzzle Loader");
    // Nothing to compare with: shaders have none of these loaders.
    expect((await page("/shaders", { setup: "|quilt" })).text).not.toContain("Only for my setup");
  });

  test("prefers releases, and says so if there is only a beta", async () => {
    const early = await makeProject(world, author, { name: "Beta lamp" });
    const fits = { loaders: ["quilt"], gameVersions: ["0.4.8"] };
    await makeVersion(world, author, early.id, { ...fits, channel: "beta", versionNumber: "1.0" });
    const { text } = await page("/mods?q=beta+lamp", { setup: "0.4.8|quilt" });
    expect(text).toContain("Works with your setup (beta)");
    expect(text).toContain("<span>Download beta</span>");
    await makeVersion(world, author, early.id, { ...fits, channel: "release", versionNumber: "1.1" });
    await makeVersion(world, author, early.id, { ...fits, channel: "beta", versionNumber: "1.2" });
    const stable = await page("/mods?q=beta+lamp", { setup: "0.4.8|quilt" });
    expect(stable.text).not.toContain("(beta)");
    expect(stable.text).toContain("<span>Download</span>");
  });

  test("leads to the download page if a version needs others", async () => {
    const needy = await makeProject(world, author, { name: "Needy lamp" });
    const dependencies = [{ projectId: quilted.id, versionId: null, type: "required" as const }];
    await makeVersion(world, author, needy.id, {
      ...{ versionNumber: "1.2", loaders: ["quilt"], gameVersions: ["0.4.8"], dependencies },
    });
    const { text } = await page("/mods?q=needy", { setup: "0.4.8|quilt" });
    expect(text).toContain(`href="/project/${needy.slug}/download?version=1.2"`);
    expect((await page("/mods?q=needy")).text).not.toContain("Works with your setup");
  });

  test("is ignored if it is invalid", async () => {
    for (const setup of ["<script>|x", "0.4.8", "|||", "a".repeat(300), `0.4.8${"|quilt".repeat(40)}`])
      expect(await page("/mods", { setup })).toSucceed();
  });
});
