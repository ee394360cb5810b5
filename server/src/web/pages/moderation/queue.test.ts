// The queue and the review of a project with plain forms: access, content, and the effects of a decision.
import { describe, expect, test } from "vitest";
import type { Reply } from "#test/callers/actors.js";
import { submit } from "#test/callers/page-forms.js";
import { testApp } from "#test/server/harness.js";
import { addMember, makeProject } from "#test/worlds/content.js";
import { carryOut, look, queueProject } from "#test/worlds/desk-world.js";

const world = await testApp();
const { as, make, resources } = world;
const { db } = resources;
const owner = await make.user();
const member = await make.user();
const moderator = await make.user({ role: "moderator" });
const other = await make.user({ role: "moderator" });
const admin = await make.user({ role: "admin" });
const desk = as.user(moderator);

const statusOf = async (id: string) =>
  (await db.selectFrom("projects").select("status").where("id", "=", id).executeTakeFirstOrThrow()).status;
const wrongWith = (page: Reply, name: string): string | undefined =>
  new RegExp(`id="${name}-wrong">([^<]*)<`).exec(page.text)?.[1];
const emptyQueue = () =>
  db.updateTable("projects").set({ status: "draft" }).where("status", "=", "processing").execute();

describe("access", () => {
  test("redirects guests and refuses members: getModerationPage, getQueuePage, getReviewPage", async () => {
    const project = await queueProject(world, owner);
    await addMember(world, project.teamId, member);
    for (const path of ["/moderation", "/moderation/queue", `/moderation/queue/${project.slug}`]) {
      const stranger = await look(as.anyone, path);
      expect(stranger.headers.get("location")).toBe(`/auth/sign-in?next=${encodeURIComponent(path)}`);
      expect((await look(as.user(member), path)).status).toBe(404);
      expect((await look(as.user(owner), path)).status).toBe(404);
      expect((await look(desk, path)).status).toBe(200);
      expect((await look(as.user(admin), path)).status).toBe(200);
    }
  });

  test("accepts no form of a member or a token: submitReviewDecision, submitReviewClaim", async () => {
    const project = await queueProject(world, owner);
    const path = `/moderation/queue/${project.id}`;
    const token = await as.token(moderator, {
      scopes: ["project_write", "version_write", "report_write", "thread_write"],
    });
    for (const [actor, status] of [
      [as.user(member), 404],
      [as.user(owner), 404],
      [token, 403],
    ] as const) {
      expect((await submit(actor, `${path}/claim`)).status).toBe(status);
      expect((await submit(actor, `${path}/decide`, { decision: "approved" })).status).toBe(status);
    }
    const stranger = await submit(as.anyone, `${path}/decide`, { decision: "approved", message: "Fine by me" });
    expect(stranger.status).toBe(401);
    expect(stranger.text).toContain("Fine by me");
    expect(await statusOf(project.id)).toBe("processing");
  });

  test("refuses a form of another site", async () => {
    const project = await queueProject(world, owner);
    const reply = await submit(desk, `/moderation/queue/${project.id}/claim`, {}, "https://elsewhere.example");
    expect(reply.status).toBe(403);
  });
});

describe("getQueuePage", () => {
  test("shows the longest waiting first, and filters by type, author, earlier decisions and claim", async () => {
    await emptyQueue();
    const newcomer = await make.user();
    const known = await make.user();
    await makeProject(world, known);
    const first = await queueProject(world, newcomer, { name: "First in line" });
    const second = await queueProject(world, known, { name: "Second <in> line", types: ["shader"] });
    await submit(desk, `/moderation/queue/${second.id}/claim`);
    const page = await look(desk, "/moderation/queue");
    expect(page.text.indexOf("First in line")).toBeLessThan(page.text.indexOf("Second &lt;in> line"));
    const shows = async (query: string) => {
      const { text } = await look(desk, `/moderation/queue?${query}`);
      return [text.includes("First in line"), text.includes("Second &lt;in> line")];
    };
    expect(await shows("type=shader")).toEqual([false, true]);
    expect(await shows("author=new")).toEqual([true, false]);
    expect(await shows("claimed=mine")).toEqual([false, true]);
    expect((await look(as.user(other), "/moderation/queue?claimed=free")).text).not.toContain("Second &lt;in>");
    expect(await shows("again=yes")).toEqual([false, false]);
    expect(await shows("type=%22%25&author=x&claimed=y&page=-3")).toEqual([true, true]);
    expect(first.id).not.toBe(second.id);
  });

  test("says if there is nothing to do", async () => {
    await emptyQueue();
    expect((await look(desk, "/moderation/queue")).text).toContain("The queue is empty");
    const next = await submit(desk, "/moderation/queue/next");
    expect(next.headers.get("location")).toBe("/moderation/queue");
  });
});

