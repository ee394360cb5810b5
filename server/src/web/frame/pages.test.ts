// The pages as a browser without script uses them: real requests, real forms, real mail.
import { afterAll, describe, expect, test } from "vitest";
import { createCode } from "#accounts/users/codes.js";
import { write } from "#platform/changes/write.js";
import type { Resources } from "#platform/http/resources.js";
import type { Reply } from "#test/callers/actors.js";
import { submit } from "#test/callers/page-forms.js";
import { drawPicture } from "#test/files/pictures.js";
import { siteUrl, testApp, uniqueName } from "#test/server/harness.js";
import { startSmtp } from "#test/setup/smtp.js";

const smtp = await startSmtp();
// These mails come with every sign-in; the tests are about the other mails.
smtp.ignore(/^Subject: New sign-in/m);
afterAll(() => smtp.stop());
const mailing = await testApp({ settings: { MODSHELF_SMTP_URL: smtp.url, MODSHELF_MAIL_FROM: "shelf@example.com" } });
const quiet = await testApp();

/** Skips mails without such a link. */
async function nextLink(pattern: RegExp): Promise<string> {
  for (;;) {
    const link = pattern.exec((await smtp.nextMessage()).text)?.[1];
    if (link !== undefined) return link;
  }
}

const setupCode = (resources: Resources) =>
  write(resources, { credential: "test" }, (tx) => createCode(tx, "setup", null));

const typed = (page: Reply, name: string): string | undefined =>
  new RegExp(`<input[^>]* name="${name}"[^>]* value="([^"]*)"`).exec(page.text)?.[1];
const wrongWith = (page: Reply, name: string): string | undefined =>
  new RegExp(`id="${name}-wrong">([^<]*)<`).exec(page.text)?.[1];
const heading = (page: Reply): string | undefined => /<h1>([^<]*)<\/h1>/.exec(page.text)?.[1];

const userCount = async ({ db }: Resources): Promise<number> =>
  (await db.selectFrom("users").select("id").execute()).length;

describe("getHomePage", () => {
  test("describes the site, for search engines too", async () => {
    const page = await quiet.as.anyone.get("/");
    expect(page).toSucceed();
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(page.text).toMatch(/^<!doctype html><html lang="en">/);
    expect(page.text).toContain('<meta name="description"');
    expect(page.text).toContain('href="/api/docs"');
  });

  test("is not sent again to a browser that has it", async () => {
    const etag = (await quiet.as.anyone.get("/")).headers.get("etag")!;
    expect((await quiet.as.anyone.get("/", { headers: { "if-none-match": etag } })).status).toBe(304);
  });

  test("greets a user who is signed in, and is private to them", async () => {
    const user = await quiet.make.user();
    const page = await quiet.as.user(user).get("/");
    expect(page.text).toContain(user.userName);
    expect(page.headers.get("cache-control")).toBe("private, no-cache");
    expect((await quiet.as.anyone.get("/")).text).not.toContain(user.userName);
  });

  test("shows the user's avatar beside their name, or the generated one", async () => {
    const user = await quiet.make.user();
    const menu = async () =>
      /<summary><img [^>]*src="([^"]*)"[^>]*\/> <span dir="auto">([^<]*)</.exec(
        (await quiet.as.user(user).get("/")).text,
      )!;
    expect((await menu()).slice(1)).toEqual([`/cdn/data/user/${user.id}/default.png`, user.userName]);
    const saved = await quiet.as.user(user).form("PATCH", "/api/user", { avatar: await drawPicture() });
    expect((await menu())[1]).toBe(new URL(saved.body.profileData.avatar).pathname);
    expect(await quiet.as.anyone.get((await menu())[1]!)).toSucceed();
  });

  test("takes the theme from the cookie only", async () => {
    const withTheme = (theme: string) => quiet.as.anyone.get("/", { headers: { cookie: `theme=${theme}` } });
    expect((await withTheme("dark")).text).toContain('data-theme="dark"');
    expect((await withTheme("neon")).text).not.toContain("data-theme");
  });
});

