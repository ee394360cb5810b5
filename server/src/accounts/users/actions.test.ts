// Deleting the account and adding a password with a mailed code, as the earlier service had it.
import { afterAll, describe, expect, test } from "vitest";
import type { TestUser } from "#test/callers/actors.js";
import { heading, readPage, submit } from "#test/callers/page-forms.js";
import { siteUrl, testApp } from "#test/server/harness.js";
import { startSmtp } from "#test/setup/smtp.js";

const smtp = await startSmtp();
afterAll(() => smtp.stop());
const settings = { MODSHELF_SMTP_URL: smtp.url, MODSHELF_MAIL_FROM: "shelf@example.com" };
const { as, make, app, clock, resources } = await testApp({ settings });
const password = "correct horse battery";
const hour = 60 * 60_000;

async function confirmed(options: Parameters<typeof make.user>[0] = {}): Promise<TestUser> {
  const user = await make.user(options);
  await resources.db.updateTable("users").set({ email_verified: 1 }).where("id", "=", user.id).execute();
  return user;
}

async function codeFor(user: TestUser): Promise<string> {
  await app.jobs.settle();
  const mail = smtp.messages.filter(({ to }) => to.includes(user.email)).at(-1)!;
  return new RegExp(`${siteUrl}/auth/confirm-action\\?code=(msc_\\w+)`).exec(mail.text)![1]!;
}

const signIn = (user: TestUser, given = password) =>
  as.anyone.post("/api/auth/signin/credential", { email: user.email, password: given });
const actionOf = (code: string) => as.anyone.post("/api/user/confirmation-action", { code });

describe("requestAccountDeletion", () => {
  test("mails a code with which deleteAccount works, once and without a session", async () => {
    const user = await confirmed({ password });
    expect(await as.user(user).post("/api/user/delete-account")).toSucceed();
    const code = await codeFor(user);
    expect((await actionOf(code)).body).toEqual({ success: true, actionType: "delete-user-account" });
    expect((await signIn(user)).status).toBe(200);
    expect(await as.anyone.delete("/api/user", { code })).toSucceed();
    expect(await as.anyone.get(`/api/user/${user.id}`)).toFail(404);
    expect(await as.anyone.delete("/api/user", { code })).toFail(400, "codeInvalid");
  });

  test("needs a session and a confirmed address; without a code deleteAccount needs a session as before", async () => {
    const user = await make.user({ password });
    await resources.db.updateTable("users").set({ email_verified: 0 }).where("id", "=", user.id).execute();
    expect(await as.user(user).post("/api/user/delete-account")).toFail(409, "confirmationImpossible");
    expect(await as.anyone.post("/api/user/delete-account")).toFail(401, "signInNeeded");
    const token = await as.token(user, { scopes: ["user_write"] });
    for (const path of ["/api/user/delete-account", "/api/user/password"])
      expect(await token.post(path, { newPassword: password })).toFail(403, "sessionNeeded");
    expect(await as.anyone.delete("/api/user", {})).toFail(401, "signInNeeded");
    expect(await token.delete("/api/user", { password })).toFail(403, "sessionNeeded");
    expect(await as.user(user).delete("/api/user", { password })).toSucceed();
  });
});

describe("requestPassword", () => {
  test("mails a code with which changePassword sets the password, and only then", async () => {
    const user = await confirmed();
    const input = { newPassword: password, confirmNewPassword: password };
    expect(await as.user(user).post("/api/user/password", { ...input, confirmNewPassword: "x" })).toFail(400);
    expect(await as.user(user).post("/api/user/password", input)).toSucceed();
    const code = await codeFor(user);
    expect((await actionOf(code)).body.actionType).toBe("confirm-new-password");
    expect((await signIn(user)).status).toBe(401);
    expect(await as.anyone.put("/api/user/password", { code })).toSucceed();
    expect(await signIn(user)).toSucceed();
    expect(await as.anyone.put("/api/user/password", { code })).toFail(400, "codeInvalid");
    expect(await as.user(await confirmed({ password })).post("/api/user/password", input)).toFail(
      409,
      "passwordExists",
    );
  });

  test("keeps the session that confirms, ends the others, and works for two hours", async () => {
    const user = await confirmed();
    await as.user(user).post("/api/user/password", { newPassword: password });
    clock.advance(2 * hour - 60_000);
    expect(await as.user(user).put("/api/user/password", { code: await codeFor(user) })).toSucceed();
    expect(await as.user(user).get("/api/auth/me")).toSucceed();
    const late = await confirmed();
    await as.user(late).post("/api/user/password", { newPassword: password });
    const code = await codeFor(late);
    clock.advance(2 * hour);
    expect(await as.anyone.put("/api/user/password", { code })).toFail(400, "codeInvalid");
    expect(await as.anyone.put("/api/user/password", { newPassword: password })).toFail(401, "signInNeeded");
    expect(await as.user(late).put("/api/user/password", {})).toFail(400, "invalidRequest");
  });
});

describe("getConfirmationAction and cancelConfirmationAction", () => {
  test("know the code of a reset too, and nothing else", async () => {
    const user = await confirmed({ password });
    await as.anyone.post("/api/user/change-password", { email: user.email });
    await app.jobs.settle();
    const mail = smtp.messages.filter(({ to }) => to.includes(user.email)).at(-1)!;
    const code = /code=(msc_\w+)/.exec(mail.text)![1]!;
    expect((await actionOf(code)).body.actionType).toBe("change-account-password");
    for (const bad of ["nonsense", "msc_0000000000000000000000000000000000000000000000000"]) {
      expect(await actionOf(bad)).toFail(400, "codeInvalid");
      expect(await as.anyone.delete("/api/user/confirmation-action", { code: bad })).toFail(400, "codeInvalid");
    }
  });

  test("a cancelled code does nothing any more, nor does another of its kind", async () => {
    const user = await confirmed({ password });
    await as.user(user).post("/api/user/delete-account");
    const first = await codeFor(user);
    await as.user(user).post("/api/user/delete-account");
    const second = await codeFor(user);
    expect(await as.anyone.delete("/api/user/confirmation-action", { code: second })).toSucceed();
    for (const code of [first, second]) {
      expect(await actionOf(code)).toFail(400, "codeInvalid");
      expect(await as.anyone.delete("/api/user", { code })).toFail(400, "codeInvalid");
    }
    expect(await signIn(user)).toSucceed();
  });
});

describe("the page that the mail leads to", () => {
  test("getConfirmActionPage asks, and submitConfirmAction carries the action out or cancels it", async () => {
    const user = await confirmed({ password });
    const ask = async () => {
      await as.user(user).post("/api/user/delete-account");
      return codeFor(user);
    };
    const first = await ask();
    const path = "/auth/confirm-action";
    expect(heading(await readPage(as.anyone, `${path}?code=${first}`))).toBe("Delete your account?");
    expect(await signIn(user)).toSucceed();
    expect(heading(await submit(as.anyone, path, { code: first, cancel: "yes" }))).toBe("Request canceled");
    expect((await readPage(as.anyone, `${path}?code=${first}`)).status).toBe(404);
    const second = await ask();
    expect(heading(await submit(as.anyone, path, { code: second }))).toBe("Your account has been deleted");
    expect((await signIn(user)).status).toBe(401);
    expect((await submit(as.anyone, path, { code: second })).status).toBe(404);
  });
});
