// Password, email, reset, deletion and the first administrator.
import { afterAll, describe, expect, test } from "vitest";
import { assignableScopes } from "#lib/scopes.js";
import { write } from "#platform/changes/write.js";
import { siteUrl, testApp, uniqueName } from "#test/server/harness.js";
import { startSmtp } from "#test/setup/smtp.js";
import { createCode } from "./codes.js";

const { as, make, clock, resources } = await testApp();
const smtp = await startSmtp();
// Every sign-in sends a mail; this test is about the other mails.
smtp.ignore(/^Subject: New sign-in/m);
const mailing = await testApp({ settings: { MODSHELF_SMTP_URL: smtp.url, MODSHELF_MAIL_FROM: "shelf@example.com" } });
afterAll(() => smtp.stop());

const password = "correct horse battery";
const newPassword = "another fine password";
const signIn = (email: string, given: string, actors = as) =>
  actors.anyone.post("/api/auth/signin/credential", { email, password: given });
const minute = 60_000;
const codeIn = (text: string) => /code=(msc_\w+)/.exec(text)?.[1] ?? "";

describe("changePassword", () => {
  test("needs the current one, and ends all other sessions", async () => {
    const user = await make.user({ password });
    const other = await signIn(user.email, password);
    expect(await as.user(user).put("/api/user/password", { currentPassword: "wrong", newPassword })).toFail(
      403,
      "passwordWrong",
    );
    expect(await as.user(user).put("/api/user/password", { newPassword })).toFail(403, "passwordWrong");
    expect(await as.user(user).put("/api/user/password", { currentPassword: password, newPassword })).toSucceed();
    expect(await signIn(user.email, password)).toFail(401, "signInFailed");
    expect(await signIn(user.email, newPassword)).toSucceed();
    expect(await as.user(user).get("/api/auth/me")).toSucceed();
    const old = as.anyone.with({ cookie: other.headers.get("set-cookie")!.split(";")[0]!, origin: siteUrl });
    expect(await old.get("/api/auth/me")).toFail(401);
  });

  test("refuses short ones and unequal repetition", async () => {
    const user = await make.user({ password });
    expect(await as.user(user).put("/api/user/password", { currentPassword: password, newPassword: "short" })).toFail(
      400,
      "invalidRequest",
    );
    const unequal = { currentPassword: password, newPassword, confirmNewPassword: "other" };
    expect(await as.user(user).put("/api/user/password", unequal)).toFail(400, "passwordsDiffer");
    expect(await signIn(user.email, password)).toSucceed();
  });

  test("adds a first password to an account without one only within 10 minutes of signing in", async () => {
    const user = await make.user();
    clock.advance(10 * minute + 1);
    expect(await as.user(user).put("/api/user/password", { newPassword })).toFail(403, "freshSessionNeeded");
    const fresh = await make.user();
    expect(await as.user(fresh).put("/api/user/password", { newPassword })).toSucceed();
  });
});

describe("removePassword", () => {
  test("is refused while it is the only way to sign in", async () => {
    const user = await make.user({ password });
    expect(await as.user(user).delete("/api/user/password", { password: "wrong" })).toFail(403, "passwordWrong");
    expect(await as.user(user).delete("/api/user/password", { password })).toFail(409, "lastSignInMethod");
    const none = await make.user();
    expect(await as.user(none).delete("/api/user/password", { password })).toFail(409, "passwordMissing");
  });

  test("works while a provider is linked", async () => {
    const user = await make.user({ password });
    const link = {
      id: uniqueName("l"),
      user_id: user.id,
      provider: "github",
      provider_account_id: user.id,
      provider_email: null,
      date_linked: 0,
    };
    await resources.db.insertInto("linked_accounts").values(link).execute();
    expect(await as.user(user).delete("/api/user/password", { password })).toSucceed();
    expect((await as.user(user).get("/api/auth/me")).body.hasAPassword).toBe(false);
  });
});

