// Notes about users: only moderators can see them.
import { expect, test } from "vitest";
import { submit, wrongWith } from "#test/callers/page-forms.js";
import { testApp } from "#test/server/harness.js";
import { look } from "#test/worlds/desk-world.js";

const { as, make, resources } = await testApp();
const { db } = resources;
const user = await make.user();
const moderator = await make.user({ role: "moderator" });
const other = await make.user({ role: "moderator" });
const admin = await make.user({ role: "admin" });
const path = `/moderation/user/${user.userName}`;
const listed = () =>
  db.selectFrom("user_notes").select(["id", "kind", "body"]).where("user_id", "=", user.id).execute();

test("submitUserNote stores a moderator's note, and counts strikes", async () => {
  const body = "Took <b>others'</b> work\r\nand said sorry";
  expect((await submit(as.user(moderator), `${path}/notes`, { kind: "strike", body })).status).toBe(303);
  expect((await submit(as.user(moderator), `${path}/notes`, { kind: "note", body: "Helpful" })).status).toBe(303);
  const { text } = await look(as.user(other), path);
  expect(text).toContain("1 strike");
  expect(text).toContain("Took &lt;b>others' ".trim());
  const audited = await db.selectFrom("audit_log").select("action").where("object_id", "=", user.id).execute();
  expect(audited.filter(({ action }) => action === "user.note.add")).toHaveLength(2);
});

test("submitUserNote refuses an empty, too long or unknown note, and shows it in the form again", async () => {
  const blank = await submit(as.user(moderator), `${path}/notes`, { kind: "note", body: "  " });
  expect(blank.status).toBe(400);
  expect(wrongWith(blank, "body")).toMatch(/\w/);
  expect((await submit(as.user(moderator), `${path}/notes`, { kind: "note", body: "x".repeat(2049) })).status).toBe(
    400,
  );
  const odd = await submit(as.user(moderator), `${path}/notes`, { kind: "praise", body: "typed before" });
  expect(odd.status).toBe(400);
  expect(odd.text).toContain("typed before");
  expect((await submit(as.user(moderator), "/moderation/user/nobody-here/notes", { body: "x" })).status).toBe(404);
});

test("notes are there for moderators only", async () => {
  for (const actor of [as.user(user), as.anyone]) {
    expect([401, 404]).toContain((await submit(actor, `${path}/notes`, { kind: "note", body: "mine" })).status);
  }
  expect((await as.user(user).get("/api/user/data-export")).text).not.toContain("others' work");
});

test("submitUserNoteRemoval is for the author of the note, and administrators", async () => {
  const [first, second] = await listed();
  const remove = (actor: typeof moderator, id: string) => submit(as.user(actor), `${path}/notes/${id}/remove`);
  expect((await remove(other, first!.id)).status).toBe(403);
  expect((await remove(moderator, first!.id)).status).toBe(303);
  expect((await remove(admin, second!.id)).status).toBe(303);
  expect((await remove(admin, second!.id)).status).toBe(404);
  expect(await listed()).toEqual([]);
});
