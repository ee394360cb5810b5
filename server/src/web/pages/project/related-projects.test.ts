// Other projects on the page of a project: similar ones, those of the same author, and those that a modpack includes.
import { expect, test } from "vitest";
import { liveIndexOf } from "#discovery/search/live-index.js";
import type { Actor } from "#test/callers/actors.js";
import { readPage } from "#test/callers/page-forms.js";
import { testApp } from "#test/server/harness.js";
import { countStatements, leastCounts } from "#test/server/statement-count.js";
import { makeProject, type ProjectOptions, setProject, type TestProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make, resources } = world;
const author = await make.user();
const other = await make.user();

interface Options extends ProjectOptions {
  categories?: string[];
  by?: typeof author;
  downloads?: number;
}

async function project(name: string, { categories = [], by = other, downloads = 0, ...options }: Options = {}) {
  const made = await makeProject(world, by, { name, ...options });
  for (const category of categories)
    await resources.db
      .insertInto("project_categories")
      .values({ project_id: made.id, category, featured: 0 })
      .execute();
  await setProject(world, made.id, { downloads });
  return made;
}

/** The names in the block with this heading. */
async function namesIn(heading: RegExp, { slug }: TestProject, actor: Actor = as.anyone): Promise<string[]> {
  await liveIndexOf(resources).current();
  const { text } = await readPage(actor, `/project/${slug}`);
  const blocks = text.split('<section class="stack related">').slice(1);
  const block = blocks.find((each) => heading.test(each.slice(0, each.indexOf("</h2>")))) ?? "";
  return [...block.split("</section>")[0]!.matchAll(/<h3><a href="[^"]*" dir="auto">([^<]*)</g)].map(
    ([, name]) => name!,
  );
}
const similar = /Similar projects/;

test("similar projects share the rarest tags, then are the most downloaded; never itself, hidden or of another type", async () => {
  const lantern = await project("Lantern", { categories: ["decoration", "utility"], by: author });
  await project("Both tags", { categories: ["decoration", "utility"], downloads: 1 });
  await project("Rare tag", { categories: ["decoration"], downloads: 5 });
  await project("Popular", { categories: ["utility"], downloads: 900 });
  await project("Less popular", { categories: ["utility"], downloads: 90 });
  await project("Hardly known", { categories: ["utility"], downloads: 9 });
  await project("New", { categories: ["utility"] });
  await project("Unrelated", { categories: ["library"], downloads: 9000 });
  await project("Shader", { categories: ["decoration"], types: ["shader"], downloads: 9000 });
  await project("Draft", { categories: ["decoration"], status: "draft" });
  await project("Unlisted", { categories: ["decoration"], visibility: "unlisted" });
  const hidden = await project("Soon hidden", { categories: ["decoration"], downloads: 4 });
  const expected = ["Both tags", "Rare tag", "Soon hidden", "Popular", "Less popular", "Hardly known"];
  for (const actor of [as.anyone, as.user(other), as.user(author), as.anyone])
    expect(await namesIn(similar, lantern, actor)).toEqual(expected);
  await setProject(world, hidden.id, { visibility: "private" });
  // At once, before the index has seen the change.
  expect((await readPage(as.anyone, `/project/${lantern.slug}`)).text).not.toContain("Soon hidden");
  expect(await namesIn(similar, lantern)).not.toContain("Soon hidden");
});

test("projects of the same author are shown apart, and at most four; a similar name is another author", async () => {
  const alike = await make.user({ userName: `${author.userName}-x` });
  await project("Foreign thing", { by: alike });
  const made = [];
  for (let at = 0; at < 6; at++) made.push(await project(`Own ${at}`, { by: author, downloads: 10 * at }));
  expect(await namesIn(/More by/, made[0]!)).toEqual(["Own 5", "Own 4", "Own 3", "Own 2"]);
  expect(await namesIn(/More by/, made[5]!)).toEqual(["Own 4", "Own 3", "Own 2", "Own 1"]);
  const lonely = await project("Lonely", { by: await make.user() });
  expect((await readPage(as.anyone, `/project/${lonely.slug}`)).text).not.toMatch(/More by|Similar projects/);
});

test("a modpack lists what its newest release includes, with the version, and links to the rest", async () => {
  const pack = await project("Pack", { types: ["modpack"], by: await make.user() });
  const parts: TestProject[] = [];
  for (let at = 0; at < 22; at++) parts.push(await project(`Part ${String(at).padStart(2, "0")}`));
  const version = await makeVersion(world, other, parts[0]!.id, { versionNumber: "3.2.1" });
  const on = (part: TestProject, versionId: string | null = null, type: "embedded" | "optional" = "embedded") => ({
    projectId: part.id,
    ...{ versionId, type },
  });
  const owner = author;
  await makeVersion(world, owner, pack.id, { versionNumber: "0.9", dependencies: [on(parts[5]!)] });
  await makeVersion(world, owner, pack.id, {
    versionNumber: "1.0",
    dependencies: [on(parts[0]!, version.id), on(parts[1]!), on(parts[2]!, null, "optional")],
  });
  expect((await namesIn(/Included projects/, pack)).sort()).toEqual(["Part 00", "Part 01"]);
  const { text } = await readPage(as.anyone, `/project/${pack.slug}`);
  expect(text).toContain(`<a href="/project/${parts[0]!.slug}/version/3.2.1">3.2.1</a>`);
  await setProject(world, parts[1]!.id, { visibility: "private" });
  for (const actor of [as.anyone, as.user(other)])
    expect(await namesIn(/Included projects/, pack, actor)).toEqual(["Part 00"]);
  await makeVersion(world, owner, pack.id, {
    versionNumber: "2.0",
    dependencies: parts.slice(1).map((part) => on(part)),
  });
  await setProject(world, parts[1]!.id, { visibility: "listed" });
  expect(await namesIn(/Included projects/, pack)).toHaveLength(20);
  const whole = (await readPage(as.anyone, `/project/${pack.slug}`)).text;
  expect(whole).toContain(`<a href="/project/${pack.slug}/version/2.0">Show all 21</a>`);
});

test("they need no statement", async () => {
  const alone = await project("Alone", { by: await make.user() });
  const many = await project("Among many", { categories: ["decoration"], by: author });
  await liveIndexOf(resources).current();
  const visitor = as.user(await make.user());
  const count =
    ({ slug }: TestProject) =>
    () =>
      countStatements(resources.db, () => readPage(visitor, `/project/${slug}`));
  for (const each of [alone, many]) await count(each)();
  const { first, second } = await leastCounts(count(alone), count(many));
  expect(second).toBe(first);
});
