// Tests addresses that are not confirmed yet: the restrictions until then, and that they reserve nothing.
import { afterAll, describe, expect, test } from "vitest";
import type { Actor, Reply } from "#test/callers/actors.js";
import { heading, location, readPage, submit, withSessionOf } from "#test/callers/page-forms.js";
import { jarFile, publishTo } from "#test/callers/uploads.js";
import { siteUrl, testApp, uniqueName } from "#test/server/harness.js";
import { startSmtp } from "#test/setup/smtp.js";
import { makeProject } from "#test/worlds/content.js";

const smtp = await startSmtp();
smtp.ignore(/^Subject: (New sign-in|Your password was changed)/m);
afterAll(() => smtp.stop());
const settings = {
  MODSHELF_SMTP_URL: smtp.url,
  MODSHELF_MAIL_FROM: "shelf@example.com",
  MODSHELF_TRUSTED_PROXIES: "loopback",
};
const world = await testApp({ settings });
const { as, make, resources } = world;
const { db } = resources;
const password = "correct horse battery";
const newPassword = "another fine password";
const codeIn = (text: string) => /code=(msc_\w+)/.exec(text)?.[1] ?? "";
const newAddress = () => `${uniqueName()}@example.com`;

/** Through the API, with the mail that it causes. */
async function signUp(email = newAddress(), given = password) {
  const userName = uniqueName();
  const reply = await as.anyone.post("/api/auth/signup", { userName, email, password: given });
  const mail = await smtp.nextMessage();
  return { userName, email, reply, mail, actor: withSessionOf(as.anyone, reply) };
}

const confirm = (code: string) => as.anyone.post("/api/user/email/confirm", { code });
const signIn = (login: string, given = password) =>
  as.anyone.post("/api/auth/signin/credential", { email: login, password: given });
const isSignedInAs = async (reply: Reply, userName: string) =>
  (await withSessionOf(as.anyone, reply).get("/api/auth/me")).body.userName === userName;

/** The parts of an answer that do not depend on the user. */
const shapeOf = (reply: Reply, userName: string) => ({
  status: reply.status,
  headers: [...reply.headers.keys()].filter((name) => name !== "etag").sort(),
  cookie: reply.headers.get("set-cookie")?.replace(/mss_\w+/, "mss_"),
  body: reply.text.replace(reply.body?.id, "ID").replaceAll(userName, "NAME"),
});

describe("signUp, requestConfirmation and submitConfirmationRequest where mail is configured", () => {
  test("mails a link that confirms the address, once", async () => {
    const { actor, email, mail, userName } = await signUp(newAddress().toUpperCase());
    expect(mail.to).toEqual([email.toLowerCase()]);
    expect(mail.data).toContain("Subject: Confirm your email address");
    expect((await actor.get("/api/auth/me")).body).toMatchObject({ emailConfirmed: false });
    const code = codeIn(mail.text);
    expect((await readPage(as.anyone, `/auth/verify?code=${code}`)).text).toContain(
      `The account ${userName} was created with the address ${email.toLowerCase()}`,
    );
    expect(await confirm(code)).toSucceed();
    expect(await confirm(code)).toFail(400, "codeInvalid");
    expect((await actor.get("/api/auth/me")).body).toMatchObject({ emailConfirmed: true });
  });

  test("answers the same whether or not the address has an account, and tells only its owner", async () => {
    const owner = await make.user({ password });
    const [free, taken] = [await signUp(), await signUp(owner.email)];
    expect(shapeOf(taken.reply, taken.userName)).toEqual(shapeOf(free.reply, free.userName));
    expect(taken.reply.headers.get("set-cookie")).toContain("auth-token=mss_");
    const [told, me] = [taken.mail, await taken.actor.get("/api/auth/me")];
    expect(told.to).toEqual([owner.email]);
    expect(told.text).toContain(`belongs to your account ${owner.userName}`);
    expect(told.text).not.toContain("code=");
    expect(me.body).toMatchObject({ userName: taken.userName, email: owner.email, emailConfirmed: false });
    // Nothing that the newcomer can see or do afterwards tells it either.
    for (const ask of [
      (actor: Actor) => actor.post("/api/user/email/confirmation"),
      (actor: Actor) => actor.patch("/api/user/email", { email: newAddress(), password }),
    ]) {
      const replies = [await ask(free.actor), await ask(taken.actor)];
      await Promise.all([smtp.nextMessage(), smtp.nextMessage()]);
      expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    }
    // Signing in with the address opens the account with that password, even if another account holds the address.
    expect(await isSignedInAs(await signIn(free.email), free.userName)).toBe(true);
    const [other, third] = ["a password of their own", "neither one nor the other"];
    const second = await signUp(owner.email, other);
    expect(await isSignedInAs(await signIn(owner.email, other), second.userName)).toBe(true);
    expect(await isSignedInAs(await signIn(owner.email), owner.userName)).toBe(true);
    expect(await signIn(owner.email, third)).toFail(401, "signInFailed");
  });

  test("on the website sets the session, and shows the next step on every page until it is done", async () => {
    const owner = await make.user({ password });
    const enter = async (email: string) => {
      const fields = { userName: uniqueName(), email, password, next: "/" };
      const entered = await submit(as.anyone, "/auth/sign-up", fields);
      return { entered, mail: await smtp.nextMessage(), actor: withSessionOf(as.anyone, entered) };
    };
    const [taken, free] = [await enter(owner.email), await enter(newAddress())];
    expect([taken.entered.status, location(taken.entered)]).toEqual([free.entered.status, location(free.entered)]);
    for (const { actor } of [taken, free])
      expect((await readPage(actor, "/")).text).toContain("Confirm your email address: open the link");
    expect(location(await submit(free.actor, "/settings/account/confirmation"))).toBe(
      "/settings/account?done=confirmation",
    );
    const again = codeIn((await smtp.nextMessage()).text);
    // The first link works as well as the second.
    const confirmed = await submit(as.anyone, "/auth/verify", { code: codeIn(free.mail.text) });
    expect(location(confirmed)).toBe("/auth/verify?done");
    expect(await confirm(again)).toFail(400, "codeInvalid");
    expect((await readPage(free.actor, "/")).text).not.toContain("Confirm your email address: open the link");
    expect((await submit(free.actor, "/settings/account/confirmation")).status).toBe(409);
  });
});