describe("submitNextReview", () => {
  test("gives two moderators at the same time two projects", async () => {
    await emptyQueue();
    const made = [await queueProject(world, owner), await queueProject(world, owner)].map(({ id }) => id);
    const replies = await Promise.all([desk, as.user(other)].map((actor) => submit(actor, "/moderation/queue/next")));
    const got = replies.map(({ headers }) => headers.get("location")!.split("/").at(-1));
    expect(got.sort()).toEqual(made.sort());
  });
});

describe("getReviewPage", () => {
  test("shows the project's content, and where else its files are used", async () => {
    const description = "# Hello\n<script>alert(1)</script>";
    const project = await queueProject(world, owner, { name: "Looked at", description });
    const page = await look(desk, `/moderation/queue/${project.slug}`);
    expect(page.text).toContain("Looked at");
    expect(page.text).toContain("MIT");
    expect(page.text).toContain(project.sha512);
    expect(page.text).not.toContain("<script>alert");
    expect(page.text).toContain("Claim");
    expect(page.text).not.toContain('name="decision"');
    expect((await look(desk, "/moderation/queue/nothing-here")).status).toBe(404);
  });

  test("names the moderator with the claim, and accepts no decision of another", async () => {
    const project = await queueProject(world, owner);
    const path = `/moderation/queue/${project.id}`;
    expect((await submit(as.user(other), `${path}/claim`)).status).toBe(303);
    const page = await look(desk, path);
    expect(page.text).toContain(`${other.userName} has claimed this`);
    expect(page.text).not.toContain('name="decision"');
    expect((await submit(desk, `${path}/claim`)).status).toBe(409);
    expect((await submit(desk, `${path}/decide`, { decision: "approved" })).status).toBe(409);
    expect(await statusOf(project.id)).toBe("processing");
  });
});

describe("submitReviewDecision", () => {
  test("approves, tells the author, and opens the next project", async () => {
    await emptyQueue();
    const first = await queueProject(world, owner, { name: "Comes first" });
    const second = await queueProject(world, owner);
    await submit(desk, `/moderation/queue/${first.id}/claim`);
    const reply = await submit(desk, `/moderation/queue/${first.id}/decide`, { decision: "approved" });
    expect(reply.status).toBe(303);
    expect(reply.headers.get("location")).toBe(`/moderation/queue/${second.id}?last=${first.id}`);
    const page = await look(desk, reply.headers.get("location")!);
    expect(page.text).toContain("You approved Comes first");
    expect(page.text).toMatch(/Final at \d\d:\d\d:\d\d UTC/);
    expect(page.text).toContain('name="decision"');
    await carryOut(world);
    const later = await look(desk, reply.headers.get("location")!);
    expect(later.text).toContain("Comes first is approved");
    expect(later.text).not.toContain("Final at");
    expect(later.text).not.toContain("/undo");
    expect(await statusOf(first.id)).toBe("approved");
    const told = await db.selectFrom("notifications").select("type").where("user_id", "=", owner.id).execute();
    expect(told).toContainEqual({ type: "status_change" });
  });

  test("builds the message from the marked checks, and takes the reason from the first one", async () => {
    const project = await queueProject(world, owner);
    const path = `/moderation/queue/${project.id}`;
    await submit(desk, `${path}/claim`);
    const fields: [string, string][] = [
      ["problem", "licence"],
      ["problem", "links"],
      ["message", "And the icon, please."],
      ["decision", "draft"],
    ];
    expect((await submit(desk, `${path}/decide`, fields)).status).toBe(303);
    await carryOut(world);
    const review = await db
      .selectFrom("reviews")
      .selectAll()
      .where("project_id", "=", project.id)
      .executeTakeFirstOrThrow();
    expect(review).toMatchObject({ status: "draft", reason: "licence", moderator_id: moderator.id });
    expect(JSON.parse(review.problems)).toEqual(["licence", "links"]);
    expect(review.message.split("\n")).toEqual([
      "Please choose a license that lets you publish everything in the files.",
      "Please check the links: each one must lead to what its label says.",
      "And the icon, please.",
    ]);
  });

  test("adds nothing to a message that the script has composed", async () => {
    const project = await queueProject(world, owner);
    const path = `/moderation/queue/${project.id}`;
    await submit(desk, `${path}/claim`);
    const fields = { problem: "licence", message: "In my own words", composed: "yes", decision: "rejected" };
    await submit(desk, `${path}/decide`, fields);
    await carryOut(world);
    const review = await db
      .selectFrom("reviews")
      .selectAll()
      .where("project_id", "=", project.id)
      .executeTakeFirstOrThrow();
    expect(review.message).toBe("In my own words");
  });

  test.each([
    [{ decision: "rejected", message: "No" }, "reason"],
    [{ decision: "rejected", reason: "fits", message: "No" }, "reason"],
    [{ decision: "approved", reason: "made up", message: "No" }, "reason"],
    [{ decision: "withheld", reason: "other", message: "  " }, "message"],
    [{ decision: "rejected", reason: "other", message: "x".repeat(2049) }, "message"],
    [{ decision: "draft", problem: "nonsense", message: "typed <b>text</b>" }, "reason"],
  ])("shows the form again for %o, with the problem beside %s", async (fields, field) => {
    const project = await queueProject(world, owner);
    const path = `/moderation/queue/${project.id}`;
    await submit(desk, `${path}/claim`);
    const page = await submit(desk, `${path}/decide`, fields as Record<string, string>);
    expect(page.status).toBe(400);
    expect(wrongWith(page, field)).toMatch(/\w/);
    if (fields.message.includes("typed")) expect(page.text).toContain("typed &lt;b>text&lt;/b>");
    expect(await statusOf(project.id)).toBe("processing");
  });

  test("accepts only known statuses, and decides nothing twice", async () => {
    const project = await queueProject(world, owner);
    const path = `/moderation/queue/${project.id}`;
    await submit(desk, `${path}/claim`);
    expect((await submit(desk, `${path}/decide`, { decision: "deleted" })).status).toBe(400);
    expect((await submit(desk, `${path}/decide`, { decision: "approved" })).status).toBe(303);
    await carryOut(world);
    expect((await submit(desk, `${path}/decide`, { decision: "approved" })).status).toBe(409);
  });
});

