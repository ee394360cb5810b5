// Tests when the powers of moderators and administrators are in force: with a recent session that has passed a second
// factor if the account has one, or with a token that has the scope staff.
import { Secret, TOTP } from "otpauth";
import { describe, expect, test } from "vitest";
import { beginTotp, confirmTotp } from "#accounts/second-factor/write.js";
import { setRole } from "#accounts/users/write.js";
import { assignableScopes, staffScope } from "#lib/scopes.js";
import { write } from "#platform/changes/write.js";
import type { Actor, TestUser } from "#test/callers/actors.js";
import { heading, location, readPage, submit, submitFiles, typed, wrongWith } from "#test/callers/page-forms.js";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";

const world = await testApp();
const { as, make, resources, clock } = world;
clock.freeze();
const password = "correct horse battery";
const [minute, hour] = [60_000, 60 * 60_000];

const author = await make.user();
const hidden = await makeProject(world, author, { visibility: "private" });
const seesHidden = async (actor: Actor) => (await actor.get(`/api/project/${hidden.id}`)).status === 200;
const edits = (actor: Actor) => actor.patch(`/api/project/${hidden.id}`, { summary: "Edited by another user" });

const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() });

/** Returns a function that makes the code of the moment; each is good once. */
async function withApp(user: TestUser): Promise<() => string> {
  const { id: sessionId } = await resources.db
    .selectFrom("sessions")
    .select("id")
    .where("user_id", "=", user.id)
    .executeTakeFirstOrThrow();
  const setter = { userId: user.id, sessionId };
  const secret = await write(resources, {}, (tx) => beginTotp(tx, setter));
  await write(resources, {}, (tx) => confirmTotp(tx, setter, codeOf(secret)));
  return () => {
    clock.advance(minute);
    return codeOf(secret);
  };
}

describe("a session", () => {
  test.each(["moderator", "admin"] as const)(
    "belonging to a %s without a second factor has powers after the sign-in",
    async (role) => {
      const user = await make.user({ role, password });
      expect(await seesHidden(as.user(user))).toBe(true);
      expect((await edits(as.user(user))).status).toBe(role === "admin" ? 200 : 403);
    },
  );

  test("loses them when it is not used for two hours, and after twelve hours in any case", async () => {
    const user = await make.user({ role: "moderator" });
    for (let worked = 0; worked < 11; worked++) {
      clock.advance(hour);
      expect(await seesHidden(as.user(user)), `after ${worked + 1} hours`).toBe(true);
    }
    clock.advance(hour);
    expect(await seesHidden(as.user(user))).toBe(false);
    const idle = await make.user({ role: "moderator" });
    clock.advance(2 * hour);
    for (let tries = 0; tries < 2; tries++) expect(await seesHidden(as.user(idle))).toBe(false);
    expect(await as.user(idle).get("/api/moderation")).toFail(403, "confirmationNeeded");
    expect(await as.user(idle).get("/api/auth/me")).toSucceed();
  });

  test("belonging to an administrator has the powers of a moderator after two hours", async () => {
    const user = await make.user({ role: "admin" });
    clock.advance(hour);
    expect(await edits(as.user(user))).toSucceed();
    clock.advance(hour);
    expect(await seesHidden(as.user(user))).toBe(true);
    expect(await edits(as.user(user))).toFail(403, "permissionMissing");
    expect(await as.user(user).get("/api/statistics/storage")).toFail(403, "confirmationNeeded");
  });

  test("without the second factor of its account has no powers", async () => {
    const user = await make.user({ role: "admin", password });
    const code = await withApp(user);
    expect(await seesHidden(as.user(user))).toBe(false);
    expect(await edits(as.user(user))).toFail(404);
    expect(await as.user(user).get("/api/moderation/reports")).toFail(403, "confirmationNeeded");
    const credentials = { email: user.email, password, code: code() };
    const signedIn = await as.anyone.post("/api/auth/signin/credential", credentials);
    const cookie = signedIn.headers.get("set-cookie")!.split(";")[0]!;
    expect(await edits(as.user(user).with({ cookie }))).toSucceed();
  });

  test("has powers from the start if the settings do not require a second factor, and never without one if they do", async () => {
    const lenient = await testApp({ settings: { MODSHELF_STAFF_SECOND_FACTOR: "off" }, sharedWith: world });
    const strict = await testApp({ settings: { MODSHELF_STAFF_SECOND_FACTOR: "always" }, sharedWith: world });
    const [plain, secured] = [
      await make.user({ role: "admin", password }),
      await make.user({ role: "admin", password }),
    ];
    await withApp(secured);
    expect(await edits(lenient.as.user(secured))).toSucceed();
    expect(await edits(strict.as.user(plain))).toFail(404);
    const page = await readPage(strict.as.user(plain), "/auth/confirm");
    expect(page.text).toContain("/settings/security");
    expect((await submit(strict.as.user(plain), "/auth/confirm", { password })).status).toBe(403);
    await Promise.all([lenient.stop(), strict.stop()]);
  });
});

