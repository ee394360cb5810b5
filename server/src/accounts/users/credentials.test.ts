// Tests which credentials a change or a reset of the password ends.
import { describe, expect, test } from "vitest";
import { createStep } from "#accounts/sessions/steps.js";
import { createFeedKey } from "#integrations/feeds/write.js";
import { write } from "#platform/changes/write.js";
import type { TestUser } from "#test/callers/actors.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { createCode } from "./codes.js";
import { listCredentials } from "./credentials.js";

const world = await testApp();
const { as, make, resources, clock } = world;
const { db } = resources;
const password = "correct horse battery";
const newPassword = "another fine password";

/** A user with one credential of each kind, and their token. */
async function wellEquipped() {
  const user = await make.user({ password });
  const project = await makeProject(world, user);
  const [kept, lost] = [
    await make.token(user, { scopes: ["user_read"] }),
    await make.token(user, { scopes: ["user_read"] }),
  ];
  const id = uniqueName("x");
  await db
    .insertInto("passkeys")
    .values({
      ...{ id, user_id: user.id, credential_id: id, public_key: new Uint8Array(8), counter: 0 },
      ...{ transports: "[]" as never, name: "Phone", date_created: clock.now(), date_last_used: null },
    })
    .execute();
  await db
    .insertInto("linked_accounts")
    .values({
      ...{ id, user_id: user.id, provider: "github", provider_account_id: id },
      ...{ provider_email: null, date_linked: 0 },
    })
    .execute();
  await db
    .insertInto("trusted_publishers")
    .values({
      ...{ id, project_id: project.id, user_id: user.id, issuer: "https://token.actions.example" },
      ...{ repository: "ada/lamps", workflow: "release.yml", environment: "", owner_id: null },
      ...{ date_created: 0, date_last_used: null },
    })
    .execute();
  await db
    .insertInto("totp_secrets")
    .values({
      ...{ user_id: user.id, secret: "A".repeat(32), last_step: 0, date_created: 1, date_confirmed: 1 },
      session_id: null,
    })
    .execute();
  await db
    .insertInto("recovery_codes")
    .values({ digest: Buffer.from(id.padEnd(32).slice(0, 32)), user_id: user.id })
    .execute();
  const begun = await write(resources, {}, async (tx) => {
    await createFeedKey(tx, user.id);
    return {
      emailChange: await createCode(tx, "email_change", user.id, "thief@example.com"),
      step: await createStep(tx, "second_factor", { userId: user.id }),
    };
  });
  return { user, kept, lost, begun, project: project.slug, publisherId: id };
}

const works = async (token: { value: string }) => (await as.bearer(token.value).get("/api/auth/me")).status === 200;
const codeFor = (user: TestUser, mailedTo: string | null) =>
  write(resources, {}, (tx) => createCode(tx, "password_reset", user.id, mailedTo));
const setVerified = (user: TestUser, email_verified: 0 | 1) =>
  db.updateTable("users").set({ email_verified }).where("id", "=", user.id).execute();

const nothing = { tokens: [], passkeys: [], providers: [], secondFactor: false, publishers: [], feedKey: false };

