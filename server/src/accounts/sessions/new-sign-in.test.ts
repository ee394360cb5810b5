// A mail tells of a sign-in from a place that the account was not signed in from.
import { afterAll, expect, test } from "vitest";
import type { TestUser } from "#test/callers/actors.js";
import { heading, readPage, submit } from "#test/callers/page-forms.js";
import { siteUrl, testApp, uniqueName } from "#test/server/harness.js";
import { startSmtp } from "#test/setup/smtp.js";

const smtp = await startSmtp();
afterAll(() => smtp.stop());
const settings = { MODSHELF_SMTP_URL: smtp.url, MODSHELF_MAIL_FROM: "shelf@example.com" };
const { as, make, app, clock } = await testApp({ settings });
const password = "correct horse battery";
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

const signIn = (user: Pick<TestUser, "email">, userAgent: string) =>
  as.anyone.with({ "user-agent": userAgent }).post("/api/auth/signin/credential", { email: user.email, password });

async function mailsTo(email: string): Promise<string[]> {
  await app.jobs.settle();
  return smtp.messages.filter(({ to }) => to.includes(email)).map(({ text }) => text);
}

test("signIn from a new place is reported by mail, with a link to the sessions", async () => {
  const user = await make.user({ password });
  expect(await signIn(user, firefox)).toSucceed();
  const [mail = "", ...more] = await mailsTo(user.email);
  expect(more).toEqual([]);
  expect(mail).toContain("Firefox on Linux");
  expect(mail).toContain("127.0.0.1");
  expect(mail).toContain(`${siteUrl}/settings/sessions`);
});

test("getRevokeSessionPage asks and submitRevokeSession ends that session, once, without a sign-in", async () => {
  const user = await make.user({ password });
  const reply = await signIn(user, firefox);
  const thief = as.anyone.with({ cookie: reply.headers.get("set-cookie")!.split(";")[0]!, origin: siteUrl });
  const [mail = ""] = await mailsTo(user.email);
  const code = /revoke-session\?code=(msc_\w+)/.exec(mail)![1]!;
  const page = await readPage(as.anyone, `/auth/revoke-session?code=${code}`);
  expect(heading(page)).toBe("End this session?");
  expect(page.text).toContain("Firefox, Linux");
  expect(await thief.get("/api/auth/me")).toSucceed();
  expect(heading(await submit(as.anyone, "/auth/revoke-session", { code }))).toBe("Session ended");
  expect(await thief.get("/api/auth/me")).toFail(401);
  expect(await as.user(user).get("/api/auth/me")).toSucceed();
  expect((await submit(as.anyone, "/auth/revoke-session", { code })).status).toBe(404);
});

test("endSessionByCode ends that session with the code of the mail alone, once", async () => {
  const user = await make.user({ password });
  const reply = await signIn(user, firefox);
  const thief = as.anyone.with({ cookie: reply.headers.get("set-cookie")!.split(";")[0]!, origin: siteUrl });
  const code = /revoke-session\?code=(msc_\w+)/.exec((await mailsTo(user.email))[0]!)![1]!;
  expect(await as.anyone.delete(`/api/auth/sessions/${code}`)).toSucceed();
  expect(await thief.get("/api/auth/me")).toFail(401);
  expect(await as.user(user).get("/api/auth/me")).toSucceed();
  for (const bad of [code, "nonsense", "msc_0000000000000000000000000000000000000000000000000"])
    expect(await as.anyone.delete(`/api/auth/sessions/${bad}`)).toFail(400, "codeInvalid");
});

test.each(["", "nonsense", "msc_0000000000000000000000000000000000000000000000000"])(
  "submitRevokeSession ends nothing with the code %j",
  async (code) => {
    expect((await readPage(as.anyone, `/auth/revoke-session?code=${code}`)).status).toBe(404);
    expect((await submit(as.anyone, "/auth/revoke-session", { code })).status).toBe(404);
  },
);

test("a link to end a session works for a week, and does not sign in", async () => {
  const user = await make.user({ password });
  await signIn(user, firefox);
  const code = /code=(msc_\w+)/.exec((await mailsTo(user.email))[0]!)![1]!;
  expect((await submit(as.anyone, "/auth/second-factor", { step: code, code: "000000" })).status).toBe(400);
  const path = `/auth/revoke-session?code=${code}`;
  const week = 7 * 24 * 60 * 60_000;
  await clock.during(week - 60_000, async () => {
    expect((await readPage(as.anyone, path)).status).toBe(200);
    clock.advance(60_001);
    expect((await readPage(as.anyone, path)).status).toBe(404);
    expect((await submit(as.anyone, "/auth/revoke-session", { code })).status).toBe(404);
  });
});

test("signIn from a known place is not reported, with another program it is", async () => {
  const user = await make.user({ password });
  await signIn(user, firefox);
  await signIn(user, firefox);
  expect(await mailsTo(user.email)).toHaveLength(1);
  await signIn(user, "curl/8.0");
  expect(await mailsTo(user.email)).toHaveLength(2);
});

test("signUp sends no such mail, nor does a failed sign-in", async () => {
  const userName = uniqueName();
  const email = `${userName}@example.com`;
  expect(await as.anyone.post("/api/auth/signup", { userName, email, password })).toSucceed();
  expect(await as.anyone.post("/api/auth/signin/credential", { email, password: "wrong password" })).toFail(401);
  // The one mail is that of the sign-up.
  expect(await mailsTo(email)).toEqual([expect.stringContaining("/auth/verify?code=")]);
});

test("a session that was ended before the mail left is not spoken of", async () => {
  const user = await make.user({ password });
  const reply = await signIn(user, "other/1.0");
  const cookie = reply.headers.get("set-cookie")!.split(";")[0]!;
  await as.anyone.with({ cookie, origin: siteUrl }).delete("/api/auth/sessions", {});
  const mails = await mailsTo(user.email);
  expect(mails.length).toBeLessThanOrEqual(1);
});