describe("requestPasswordReset and resetPassword", () => {
  test("a mailed code sets a new password once", async () => {
    const user = await mailing.make.user({ password });
    const asked = await mailing.as.anyone.post("/api/user/change-password", { email: user.email.toUpperCase() });
    expect(asked).toSucceed();
    const mail = await smtp.nextMessage();
    expect(mail.to).toEqual([user.email]);
    const code = codeIn(mail.text);
    const reset = { code, newPassword };
    expect(await mailing.as.anyone.patch("/api/user/password", { ...reset, confirmNewPassword: "x" })).toFail(
      400,
      "passwordsDiffer",
    );
    expect(await mailing.as.anyone.patch("/api/user/password", reset)).toSucceed();
    expect(await mailing.as.anyone.patch("/api/user/password", reset)).toFail(400, "codeInvalid");
    expect(await mailing.as.user(user).get("/api/auth/me")).toFail(401);
    expect(await signIn(user.email, newPassword, mailing.as)).toSucceed();
    expect((await smtp.nextMessage()).text).toContain("password of your account was changed");
  });

  test("a mailed code that was used shows that the address is the user's", async () => {
    const userName = uniqueName();
    const email = `${userName}@example.com`;
    await mailing.as.anyone.post("/api/auth/signup", { userName, email, password });
    const verified = async () =>
      (await mailing.resources.db.selectFrom("users").select("email_verified").where("email", "=", email).execute())[0];
    expect(await verified()).toEqual({ email_verified: 0 });
    expect((await smtp.nextMessage()).data).toContain("Subject: Confirm your email address");
    await mailing.as.anyone.post("/api/user/change-password", { email });
    const code = codeIn((await smtp.nextMessage()).text);
    expect(await mailing.as.anyone.patch("/api/user/password", { code, newPassword })).toSucceed();
    expect(await verified()).toEqual({ email_verified: 1 });
    await smtp.nextMessage();
  });

  test("the answer and the stored rows are the same whether or not the address belongs to an account", async () => {
    const user = await mailing.make.user();
    const known = await mailing.as.anyone.post("/api/user/change-password", { email: user.email });
    const unknown = await mailing.as.anyone.post("/api/user/change-password", { email: "nobody@example.com" });
    expect(known.text).toBe(unknown.text);
    await smtp.nextMessage();
    await mailing.app.jobs.settle();
    const jobs = await mailing.resources.db
      .selectFrom("jobs")
      .select("payload")
      .where("kind", "like", "mail-%")
      .execute();
    expect(jobs).toEqual([]);
  });

  test("a code is good for an hour, for its purpose, and until the next one is made", async () => {
    const user = await make.user({ password });
    const make1 = () => write(resources, {}, (tx) => createCode(tx, "password_reset", user.id));
    const [first, second] = [await make1(), await make1()];
    expect(await as.anyone.patch("/api/user/password", { code: first, newPassword })).toFail(400, "codeInvalid");
    clock.advance(60 * minute + 1);
    expect(await as.anyone.patch("/api/user/password", { code: second, newPassword })).toFail(400, "codeInvalid");
    const emailCode = await write(resources, {}, (tx) => createCode(tx, "email_change", user.id, "new@example.com"));
    expect(await as.anyone.patch("/api/user/password", { code: emailCode, newPassword })).toFail(400, "codeInvalid");
    for (const code of ["", "x", "msc_x", `msc_${"0".repeat(49)}`, null, 5])
      expect(await as.anyone.patch("/api/user/password", { code, newPassword })).toFail(400);
    expect(await signIn(user.email, password)).toSucceed();
  });

  test("without mail the answer names a contact, and no job remains queued", async () => {
    const user = await make.user();
    const reply = await as.anyone.post("/api/user/change-password", { email: user.email });
    expect(reply.body.message).toContain("operator");
    expect(await as.anyone.post("/api/user/change-password", { email: "not a mail" })).toFail(400, "invalidRequest");
  });
});