describe("changePassword", () => {
  test("revokes all tokens by default, ends unfinished sign-ins, and lists the remaining credentials", async () => {
    const { user, kept, lost, begun, project, publisherId } = await wellEquipped();
    const reply = await as.user(user).put("/api/user/password", { currentPassword: password, newPassword });
    expect(reply).toSucceed();
    expect(reply.body).toMatchObject({
      tokensRevoked: 2,
      remaining: {
        tokens: [],
        passkeys: [{ id: publisherId, name: "Phone" }],
        providers: ["github"],
        secondFactor: true,
        publishers: [{ id: publisherId, project, repository: "ada/lamps", workflow: "release.yml" }],
        feedKey: true,
      },
    });
    expect([await works(kept), await works(lost)]).toEqual([false, false]);
    expect(await as.anyone.post("/api/user/email/confirm", { code: begun.emailChange })).toFail(400, "codeInvalid");
    expect(await db.selectFrom("sign_in_steps").select("kind").where("user_id", "=", user.id).execute()).toEqual([]);
  });

  test("keeps the named tokens and removes the requested credentials", async () => {
    const { user, kept, lost } = await wellEquipped();
    const stranger = await make.token(await make.user(), { scopes: ["user_read"] });
    const reply = await as.user(user).put("/api/user/password", {
      ...{ currentPassword: password, newPassword },
      ...{ keepTokens: [kept.id, stranger.id, "nonsense"], drop: ["passkeys", "publishers", "feedKey", "passkeys"] },
    });
    expect(reply.body).toMatchObject({ tokensRevoked: 1 });
    expect(reply.body.remaining).toEqual({
      ...nothing,
      tokens: [{ id: kept.id, name: "test" }],
      providers: ["github"],
      secondFactor: true,
    });
    expect([await works(kept), await works(lost), await works(stranger)]).toEqual([true, false, true]);
    const wrong = { currentPassword: newPassword, newPassword };
    expect(await as.user(user).put("/api/user/password", { ...wrong, drop: ["secondFactor"] })).toFail(400);
    expect(await as.user(user).put("/api/user/password", { ...wrong, keepTokens: Array(101).fill("x") })).toFail(400);
  });

  test("removePassword revokes tokens too", async () => {
    const { user, kept, lost } = await wellEquipped();
    const reply = await as.user(user).delete("/api/user/password", { password, keepTokens: [kept.id] });
    expect(reply.body).toMatchObject({ tokensRevoked: 1, remaining: { tokens: [{ id: kept.id, name: "test" }] } });
    expect([await works(kept), await works(lost)]).toEqual([true, false]);
  });
});

describe("resetPassword", () => {
  test("for an account whose address was never confirmed removes every other credential", async () => {
    const { user, kept, begun } = await wellEquipped();
    await setVerified(user, 0);
    const code = await codeFor(user, user.email);
    const reply = await as.anyone.patch("/api/user/password", { code, newPassword, keepTokens: [kept.id] });
    expect(reply.body).toMatchObject({ success: true, tokensRevoked: 2 });
    expect(reply.body.remaining).toEqual(nothing);
    expect(await works(kept)).toBe(false);
    expect(await as.user(user).get("/api/auth/me")).toFail(401);
    expect(await db.selectFrom("recovery_codes").select("user_id").where("user_id", "=", user.id).execute()).toEqual(
      [],
    );
    expect(await as.anyone.post("/api/user/email/confirm", { code: begun.emailChange })).toFail(400, "codeInvalid");
    // The password alone opens it, and from now on the address is known to be the owner's.
    expect(
      await as.anyone.post("/api/auth/signin/credential", { email: user.email, password: newPassword }),
    ).toSucceed();
    const row = await db.selectFrom("users").select("email_verified").where("id", "=", user.id).executeTakeFirst();
    expect(row).toEqual({ email_verified: 1 });
  });

  test.each([
    ["a confirmed address", 1, true],
    ["the command line, whatever the address", 0, false],
  ] as const)("with a code by %s revokes tokens and leaves the rest unchanged", async (_, verified, isMailed) => {
    const { user, kept, lost } = await wellEquipped();
    await setVerified(user, verified);
    const before = await listCredentials(db, user.id);
    const code = await codeFor(user, isMailed ? user.email : null);
    const reply = await as.anyone.patch("/api/user/password", { code, newPassword, keepTokens: [kept.id] });
    expect(reply.body.remaining).toEqual({ ...before, tokens: [{ id: kept.id, name: "test" }] });
    expect([await works(kept), await works(lost)]).toEqual([true, false]);
  });

  test("works with either of two mailed codes, until one was used", async () => {
    const user = await make.user({ password });
    const [first, second] = [await codeFor(user, user.email), await codeFor(user, user.email)];
    expect(await as.anyone.patch("/api/user/password", { code: first, newPassword })).toSucceed();
    expect(await as.anyone.patch("/api/user/password", { code: second, newPassword })).toFail(400, "codeInvalid");
  });
});