describe("getSetupPage and submitSetup", () => {
  const good = () => ({
    userName: uniqueName("keeper"),
    email: `${uniqueName()}@example.com`,
    password: "a fine secret",
  });

  test("without a code says where to find the link", async () => {
    const page = await quiet.as.anyone.get("/setup");
    expect(page).toSucceed();
    expect(page.text).toContain("modshelf setup-link");
    expect(page.text).not.toContain('<form class="form');
  });

  test("with a wrong, foreign or expired code says how to get a new one", async () => {
    const old = await setupCode(quiet.resources);
    quiet.clock.advance(61 * 60_000);
    const user = await quiet.make.user();
    const foreign = await write(quiet.resources, { credential: "test" }, (tx) =>
      createCode(tx, "password_reset", user.id),
    );
    for (const code of [old, foreign, "nonsense", "", "'<script>", "x".repeat(500)]) {
      const page = await quiet.as.anyone.get(`/setup?code=${encodeURIComponent(code)}`);
      expect(page.status).toBe(400);
      expect(heading(page)).toBe("This setup link does not work");
      const sent = await submit(quiet.as.anyone, "/setup", { ...good(), code });
      expect(sent.status).toBe(400);
      expect(sent.text).not.toContain("<script>");
    }
    expect((await quiet.as.anyone.get("/")).text).toContain("no administrator yet");
  });

  test("with a valid code shows the form each time it is opened, and changes nothing", async () => {
    const code = await setupCode(quiet.resources);
    const before = await userCount(quiet.resources);
    for (let times = 0; times < 3; times++) {
      const page = await quiet.as.anyone.get(`/setup?code=${code}`);
      expect(page).toSucceed();
      expect(typed(page, "code")).toBe(code);
      expect(page.headers.get("cache-control")).toBe("no-store");
    }
    expect(await userCount(quiet.resources)).toBe(before);
  });

  test("shows problems beside the fields and keeps what was typed, except for the password", async () => {
    const code = await setupCode(quiet.resources);
    const page = await submit(quiet.as.anyone, "/setup", {
      code,
      userName: 'a"><script>alert(1)</script>',
      email: "nobody",
      password: "short",
    });
    expect(page.status).toBe(400);
    expect(page.text).not.toContain("<script>");
    expect(typed(page, "userName")).toContain("&lt;script");
    expect(typed(page, "email")).toBe("nobody");
    expect(page.text).not.toContain("short");
    expect(wrongWith(page, "userName")).toBe("Must be 2 to 32 letters, digits, _ or -");
    expect(wrongWith(page, "email")).toBe("Must be an email address");
    expect(wrongWith(page, "password")).toBe("Must be 8 to 128 characters long");
    expect(page.text).toContain('<a href="#email">Email</a>');
  });

  test("says which name is taken or reserved, with the right status, and the code stays valid", async () => {
    const code = await setupCode(quiet.resources);
    const user = await quiet.make.user();
    const taken = await submit(quiet.as.anyone, "/setup", { ...good(), code, userName: user.userName.toUpperCase() });
    expect(taken.status).toBe(409);
    expect(wrongWith(taken, "userName")).toContain("taken");
    const mail = await submit(quiet.as.anyone, "/setup", { ...good(), code, email: user.email });
    expect(mail.status).toBe(409);
    expect(wrongWith(mail, "email")).toContain("already exists");
    const reserved = await submit(quiet.as.anyone, "/setup", { ...good(), code, userName: "admin" });
    expect(reserved.status).toBe(400);
    expect(wrongWith(reserved, "userName")).toContain("reserved");
  });

  test("refuses a form from another site, and one with NUL in it", async () => {
    const code = await setupCode(quiet.resources);
    const before = await userCount(quiet.resources);
    const foreign = await submit(quiet.as.anyone, "/setup", { ...good(), code }, "https://evil.example");
    expect(foreign.status).toBe(403);
    expect(foreign.text).toContain(`href="${siteUrl}"`);
    const nul = await submit(quiet.as.anyone, "/setup", { ...good(), code, userName: "a\0b" });
    expect(nul.status).toBe(400);
    expect(await userCount(quiet.resources)).toBe(before);
  });

  test("creates the administrator, signs them in, and cannot be used again", async () => {
    const code = await setupCode(quiet.resources);
    const done = await submit(quiet.as.anyone, "/setup", { ...good(), code, userName: "Keeper" });
    expect(done.status).toBe(303);
    expect(done.headers.get("location")).toBe("/setup/site");
    const [, token] = /auth-token=([^;]+);.*HttpOnly/.exec(done.headers.get("set-cookie")!)!;
    const me = await quiet.as.anyone.get("/api/auth/me", { headers: { cookie: `auth-token=${token}` } });
    expect(me.body).toMatchObject({ userName: "Keeper", role: "admin" });

    const closed = await quiet.as.anyone.get(`/setup?code=${code}`, { headers: { accept: "text/html" } });
    expect(closed.status).toBe(404);
    expect(closed.text).toContain("already set up");
    expect((await submit(quiet.as.anyone, "/setup", { ...good(), code })).status).toBe(404);
    expect((await quiet.as.anyone.get("/")).text).not.toContain("no administrator yet");
  });
});