describe("changeEmail and confirmEmail", () => {
  test("without mail the address changes immediately, after the password", async () => {
    const user = await make.user({ password });
    const email = `${uniqueName()}@example.com`;
    expect(await as.user(user).patch("/api/user/email", { email })).toFail(403, "passwordWrong");
    expect((await as.user(user).patch("/api/user/email", { email, password })).body).toMatchObject({
      success: true,
      confirmed: true,
    });
    expect(await signIn(email, password)).toSucceed();
    expect(await signIn(user.email, password)).toFail(401);
  });

  test("with mail it changes when the mailed code is confirmed, and the old address is notified", async () => {
    const user = await mailing.make.user({ password });
    const email = `${uniqueName()}@example.com`;
    expect((await mailing.as.user(user).patch("/api/user/email", { email, password })).body.confirmed).toBe(false);
    const mail = await smtp.nextMessage();
    expect(mail.to).toEqual([email]);
    expect((await mailing.as.user(user).get("/api/auth/me")).body.email).toBe(user.email);
    expect(await mailing.as.anyone.post("/api/user/email/confirm", { code: codeIn(mail.text) })).toSucceed();
    expect((await mailing.as.user(user).get("/api/auth/me")).body.email).toBe(email);
    expect((await smtp.nextMessage()).to).toEqual([user.email]);
    expect(await mailing.as.anyone.post("/api/user/email/confirm", { code: codeIn(mail.text) })).toFail(
      400,
      "codeInvalid",
    );
  });

  test("an address that was never confirmed can be confirmed, and no notification of a change is sent", async () => {
    const user = await mailing.make.user({ password });
    const change = () => mailing.as.user(user).patch("/api/user/email", { email: user.email.toUpperCase(), password });
    expect(await change()).toFail(409, "emailTaken");
    const { db } = mailing.resources;
    await db.updateTable("users").set({ email_verified: 0 }).where("id", "=", user.id).execute();
    expect((await change()).body.confirmed).toBe(false);
    const code = codeIn((await smtp.nextMessage()).text);
    expect(await mailing.as.anyone.post("/api/user/email/confirm", { code })).toSucceed();
    const row = await db.selectFrom("users").select(["email", "email_verified"]).where("id", "=", user.id).execute();
    expect(row).toEqual([{ email: user.email, email_verified: 1 }]);
    await mailing.app.jobs.settle();
    expect(smtp.messages.filter(({ to }) => to.includes(user.email))).toHaveLength(1);
    expect(await change()).toFail(409, "emailTaken");
  });

  test("without mail a taken address is refused", async () => {
    const [user, other] = [await make.user({ password }), await make.user()];
    expect(await as.user(user).patch("/api/user/email", { email: other.email, password })).toFail(409, "emailTaken");
  });

  test("with mail the answer does not reveal that an address is taken; the mail tells its owner", async () => {
    const [user, other] = [await mailing.make.user({ password }), await mailing.make.user()];
    const change = (email: string) => mailing.as.user(user).patch("/api/user/email", { email, password });
    const taken = await change(other.email);
    const told = await smtp.nextMessage();
    const free = await change(`${uniqueName()}@example.com`);
    expect((await smtp.nextMessage()).text).toContain("/auth/verify?code=");
    expect([taken.status, taken.text]).toEqual([free.status, free.text]);
    expect(told.to).toEqual([other.email]);
    expect(told.data).toContain("Subject: You already have an account");
    expect(told.text).toContain(user.userName);
    expect(told.text).not.toContain("code=");
  });

  test("an address that another account took in between is refused", async () => {
    const user = await mailing.make.user({ password });
    const email = `${uniqueName()}@example.com`;
    await mailing.as.user(user).patch("/api/user/email", { email, password });
    const { text } = await smtp.nextMessage();
    await mailing.make.user({ email });
    expect(await mailing.as.anyone.post("/api/user/email/confirm", { code: codeIn(text) })).toFail(409, "emailTaken");
  });

  test("a token needs user_write_email and the password; it is never enough by itself", async () => {
    const user = await make.user({ password });
    const token = await as.token(user, { scopes: ["user_write_email"] });
    const email = `${uniqueName()}@example.com`;
    expect(await token.patch("/api/user/email", { email })).toFail(403, "passwordWrong");
    expect(await token.patch("/api/user/email", { email, password })).toSucceed();
    const without = await make.user();
    const tokenOnly = await as.token(without, { scopes: ["user_write_email"] });
    expect(await tokenOnly.patch("/api/user/email", { email: `${uniqueName()}@example.com` })).toFail(
      403,
      "freshSessionNeeded",
    );
    const others = await as.token(user, { scopes: assignableScopes.filter((scope) => scope !== "user_write_email") });
    expect(await others.patch("/api/user/email", { email, password })).toFail(403, "scopeMissing");
  });
});