describe("until the address is confirmed", () => {
  test("publishing is refused with a hint, for sessions and tokens", async () => {
    const { actor, mail, userName } = await signUp();
    const { id } = (await actor.get("/api/auth/me")).body;
    const user = { id, userName, email: "", password, sessionToken: "" };
    const draft = await actor.post("/api/project", {
      ...{
        name: "Lamps",
        slug: uniqueName("lamps"),
        type: ["mod"],
        visibility: "listed",
        summary: "Lamps of all kinds",
      },
    });
    expect(draft).toSucceed();
    const ref = draft.body.slug;
    const token = await as.token(user, { scopes: ["version_create", "project_write", "version_read", "project_read"] });
    for (const who of [actor, token]) {
      const refused = await publishTo(who, ref, { primaryFile: jarFile() });
      expect(refused).toFail(403, "addressUnconfirmed");
      expect(refused.body.message).toContain("open the link");
      expect(await who.post("/api/upload", { name: "a.jar", size: 10 })).toFail(403, "addressUnconfirmed");
      expect(await who.post(`/api/project/${ref}/submit-for-review`)).toFail(403, "addressUnconfirmed");
    }
    expect(await confirm(codeIn(mail.text))).toSucceed();
    for (const who of [actor, token]) expect(await who.post(`/api/project/${ref}/submit-for-review`)).toFail(409);
    expect(await publishTo(token, ref, { primaryFile: jarFile() })).toSucceed();
  });

  test("strangers' things answer as if the address were confirmed", async () => {
    const { actor } = await signUp();
    const project = await makeProject(world, await make.user(), { status: "draft" });
    expect(await publishTo(actor, project.slug, { primaryFile: jarFile() })).toFail(404, "projectNotFound");
  });

  test("the account gets no other mail, for it may be a stranger's mailbox", async () => {
    const { actor, email } = await signUp();
    smtp.ignore(/^Subject: Nothing like this/m);
    await signIn(email);
    await actor.put("/api/user/password", { currentPassword: password, newPassword });
    await world.app.jobs.settle();
    expect(smtp.messages.filter(({ to }) => to.includes(email))).toHaveLength(1);
    smtp.ignore(/^Subject: (New sign-in|Your password was changed)/m);
  });
});