describe("a token", () => {
  test.each(["moderator", "admin"] as const)("belonging to a %s has the powers of an ordinary user", async (role) => {
    const user = await make.user({ role });
    const token = await as.token(user, { scopes: assignableScopes });
    expect(await seesHidden(token)).toBe(false);
    expect(await edits(token)).toFail(404);
    const refused = await token.get("/api/moderation");
    expect(refused).toFail(403, "scopeMissing");
    expect(refused.body.message).toContain(staffScope);
  });

  test("with the scope staff has the powers of its owner, as far as its other scopes allow", async () => {
    const user = await make.user({ role: "admin" });
    const given = { name: "Desk", dateExpires: "2099-12-31", authScopes: ["project_write", "staff", "project_read"] };
    const made = await as.user(user).post("/api/pat", given);
    expect(made).toSucceed();
    expect(made.body.scopes).toEqual(["project_read", "project_write", "staff"]);
    const token = as.bearer(made.body.token);
    clock.advance(3 * hour);
    expect(await edits(token)).toSucceed();
    expect(await token.get("/api/moderation")).toSucceed();
    expect(await token.get("/api/moderation/reports")).toFail(403, "scopeMissing");
    // It was given for this role, and ends with it.
    await write(resources, {}, (tx) => setRole(tx, user.id, "user"));
    expect(await token.get("/api/tags/loaders")).toFail(401);
  });

  test("gets the scope staff only from a session whose powers are in force, also in later edits and extensions", async () => {
    const user = await make.user({ role: "admin" });
    const given = { name: "Desk", dateExpires: "2099-12-31", authScopes: ["staff"] };
    const { id } = (await as.user(user).post("/api/pat", given)).body;
    const plain = (await as.user(user).post("/api/pat", { ...given, authScopes: [] })).body;
    clock.advance(90 * minute);
    expect(await as.user(user).get("/api/auth/me")).toSucceed();
    clock.advance(40 * minute);
    // The administrator now has only the powers of a moderator.
    expect(await as.user(user).get("/api/moderation")).toSucceed();
    expect(await as.user(user).post("/api/pat", given)).toFail(403, "confirmationNeeded");
    expect(await as.user(user).patch(`/api/pat/${plain.id}`, { authScopes: ["staff"] })).toFail(
      403,
      "confirmationNeeded",
    );
    expect(await as.user(user).patch(`/api/pat/${id}`, { dateExpires: "2100-01-31" })).toFail(
      403,
      "confirmationNeeded",
    );
    expect(await as.user(user).patch(`/api/pat/${id}`, { name: "Renamed" })).toSucceed();
    expect((await as.user(user).patch(`/api/pat/${id}`, { authScopes: [] })).body.scopes).toEqual([]);
  });

  test("belonging to an ordinary user cannot have it: for them the scope does not exist", async () => {
    const given = { name: "Desk", dateExpires: "2099-12-31", authScopes: ["staff"] };
    const refused = await as.user(author).post("/api/pat", given);
    expect(refused).toFail(400, "unknownScopes");
    expect((await as.anyone.get("/api/tags/api-scopes")).body).not.toContain(staffScope);
    expect((await readPage(as.user(author), "/settings/pats/new")).text).not.toContain("scope_staff");
  });
});