describe("deleteAccount", () => {
  test("ends sessions and tokens, frees name and mail, and leaves no personal row", async () => {
    const user = await make.user({ password });
    const token = await as.token(user, { scopes: ["user_read"] });
    expect(await as.user(user).delete("/api/user", { password: "wrong" })).toFail(403, "passwordWrong");
    expect(await as.user(user).delete("/api/user", { password })).toSucceed();
    expect(await as.user(user).get("/api/auth/me")).toFail(401);
    expect(await token.get("/api/auth/me")).toFail(401);
    expect(await as.anyone.get(`/api/user/${user.id}`)).toFail(404, "userNotFound");
    for (const table of ["sessions", "tokens", "one_time_codes"] as const)
      expect(await resources.db.selectFrom(table).select("user_id").where("user_id", "=", user.id).execute()).toEqual(
        [],
      );
    const again = { userName: user.userName, email: user.email, password };
    expect(await as.anyone.post("/api/auth/signup", again)).toSucceed();
  });

  test("content stays under the placeholder deleted_user", async () => {
    const user = await make.user();
    const team = uniqueName("t");
    await resources.db.insertInto("teams").values({ id: team, kind: "project", date_created: 0 }).execute();
    const member = {
      id: team,
      team_id: team,
      user_id: user.id,
      role: "Owner",
      is_owner: 1 as const,
      accepted: 1 as const,
      permissions: "[]",
      org_permissions: "[]",
      date_invited: 0,
      date_accepted: 0,
      invited_by: user.id,
    };
    await resources.db.insertInto("team_members").values(member).execute();
    expect(await as.user(user).delete("/api/user")).toSucceed();
    const row = await resources.db
      .selectFrom("team_members")
      .selectAll()
      .where("team_id", "=", team)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ user_id: "deleted_user", is_owner: 1, invited_by: null });
    expect((await as.anyone.get("/api/user/deleted_user")).body).toMatchObject({
      id: "deleted_user",
      userName: "deleted_user",
    });
  });

  test("needs a session, a fresh one if there is no password", async () => {
    const user = await make.user();
    expect(await (await as.token(user, { scopes: assignableScopes })).delete("/api/user")).toFail(403, "sessionNeeded");
    clock.advance(11 * minute);
    expect(await as.user(user).delete("/api/user")).toFail(403, "freshSessionNeeded");
  });

  test("the only administrator cannot go", async () => {
    const world = await testApp();
    const admin = await world.make.user({ role: "admin" });
    expect(await world.as.user(admin).delete("/api/user")).toFail(409, "lastAdmin");
    await world.make.user({ role: "admin" });
    expect(await world.as.user(admin).delete("/api/user")).toSucceed();
    await world.stop();
  });
});

describe("createFirstAdmin", () => {
  test("the code makes one administrator, once", async () => {
    const world = await testApp();
    const code = await write(world.resources, {}, (tx) => createCode(tx, "setup", null));
    const spare = await write(world.resources, {}, (tx) => createCode(tx, "setup", null));
    const admin = { code, userName: "boss", email: "boss@example.com", password };
    expect(await world.as.anyone.post("/api/setup", { ...admin, code: `msc_${"a".repeat(49)}` })).toFail(
      400,
      "codeInvalid",
    );
    expect(await world.as.anyone.post("/api/setup", { ...admin, userName: "admin" })).toFail(400, "nameReserved");
    const attempts = await Promise.all(
      [1, 2, 3].map((n) =>
        world.as.anyone.post("/api/setup", { ...admin, userName: `boss${n}`, email: `${n}@example.com` }),
      ),
    );
    expect(attempts.map((reply) => reply.status).sort()).toEqual([200, 404, 404]);
    expect(await world.as.anyone.post("/api/setup", { ...admin, code: spare })).toFail(404, "setupDone");
    const { count } = await world.resources.db
      .selectFrom("users")
      .select((select) => select.fn.countAll<number>().as("count"))
      .where("role", "=", "admin")
      .executeTakeFirstOrThrow();
    expect(count).toBe(1);
    await world.stop();
  });
});

describe("the audit log", () => {
  test("has one row for each act, with actor, credential and network, written with the act", async () => {
    const user = await make.user({ password });
    const since = await lastAudit();
    await as.user(user).post("/api/pat", { name: "x", dateExpires: "2099-01-01", authScopes: [] });
    await as.user(user).put("/api/user/password", { currentPassword: "wrong", newPassword });
    await as.user(user).put("/api/user/password", { currentPassword: password, newPassword });
    await as.user(user).delete("/api/user", { password: newPassword });
    const rows = await resources.db.selectFrom("audit_log").selectAll().where("id", ">", since).orderBy("id").execute();
    expect(rows.map((row) => row.action)).toEqual(["token.create", "user.password.set", "user.delete"]);
    for (const row of rows)
      expect(row).toMatchObject({
        actor_id: user.id,
        credential: expect.stringMatching(/^session:/),
        address: "127.0.0.0/24",
        request_id: expect.any(String),
      });
  });

  const lastAudit = async () =>
    (await resources.db.selectFrom("audit_log").select("id").orderBy("id", "desc").limit(1).executeTakeFirst())?.id ??
    0;
});