describe("the rest of a review", () => {
  test("submitReviewSkip drops the claim and takes the next one, or shows the queue at its end", async () => {
    await emptyQueue();
    const first = await queueProject(world, owner);
    const second = await queueProject(world, owner);
    await submit(desk, `/moderation/queue/${first.id}/claim`);
    const reply = await submit(desk, `/moderation/queue/${first.id}/skip`, { message: "half a thought" });
    expect(reply.headers.get("location")).toBe(`/moderation/queue/${second.id}`);
    expect((await submit(as.user(other), `/moderation/queue/${first.id}/claim`)).status).toBe(303);
    const end = await submit(desk, `/moderation/queue/${second.id}/skip`);
    expect(end.headers.get("location")).toBe("/moderation/queue");
  });

  test("submitReviewRelease is for the moderator with the claim", async () => {
    const project = await queueProject(world, owner);
    const path = `/moderation/queue/${project.id}`;
    await submit(desk, `${path}/claim`);
    expect((await submit(as.user(other), `${path}/release`)).status).toBe(409);
    expect((await submit(desk, `${path}/release`)).headers.get("location")).toBe("/moderation/queue");
    expect((await submit(as.user(other), `${path}/claim`)).status).toBe(303);
  });

  test("submitReviewMessage sends a message, or adds an internal note", async () => {
    const project = await queueProject(world, owner);
    const path = `/moderation/queue/${project.id}`;
    const blank = await submit(desk, `${path}/message`, { say: "  ", private: "on" });
    expect(blank.status).toBe(400);
    expect(wrongWith(blank, "say")).toMatch(/\w/);
    expect((await submit(desk, `${path}/message`, { say: "Where is <the> source?" })).status).toBe(303);
    expect((await submit(desk, `${path}/message`, { say: "Looks odd", private: "on" })).status).toBe(303);
    const page = await look(as.user(other), path);
    expect(page.text).toContain("Where is &lt;the> source?");
    expect(page.text).toContain("Private note");
  });

  test("getModerationPage shows the number of waiting projects and the moderator's claims", async () => {
    await emptyQueue();
    const project = await queueProject(world, owner);
    await submit(as.user(admin), `/moderation/queue/${project.id}/claim`);
    const page = await look(as.user(admin), "/moderation");
    expect(page.text).toContain(`/moderation/queue/${project.id}`);
    expect((await look(desk, "/moderation")).text).not.toContain(`/moderation/queue/${project.id}"`);
  });
});