describe("getConfirmPage and submitConfirm", () => {
  test("are where staff come to from their pages, and lead back there", async () => {
    const user = await make.user({ role: "moderator", password });
    clock.advance(2 * hour);
    const asked = await readPage(as.user(user), "/moderation/queue?claimed=mine");
    expect(location(asked)).toBe("/auth/confirm?next=%2Fmoderation%2Fqueue%3Fclaimed%3Dmine");
    const page = await readPage(as.user(user), location(asked)!);
    expect(heading(page)).toBe("Confirm your identity");
    const next = "/moderation/queue?claimed=mine";
    const wrong = await submit(as.user(user), "/auth/confirm", { password: "not this one", next });
    expect([wrong.status, Boolean(wrongWith(wrong, "password"))]).toEqual([403, true]);
    expect(await seesHidden(as.user(user))).toBe(false);
    expect(location(await submit(as.user(user), "/auth/confirm", { password, next }))).toBe(next);
    expect((await readPage(as.user(user), next)).status).toBe(200);
  });

  test("take a code if the account has an authenticator app, each once, and no password", async () => {
    const user = await make.user({ role: "admin", password });
    const code = await withApp(user);
    expect((await submit(as.user(user), "/auth/confirm", { password })).status).toBe(401);
    const good = code();
    expect(location(await submit(as.user(user), "/auth/confirm", { code: good, next: "/admin" }))).toBe("/admin");
    expect((await readPage(as.user(user), "/admin")).status).toBe(200);
    const other = await make.user({ role: "admin", password });
    expect((await submit(as.user(user), "/auth/confirm", { code: good })).status).toBe(401);
    expect((await submit(as.user(other), "/auth/confirm", { code: good })).status).toBe(403);
  });

  test("need the passkey if there is one; finishPasskeyConfirmation accepts no other answer", async () => {
    const user = await make.user({ role: "moderator", password });
    await resources.db
      .insertInto("passkeys")
      .values({
        ...{ id: "pk1", user_id: user.id, credential_id: "credential", public_key: new Uint8Array(8), counter: 0 },
        ...{ transports: "[]" as never, name: "Phone", date_created: 0, date_last_used: null },
      })
      .execute();
    expect(await seesHidden(as.user(user))).toBe(false);
    expect((await readPage(as.user(user), "/auth/confirm")).text).toContain("data-passkey-confirm");
    expect((await submit(as.user(user), "/auth/confirm", { password })).status).toBe(403);
    const { step } = (await as.anyone.post("/auth/passkey/begin")).body;
    for (const answer of ["{}", JSON.stringify({ id: "credential" })])
      expect(await as.user(user).post("/auth/confirm/passkey", { step, answer })).toFail(400, "passkeyRefused");
    expect(await seesHidden(as.user(user))).toBe(false);
  });

  test("lead nowhere but to this site", async () => {
    const user = await make.user({ role: "admin", password });
    const next = "https://evil.example/";
    expect(location(await submit(as.user(user), "/auth/confirm", { password, next }))).toBe("/");
  });

  test("send users without a password to sign in again", async () => {
    const page = await readPage(as.user(await make.user({ role: "admin" })), "/auth/confirm?next=/admin");
    expect(page.text).toContain("/auth/sign-in?again=1&amp;next=%2Fadmin");
  });

  test("are not shown to other people: staff pages stay absent for them", async () => {
    const reply = await readPage(as.user(author), "/admin");
    expect([reply.status, location(reply)]).toEqual([404, null]);
  });
});

