// Ranking: a small registry, and texts with an obvious best result. The same on both databases.
import { describe, expect, test } from "vitest";
import { testApp } from "#test/server/harness.js";
import { makeProject, setProject } from "#test/worlds/content.js";
import { corpus, expectations } from "#test/worlds/search-corpus.js";

const world = await testApp();
const { as, make } = world;
const authors = new Map<string, Awaited<ReturnType<typeof make.user>>>();

for (const { author, name, slug, summary, description, downloads } of corpus) {
  // Usernames are Latin only; this test is about the projects.
  const userName = /^[\w-]+$/.test(author) ? author : `author${authors.size}`;
  const owner = authors.get(author) ?? (await make.user({ userName }));
  authors.set(author, owner);
  const project = await makeProject(world, owner, { name, slug, summary, description });
  await setProject(world, project.id, { downloads });
}

const search = async (text: string) => {
  const reply = await as.anyone.get(`/api/search?q=${encodeURIComponent(text)}&limit=5`);
  return reply.body.hits.map(({ slug }: { slug: string }) => slug);
};

describe("searchProjects", () => {
  test("covers more than 60 queries", () => {
    expect(expectations.length).toBeGreaterThanOrEqual(60);
  });

  test.each(expectations)("finds for %j first %s: %s", async (text, first) => {
    const slugs = await search(text);
    expect(slugs[0], slugs.join(", ")).toBe(first);
  });
});
