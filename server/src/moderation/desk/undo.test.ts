// Decisions that can still be undone: no one is notified before the delay is over, and an undone decision leaves no
// trace.
import { describe, expect, test } from "vitest";
import { submit } from "#test/callers/page-forms.js";
import { testApp } from "#test/server/harness.js";
import { setProject } from "#test/worlds/content.js";
import { carryOut, look, queueProject } from "#test/worlds/desk-world.js";
import { holdMs } from "./held.js";

const world = await testApp();
const { as, make, resources, clock, app } = world;
const { db } = resources;
// The clock is frozen, so that no delay passes by itself on a slow machine.
clock.freeze();
const owner = await make.user();
const moderator = await make.user({ role: "moderator" });
const other = await make.user({ role: "moderator" });
const desk = as.user(moderator);

const statusOf = async (id: string) =>
  (await db.selectFrom("projects").select("status").where("id", "=", id).executeTakeFirstOrThrow()).status;
const reviewsOf = (id: string) => db.selectFrom("reviews").selectAll().where("project_id", "=", id).execute();
const toldOf = async (id: string) =>
  (await db.selectFrom("notifications").select("body").where("user_id", "=", owner.id).execute()).filter(({ body }) =>
    body.includes(id),
  );

async function decide(decision = "approved") {
  const project = await queueProject(world, owner);
  const path = `/moderation/queue/${project.id}`;
  await submit(desk, `${path}/claim`);
  const fields = { decision, ...(decision !== "approved" && { reason: "licence", message: "Which licence?" }) };
  expect((await submit(desk, `${path}/decide`, fields)).status).toBe(303);
  return { ...project, path };
}

describe("a decision", () => {
  test("does nothing at all before its moment is over", async () => {
    const { id, path } = await decide();
    await app.jobs.settle();
    clock.advance(holdMs - 1000);
    await app.jobs.settle();
    expect(await statusOf(id)).toBe("processing");
    expect(await reviewsOf(id)).toEqual([]);
    expect(await toldOf(id)).toEqual([]);
    expect((await as.anyone.get(`/api/project/${id}`)).status).toBe(404);
    expect((await look(desk, "/moderation/queue")).text).not.toContain(`${path}/claim`);
    expect((await look(desk, path)).text).toContain(`${path}/undo`);
    expect((await look(desk, path)).text).not.toContain('name="decision"');
    expect((await submit(as.user(other), `${path}/claim`)).status).toBe(409);
    await carryOut(world);
    expect(await statusOf(id)).toBe("approved");
    expect(await toldOf(id)).toHaveLength(1);
    const audited = await db
      .selectFrom("audit_log")
      .select(["actor_id", "credential"])
      .where("object_id", "=", id)
      .where("action", "=", "project.status.set")
      .executeTakeFirstOrThrow();
    expect(audited.actor_id).toBe(moderator.id);
    expect(audited.credential).toMatch(/^session:/);
  });

  test("submitReviewUndo restores the previous state, with the project claimed as before", async () => {
    const { id, path } = await decide("rejected");
    expect((await submit(as.user(other), `${path}/undo`)).headers.get("location")).toContain("did=late");
    const reply = await submit(desk, `${path}/undo`);
    expect(reply.headers.get("location")).toBe(`${path}?last=${id}&did=undone`);
    const page = await look(desk, reply.headers.get("location")!);
    expect(page.text).toContain("undone. The author was not notified");
    expect(page.text).toContain('name="decision"');
    await carryOut(world);
    expect(await statusOf(id)).toBe("processing");
    expect(await reviewsOf(id)).toEqual([]);
    expect(await toldOf(id)).toEqual([]);
    expect((await submit(as.user(other), `${path}/claim`)).status).toBe(409);
  });

  test("that has taken effect cannot be undone; submitReviewRequeue makes a new decision", async () => {
    const { id, path } = await decide();
    await carryOut(world);
    const late = await submit(desk, `${path}/undo`);
    expect(late.headers.get("location")).toContain("did=late");
    expect((await look(desk, late.headers.get("location")!)).text).toContain("Too late");
    expect(await statusOf(id)).toBe("approved");
    expect((await submit(desk, `${path}/requeue`)).headers.get("location")).toBe(path);
    expect(await statusOf(id)).toBe("processing");
    expect((await submit(as.user(other), `${path}/claim`)).status).toBe(409);
    expect((await submit(desk, "/moderation/queue/nothing-here/undo")).status).toBe(404);
  });

  test("is dropped if the project has changed its status since, or was deleted", async () => {
    const withdrawn = await decide();
    await setProject(world, withdrawn.id, { status: "draft" });
    await carryOut(world);
    expect(await statusOf(withdrawn.id)).toBe("draft");
    const deleted = await decide();
    await db.deleteFrom("projects").where("id", "=", deleted.id).execute();
    await carryOut(world);
    expect(await db.selectFrom("held_decisions").select("id").execute()).toEqual([]);
    const parked = await db.selectFrom("jobs").select("id").where("date_parked", "is not", null).execute();
    expect(parked).toEqual([]);
  });

  test("made twice counts as the second", async () => {
    const { id, path } = await decide();
    const again = { decision: "rejected", reason: "licence", message: "On second thoughts" };
    expect((await submit(desk, `${path}/decide`, again)).status).toBe(303);
    await carryOut(world);
    expect(await statusOf(id)).toBe("rejected");
    expect(await reviewsOf(id)).toHaveLength(1);
  });

  test("outside of the queue is delayed as well, and after an undo the project is not claimed", async () => {
    const { id, path } = await decide();
    await carryOut(world);
    const fields = { decision: "withheld", reason: "malicious", message: "It reads passwords" };
    expect((await submit(desk, `${path}/decide`, fields)).status).toBe(303);
    expect((await submit(desk, `${path}/undo`)).headers.get("location")).toContain("did=undone");
    await carryOut(world);
    expect(await statusOf(id)).toBe("approved");
    expect(await db.selectFrom("review_claims").select("kind").where("object_id", "=", id).execute()).toEqual([]);
  });
});