describe("a form of a member of staff whose powers are not in force", () => {
  const legal = { page: "terms", text: "No jokes about lamps.", stamp: "" };

  test("comes back as it was filled in, with the question for a proof, and does its work with it", async () => {
    const user = await make.user({ role: "admin", password });
    clock.advance(2 * hour);
    const asked = await submit(as.user(user), "/admin/legal", legal);
    expect([asked.status, heading(asked)]).toEqual([403, "Confirm your identity"]);
    expect(asked.text).toContain("No jokes about lamps.");
    expect(asked.text).toContain('name="confirm-password"');
    const wrong = await submit(as.user(user), "/admin/legal", { ...legal, "confirm-password": "wrong" });
    expect([wrong.status, Boolean(wrongWith(wrong, "confirm-password"))]).toEqual([403, true]);
    expect(wrong.text).toContain("No jokes about lamps.");
    expect(wrong.text).not.toContain('value="wrong"');
    const sent = await submit(as.user(user), "/admin/legal", { ...legal, "confirm-password": password });
    expect(location(sent)).toBe("/legal/terms");
    expect((await readPage(as.anyone, "/legal/terms")).text).toContain("No jokes about lamps.");
  });

  test("with files gives back its texts, says that the files must be chosen again, and goes on after the proof", async () => {
    const user = await make.user({ role: "admin", password });
    clock.advance(2 * hour);
    const path = `/project/${hidden.slug}/version/new`;
    const texts = { title: "Lamps that I typed", versionNumber: "9.9" };
    const files = { primaryFile: [new File(["bytes"], "lamps.jar")] };
    const asked = await submitFiles(as.user(user), path, texts, files);
    expect([asked.status, heading(asked)]).toEqual([403, "Confirm your identity"]);
    expect(asked.text).toContain("Lamps that I typed");
    expect(asked.text).toContain("Choose them again");
    const form = await submitFiles(as.user(user), path, { ...texts, "confirm-password": password }, {});
    expect([form.status, typed(form, "title")]).toEqual([400, "Lamps that I typed"]);
    // Other users are refused before their form is read.
    expect((await submitFiles(as.user(await make.user()), path, texts, files)).status).toBe(404);
  });

  test("in somebody else's project is treated alike, with a code", async () => {
    const user = await make.user({ role: "admin", password });
    const code = await withApp(user);
    const path = `/project/${hidden.slug}/settings/description`;
    const fields = { description: "Written by an administrator", stamp: "" };
    const asked = await submit(as.user(user), path, fields);
    expect([asked.status, heading(asked)]).toEqual([403, "Confirm your identity"]);
    expect(asked.text).toContain("Written by an administrator");
    const sent = await submit(as.user(user), path, { ...fields, "confirm-code": code() });
    expect(sent.status).not.toBe(404);
    expect(await seesHidden(as.user(user))).toBe(true);
  });

  test("is refused as before for other users, even if they add credentials", async () => {
    const user = await make.user({ password });
    const reply = await submit(as.user(user), "/admin/legal", { ...legal, "confirm-password": password });
    expect([reply.status, heading(reply)]).toEqual([404, "Page not found"]);
  });
});

test("a page that an ordinary user cannot see offers staff to confirm their identity", async () => {
  const user = await make.user({ role: "moderator", password });
  const path = `/project/${hidden.slug}`;
  expect((await readPage(as.user(user), path)).status).toBe(200);
  clock.advance(2 * hour);
  const page = await readPage(as.user(user), path);
  expect(page.status).toBe(404);
  expect(page.text).toContain(`/auth/confirm?next=${encodeURIComponent(path)}`);
  expect((await readPage(as.user(await make.user()), path)).text).not.toContain("/auth/confirm");
});
