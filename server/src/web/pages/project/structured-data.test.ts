// The structured data of pages: one block of JSON-LD each, in the vocabulary of schema.org.
import { describe, expect, test } from "vitest";
import { siteUrl, testApp } from "#test/server/harness.js";
import { makeOrg, makeProject, setProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make } = world;
const ada = await make.user();
const hostile = "</script><b>&\u2028";
const mod = await makeProject(world, ada, { name: hostile, summary: 'It says "hello"' });
await makeVersion(world, ada, mod.id, { versionNumber: "1.5", channel: "release" });
const path = `/project/${mod.slug}`;

type Thing = Record<string, unknown>;

/** By type. Checks that the page has at most one block and that it is well-formed. */
async function thingsOn(address: string): Promise<Record<string, Thing>> {
  const { text } = await as.anyone.get(address, { headers: { accept: "text/html" } });
  const blocks = [...text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)];
  expect(blocks.length, address).toBeLessThanOrEqual(1);
  if (blocks.length === 0) return {};
  const { "@context": context, "@graph": graph, ...only } = JSON.parse(blocks[0]![1]!);
  expect(context).toBe("https://schema.org");
  const things: Thing[] = graph ?? [only];
  return Object.fromEntries(things.map((thing) => [thing["@type"], thing]));
}

const wayOf = ({ BreadcrumbList }: Record<string, Thing>) =>
  (BreadcrumbList!.itemListElement as { position: number; name: string; item: string }[]).map(
    ({ position, name, item }) => [position, name, item],
  );

describe("structured data", () => {
  test("the start page is a website with a search", async () => {
    const { WebSite } = await thingsOn("/");
    expect(WebSite).toMatchObject({
      url: `${siteUrl}/`,
      potentialAction: { "@type": "SearchAction", target: { urlTemplate: `${siteUrl}/search?q={search_term_string}` } },
    });
  });

  test("a project is a free application with breadcrumbs", async () => {
    const things = await thingsOn(path);
    expect(things.SoftwareApplication).toMatchObject({
      name: hostile,
      description: 'It says "hello"',
      url: `${siteUrl}${path}`,
      softwareVersion: "1.5",
      offers: { price: 0 },
      author: { "@type": "Person", name: ada.userName },
    });
    expect(wayOf(things)).toEqual([
      [1, "Mods", `${siteUrl}/mods`],
      [2, hostile, `${siteUrl}${path}`],
    ]);
  });

  test("its other pages have breadcrumbs", async () => {
    expect(wayOf(await thingsOn(`${path}/versions`))[2]).toEqual([3, "Versions", `${siteUrl}${path}/versions`]);
    const version = wayOf(await thingsOn(`${path}/version/1.5`));
    expect(version.map(([, , item]) => item)).toEqual([
      `${siteUrl}/mods`,
      `${siteUrl}${path}`,
      `${siteUrl}${path}/versions`,
      `${siteUrl}${path}/version/1.5`,
    ]);
    const { text } = await as.anyone.get(`${path}/version/1.5`);
    expect(text).toContain(`property="og:image" content="${siteUrl}/og/project/${mod.id}.png"`);
  });

  test("users, organizations and collections have their types", async () => {
    const org = await makeOrg(world, ada, { name: "Lamp Guild" });
    const { collectionId } = (await as.user(ada).post("/api/collections", { name: "</script><b>", projects: [mod.id] }))
      .body;
    expect((await thingsOn(`/user/${ada.userName}`)).ProfilePage).toMatchObject({
      mainEntity: { "@type": "Person", alternateName: ada.userName, url: `${siteUrl}/user/${ada.userName}` },
    });
    expect((await thingsOn(`/organization/${org.slug}`)).Organization).toMatchObject({
      name: "Lamp Guild",
      url: `${siteUrl}/organization/${org.slug}`,
      member: [{ "@type": "Person", name: ada.userName }],
    });
    const collection = await thingsOn(`/collection/${collectionId}`);
    expect(collection.CollectionPage).toMatchObject({
      name: "</script><b>",
      hasPart: [{ "@type": "SoftwareApplication", url: `${siteUrl}${path}` }],
    });
    expect(wayOf(collection).map(([, , item]) => item)).toEqual([
      `${siteUrl}/user/${ada.userName}`,
      `${siteUrl}/collection/${collectionId}`,
    ]);
  });

  test("pages that are not indexed have none", async () => {
    const quiet = await makeProject(world, ada, { name: "Quiet" });
    await setProject(world, quiet.id, { visibility: "unlisted" });
    expect(await thingsOn(`/project/${quiet.slug}`)).toEqual({});
    expect(await thingsOn(`${path}/download`)).toEqual({});
    const { collectionId } = (await as.user(ada).post("/api/collections", { name: "Unlisted", visibility: "unlisted" }))
      .body;
    expect(await thingsOn(`/collection/${collectionId}`)).toEqual({});
  });
});