describe("the owner of a mailbox", () => {
  test("gets the address by signing up, even if other accounts named it before", async () => {
    const squatter = await signUp();
    const owner = await signUp(squatter.email);
    expect(await confirm(codeIn(owner.mail.text))).toSucceed();
    // The squatter's own link is worth nothing any more, and there is no other.
    expect(await confirm(codeIn(squatter.mail.text))).toFail(409, "emailTaken");
    await squatter.actor.post("/api/user/email/confirmation");
    expect((await smtp.nextMessage()).text).toContain(`belongs to your account ${owner.userName}`);
    expect((await squatter.actor.get("/api/auth/me")).body).toMatchObject({ emailConfirmed: false });
  });

  test("gets an account that was made in their name by a reset, with nothing of the maker's left", async () => {
    const attacker = await signUp();
    const { body } = await attacker.actor.post("/api/pat", {
      ...{ name: "back door", dateExpires: "2099-01-01", authScopes: ["user_read", "project_write"] },
    });
    await as.anyone.post("/api/user/change-password", { email: attacker.email });
    const mail = await smtp.nextMessage();
    const page = await readPage(as.anyone, `/auth/reset?code=${codeIn(mail.text)}`);
    expect(page.text).toContain("someone else may have created this account");
    expect(page.text).not.toContain("back door");
    const reset = await as.anyone.patch("/api/user/password", { code: codeIn(mail.text), newPassword });
    expect(reset.body).toMatchObject({ success: true, tokensRevoked: 1, remaining: { tokens: [] } });
    expect(await as.bearer(body.token).get("/api/auth/me")).toFail(401);
    expect(await attacker.actor.get("/api/auth/me")).toFail(401);
    const owner = withSessionOf(as.anyone, await signIn(attacker.email, newPassword));
    expect((await owner.get("/api/auth/me")).body).toMatchObject({ emailConfirmed: true });
  });

  test("gets a mail for each account that names the address, if none has confirmed it", async () => {
    const [first, second] = [await signUp(), await signUp()];
    await db.updateTable("users").set({ email: first.email }).where("email", "=", second.email).execute();
    await as.anyone.post("/api/user/change-password", { email: first.email });
    const texts = [(await smtp.nextMessage()).text, (await smtp.nextMessage()).text].join();
    expect(texts).toContain(`Hello ${first.userName},`);
    expect(texts).toContain(`Hello ${second.userName},`);
  });
});

describe("mails to one mailbox", () => {
  test("a stranger cannot use up the owner's, nor invalidate the links that were sent", async () => {
    const limited = await testApp({ settings: { ...settings, MODSHELF_RATE_LIMITS: "on" } });
    const user = await limited.make.user({ password });
    const ask = async (address: string) => {
      const headers = { "x-forwarded-for": address };
      const reply = await limited.as.anyone.post("/api/user/change-password", { email: user.email }, { headers });
      await limited.app.jobs.settle();
      return reply;
    };
    const sent = () => smtp.messages.filter(({ to }) => to.includes(user.email));
    const answers = [];
    for (let times = 0; times < 8; times++) answers.push((await ask("192.0.2.1")).text);
    expect(sent()).toHaveLength(5);
    answers.push((await ask("198.51.100.1")).text);
    expect(sent()).toHaveLength(6);
    // Many strangers together: the mailbox is not flooded, and the links that are in it work.
    for (let times = 1; times < 9; times++) answers.push((await ask(`203.0.113.${times}`)).text);
    expect(sent()).toHaveLength(10);
    expect(new Set(answers).size).toBe(1);
    const code = codeIn(sent()[5]!.text);
    const headers = { "x-forwarded-for": "198.51.100.1" };
    expect(await limited.as.anyone.patch("/api/user/password", { code, newPassword }, { headers })).toSucceed();
    for (const _ of sent()) await smtp.nextMessage();
    await limited.stop();
  });
});

describe("if no mail is configured", () => {
  test("an address counts immediately, and there are no restrictions", async () => {
    const silent = await testApp({ settings: { MODSHELF_REVIEW: "off" } });
    const email = newAddress();
    const account = { userName: uniqueName(), email, password };
    const reply = await silent.as.anyone.post("/api/auth/signup", account);
    expect(await silent.as.anyone.post("/api/auth/signup", { ...account, userName: uniqueName() })).toFail(
      409,
      "emailTaken",
    );
    expect(await silent.as.anyone.post("/api/auth/signin/credential", { email, password })).toSucceed();
    const actor = withSessionOf(silent.as.anyone, reply).with({ origin: siteUrl });
    const draft = { name: "Lamps", slug: uniqueName("lamps"), type: ["mod"], visibility: "listed", summary: "Lamps!" };
    const { slug } = (await actor.post("/api/project", draft)).body;
    expect(await publishTo(actor, slug, { primaryFile: jarFile() })).toSucceed();
    expect((await readPage(actor, "/")).text).not.toContain("Confirm your email address");
    expect(await actor.post("/api/user/email/confirmation")).toFail(409, "addressConfirmed");
    expect(heading(await readPage(actor, "/settings/account"))).toBe("Account");
    await silent.stop();
  });
});