describe("getResetPage and submitReset", () => {
  test("works by mail: request it, follow the link, choose a password, sign in", async () => {
    const { as, make } = mailing;
    const user = await make.user({ password: "the old secret" });
    expect((await as.anyone.get("/auth/reset")).text).toContain('name="email"');
    const asked = await submit(as.anyone, "/auth/reset", { email: user.email.toUpperCase() });
    expect(asked.status).toBe(303);

    const { text } = await smtp.nextMessage();
    const link = /http:\/\/modshelf\.test(\/auth\/reset\?code=\S+)/.exec(text)![1]!;
    const form = await as.anyone.get(link);
    expect(form).toSucceed();
    const code = typed(form, "code")!;

    const differ = await submit(as.anyone, "/auth/reset", {
      code,
      newPassword: "long enough",
      confirmNewPassword: "no",
    });
    expect(differ.status).toBe(400);
    expect(wrongWith(differ, "confirmNewPassword")).toContain("do not match");
    const short = await submit(as.anyone, "/auth/reset", { code, newPassword: "short", confirmNewPassword: "short" });
    expect(wrongWith(short, "newPassword")).toBe("Must be 8 to 128 characters long");

    const newPassword = "the new secret";
    const set = await submit(as.user(user), "/auth/reset", { code, newPassword, confirmNewPassword: newPassword });
    // This also ended the session of this browser.
    expect(set.text).not.toContain(user.userName);
    expect([set.status, heading(set)]).toEqual([200, "Password set"]);
    expect(set.headers.get("cache-control")).toBe("no-store");
    expect(set.text).toContain("Only the new password gives access to your account.");
    const signIn = { email: user.email, password: newPassword };
    expect(await as.anyone.post("/api/auth/signin/credential", signIn)).toSucceed();

    const again = await submit(as.anyone, "/auth/reset", { code, newPassword, confirmNewPassword: newPassword });
    expect(again.status).toBe(400);
    expect(heading(again)).toBe("This link does not work");
    expect((await as.anyone.get(link)).status).toBe(400);
    await smtp.nextMessage();
  });

  test("answers the same for an unknown email address, and refuses a malformed one", async () => {
    const { as, make } = mailing;
    const known = await submit(as.anyone, "/auth/reset", { email: (await make.user()).email });
    const unknown = await submit(as.anyone, "/auth/reset", { email: `${uniqueName()}@example.com` });
    expect([unknown.status, unknown.headers.get("location"), unknown.text]).toEqual([
      known.status,
      known.headers.get("location"),
      known.text,
    ]);
    await smtp.nextMessage();
    const wrong = await submit(as.anyone, "/auth/reset", { email: "<nobody>" });
    expect(wrong.status).toBe(400);
    expect(wrongWith(wrong, "email")).toBe("Must be an email address");
    expect(typed(wrong, "email")).toBe("&lt;nobody>");
  });

  test("refers users to the operator if the site has no mail", async () => {
    const page = await quiet.as.anyone.get("/auth/reset");
    expect(page.text).toContain("modshelf admin reset");
    expect(page.text).not.toContain('<form class="form');
    expect((await submit(quiet.as.anyone, "/auth/reset", { email: "ada@example.com" })).status).toBe(303);
  });
});

describe("getVerifyPage and submitVerify", () => {
  test("the mailed link confirms by a button, and opening it changes nothing", async () => {
    const { as, make } = mailing;
    const user = await make.user({ password: "a fine secret" });
    const email = `${uniqueName()}@example.com`;
    expect(await as.user(user).patch("/api/user/email", { email, password: "a fine secret" })).toSucceed();
    const link = await nextLink(/http:\/\/modshelf\.test(\/auth\/verify\?code=\S+)/);
    const mine = async () => (await as.user(user).get("/api/auth/me")).body.email;

    const page = await as.anyone.get(link);
    expect(page).toSucceed();
    await as.anyone.head(link);
    expect(await mine()).toBe(user.email);

    const code = typed(page, "code")!;
    const done = await submit(as.anyone, "/auth/verify", { code });
    expect(done.headers.get("location")).toBe("/auth/verify?done");
    expect(heading(await as.anyone.get("/auth/verify?done"))).toBe("Email address confirmed");
    expect(await mine()).toBe(email);
    await smtp.nextMessage();

    const again = await submit(as.anyone, "/auth/verify", { code });
    expect([again.status, heading(again)]).toEqual([400, "This link does not work"]);
  });

  test("says that the code is wrong or missing", async () => {
    for (const path of ["/auth/verify", "/auth/verify?code=nope"]) {
      const page = await mailing.as.anyone.get(path);
      expect([page.status, heading(page)]).toEqual([400, "This link does not work"]);
    }
    expect((await submit(mailing.as.anyone, "/auth/verify", {})).status).toBe(400);
  });
});
