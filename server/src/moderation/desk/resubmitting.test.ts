// A rejected project is submitted again: its author answers point by point, it keeps its place, and moderators see the
// changes.
import { describe, expect, test } from "vitest";
import { submit } from "#test/callers/page-forms.js";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { carryOut, look, queueProject } from "#test/worlds/desk-world.js";
import { makeVersion } from "#test/worlds/versions.js";

const day = 24 * 60 * 60 * 1000;
const world = await testApp();
const { as, make, resources, clock } = world;
const { db } = resources;
const owner = await make.user();
const moderator = await make.user({ role: "moderator" });
const desk = as.user(moderator);
const author = as.user(owner);

/** A project that its author submitted, and that was rejected for two reasons. */
async function turnDown(name: string, decision = "draft") {
  const project = await makeProject(world, owner, {
    name,
    status: "draft",
    description: "One line\nA second line\nThe end",
    license_id: "MIT",
  } as never);
  await makeVersion(world, owner, project.id);
  expect((await submit(author, `/project/${project.slug}/submit`)).status).toBe(303);
  clock.advance(1000);
  const path = `/moderation/queue/${project.id}`;
  await submit(desk, `${path}/claim`);
  const fields: [string, string][] = [
    ["problem", "description"],
    ["problem", "links"],
    ["decision", decision],
  ];
  expect((await submit(desk, `${path}/decide`, fields)).status).toBe(303);
  await carryOut(world);
  return { ...project, path };
}

describe("the requested changes", () => {
  test("appear point by point on the author's page, each with a link to its field", async () => {
    const { slug } = await turnDown("Asked for");
    const { text } = await look(author, `/project/${slug}/moderation`);
    expect(text).toContain(`/project/${slug}/settings/description`);
    expect(text).toContain(`/project/${slug}/settings/links`);
    expect(text).toContain('name="note-description"');
    expect(text).toContain("keep your place");
    for (const path of ["/settings/description", "/settings/links", "/settings/tags", "/settings/license"])
      expect((await look(author, `/project/${slug}${path}`)).status, path).toBe(200);
  });

  test("getDashboardPage and getOwnProjectsPage name them, apart from drafts, until the project is submitted again", async () => {
    const { slug } = await turnDown("Sent back");
    await turnDown("Refused", "rejected");
    await makeProject(world, owner, { name: "Unfinished", status: "draft" });
    const lineOf = async (name: string) => {
      const { text } = await look(author, "/dashboard");
      const plain = text.replace(/<[^>]*>/g, " ").replace(/[\u2068\u2069]/g, "");
      return new RegExp(`${name} [^.]*\\.`).exec(plain)?.[0];
    };
    expect(await lineOf("Sent back")).toBe("Sent back needs changes: Unclear description; Misleading link.");
    expect(await lineOf("Refused")).toBe("Refused was not approved.");
    expect(await lineOf("Unfinished")).toBe("Unfinished is a draft.");
    expect((await look(author, "/dashboard/projects")).text).toContain("Needs changes");
    await submit(author, `/project/${slug}/submit`);
    expect(await lineOf("Sent back")).toBeUndefined();
  });

  test("submitForReview takes ticks and words to each, and gives them back when something is wrong", async () => {
    const { slug, id, path } = await turnDown("Answered");
    const wrong = await submit(author, `/project/${slug}/submit`, {
      fixed: "links",
      "note-links": "x".repeat(600),
      note: "typed <b>",
    });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain("typed &lt;b>");
    expect(wrong.text).toContain('id="note-links-wrong"');
    const sent = await submit(author, `/project/${slug}/submit`, {
      fixed: ["links", "nonsense"],
      "note-links": "They lead <home> now",
      note: "Thank you",
    });
    expect(sent.status).toBe(303);
    const { text } = await look(desk, path);
    expect(text).toContain("They lead &lt;home> now");
    expect(text).toContain("not done");
    expect(text).toContain("No changes.");
    const kept = await db.selectFrom("submissions").selectAll().where("project_id", "=", id).execute();
    expect(kept).toHaveLength(2);
  });
});

describe("getReviewPage", () => {
  test("shows moderators the differences from the version that they decided about", async () => {
    const { slug, id, path } = await turnDown("Changed <since>");
    await db
      .updateTable("projects")
      .set({ description: "One line\nAnother second line\nThe end", source_url: "https://code.example/x" })
      .where("id", "=", id)
      .execute();
    await author.patch(`/api/project/${id}/disclosures`, { ai: ["code", "art"] });
    await makeVersion(world, owner, id);
    expect((await submit(author, `/project/${slug}/submit`)).status).toBe(303);
    const { text } = await look(desk, path);
    const changes = text.slice(text.indexOf('id="since"'), text.indexOf('id="see-head"'));
    expect(changes).toContain("<ins>+ Another second line</ins>");
    expect(changes).toContain("<del>− A second line</del>");
    expect(changes).toContain("https://code.example/x");
    expect(changes).toMatch(/<ins[^>]*>[^<]*\.jar \(/);
    expect(changes).toContain("AI: code, art");
    expect(changes).not.toContain("License");
    expect(text.slice(text.indexOf('id="see-disclosures"'))).toContain("Used for: code, art or sound");
  });

  test("shows no changes if there was no decision before", async () => {
    const project = await queueProject(world, owner);
    expect((await look(desk, `/moderation/queue/${project.id}`)).text).not.toContain('id="since"');
  });
});

describe("the place in the queue", () => {
  const placeOf = async (id: string) =>
    ((await author.get(`/api/project/${id}/review`)).body as { position: number }).position;

  test("is kept by an author who resubmits within seven days", async () => {
    const early = await turnDown("Early bird");
    const waiting = await queueProject(world, owner);
    clock.advance(6 * day);
    await make.confirmed(moderator);
    expect((await submit(author, `/project/${early.slug}/submit`)).status).toBe(303);
    expect(await placeOf(early.id)).toBeLessThan(await placeOf(waiting.id));
    const { text } = await look(desk, "/moderation/queue");
    expect(text.indexOf(early.path)).toBeLessThan(text.indexOf(`/moderation/queue/${waiting.id}`));
  });

  test("is lost afterwards", async () => {
    const late = await turnDown("Latecomer");
    const waiting = await queueProject(world, owner);
    clock.advance(8 * day);
    await make.confirmed(moderator);
    expect((await submit(author, `/project/${late.slug}/submit`)).status).toBe(303);
    expect(await placeOf(late.id)).toBeGreaterThan(await placeOf(waiting.id));
  });
});
