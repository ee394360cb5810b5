// Sign-in, sign-up and sign-out, as a browser without script uses them.
import { describe, expect, test } from "vitest";
import { heading, location, readPage, submit, typed, withSessionOf, wrongWith } from "#test/callers/page-forms.js";
import { testApp, uniqueName } from "#test/server/harness.js";

const world = await testApp();
const { as, make } = world;
const password = "correct horse battery";

const newMember = () => {
  const userName = uniqueName("new");
  return { userName, email: `${userName}@example.com`, password };
};

describe("getSignInPage and submitSignIn", () => {
  test("sign in by email address or name, and redirect to the requested page", async () => {
    const user = await make.user({ password });
    const page = await readPage(as.anyone, "/auth/sign-in?next=%2Fdashboard%2Freports%3Fpage%3D2");
    expect(page).toSucceed();
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(typed(page, "next")).toBe("/dashboard/reports?page=2");
    for (const login of [user.email, user.userName, ` ${user.email.toUpperCase()} `]) {
      const reply = await submit(as.anyone, "/auth/sign-in", { login, password, next: "/dashboard/reports?page=2" });
      expect(reply.status).toBe(303);
      expect(location(reply)).toBe("/dashboard/reports?page=2");
      expect((await withSessionOf(as.anyone, reply).get("/api/auth/me")).body.id).toBe(user.id);
    }
  });

  test("never redirect to another site", async () => {
    const user = await make.user({ password });
    for (const next of ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)", "/\t/x"]) {
      const page = await readPage(as.anyone, `/auth/sign-in?next=${encodeURIComponent(next)}`);
      expect(typed(page, "next")).toBe("/");
      const reply = await submit(as.anyone, "/auth/sign-in", { login: user.email, password, next });
      expect(location(reply)).toBe("/");
    }
  });

  test("show the same problem for a wrong name and a wrong password, and keep the name", async () => {
    const user = await make.user({ password });
    const wrong = await submit(as.anyone, "/auth/sign-in", { login: user.email, password: "wrong", next: "/new" });
    const unknown = await submit(as.anyone, "/auth/sign-in", { login: "nobody@example.com", password, next: "/new" });
    for (const page of [wrong, unknown]) {
      expect(page.status).toBe(401);
      expect(wrongWith(page, "password")).toBe("Wrong email, username or password.");
      expect(page.headers.getSetCookie().join()).not.toContain("auth-token=mss_");
      expect(typed(page, "next")).toBe("/new");
    }
    expect(typed(wrong, "login")).toBe(user.email);
    expect(wrong.text).not.toContain('value="wrong"');
  });

  test("accept any text as a name without harm", async () => {
    for (const login of ["", "<script>alert(1)</script>", "ж".repeat(300), "'; drop table users; --", "\u202e"]) {
      const page = await submit(as.anyone, "/auth/sign-in", { login, password: "x".repeat(2000) });
      expect(page.status).toBe(401);
      expect(page.text).not.toContain("<script>alert");
    }
    expect((await submit(as.anyone, "/auth/sign-in")).status).toBe(401);
  });

  test("refuse forms from other sites", async () => {
    const user = await make.user({ password });
    const reply = await submit(as.anyone, "/auth/sign-in", { login: user.email, password }, "https://evil.example");
    expect(reply.status).toBe(403);
  });

  test("redirect users who are signed in, unless they have to sign in again; the old session then ends", async () => {
    const user = await make.user({ password });
    const reply = await readPage(as.user(user), "/auth/sign-in?next=/new");
    expect([reply.status, location(reply)]).toEqual([303, "/new"]);
    const again = await readPage(as.user(user), "/auth/sign-in?next=/new&again=1");
    expect(again).toSucceed();
    expect(again.text).toContain(user.userName);
    const fresh = await submit(as.user(user), "/auth/sign-in", { login: user.userName, password });
    expect(await as.user(user).get("/api/auth/me")).toFail(401);
    expect(await withSessionOf(as.anyone, fresh).get("/api/auth/me")).toSucceed();
  });

  test("tell suspended users so", async () => {
    const user = await make.user({ password });
    await world.resources.db.updateTable("users").set({ date_suspended: 1 }).where("id", "=", user.id).execute();
    const page = await submit(as.anyone, "/auth/sign-in", { login: user.email, password });
    expect(page.status).toBe(403);
    expect(wrongWith(page, "login")).toContain("suspended");
  });

  test("limit guesses for one account, and say so in the form", async () => {
    const limited = await testApp({ settings: { MODSHELF_RATE_LIMITS: "on" } });
    const user = await limited.make.user({ password });
    for (let times = 0; times < 5; times++)
      expect((await submit(limited.as.anyone, "/auth/sign-in", { login: user.email, password: "x" })).status).toBe(401);
    const page = await submit(limited.as.anyone, "/auth/sign-in", { login: user.email, password });
    expect(page.status).toBe(429);
    expect(wrongWith(page, "password")).toContain("Too many requests");
    expect(typed(page, "login")).toBe(user.email);
  });

  test("offer passkeys only on a site with a domain name", async () => {
    const numbered = await testApp({ settings: { MODSHELF_URL: "http://127.0.0.1:4000" } });
    expect((await readPage(numbered.as.anyone, "/auth/sign-in")).text).not.toContain("data-passkey-sign-in");
    expect((await readPage(as.anyone, "/auth/sign-in")).text).toContain("data-passkey-sign-in");
  });

  test("offer only the configured providers", async () => {
    const settings = { MODSHELF_OAUTH_GITHUB_CLIENT_ID: "id", MODSHELF_OAUTH_GITHUB_CLIENT_SECRET: "q7Zt-01xw" };
    const linked = await testApp({ settings });
    const page = await readPage(linked.as.anyone, "/auth/sign-in?next=/new");
    expect(page.text).toContain("/api/auth/signin/github?redirect=true&amp;next=%2Fnew");
    expect(page.text).not.toContain("gitlab");
    expect((await readPage(as.anyone, "/auth/sign-in")).text).not.toContain("/api/auth/signin/");
  });
});

describe("getSignUpPage and submitSignUp", () => {
  test("create an account, sign in, and show what to do next", async () => {
    expect(heading(await readPage(as.anyone, "/auth/sign-up"))).toBe("Sign up");
    const member = newMember();
    const reply = await submit(as.anyone, "/auth/sign-up", member);
    expect([reply.status, location(reply)]).toEqual([303, "/dashboard"]);
    expect((await withSessionOf(as.anyone, reply).get("/api/auth/me")).body.userName).toBe(member.userName);
    const toNew = await submit(as.anyone, "/auth/sign-up", { ...newMember(), next: "/new" });
    expect(location(toNew)).toBe("/new");
  });

  test("show problems beside the fields and keep what was typed, except for the password", async () => {
    const taken = await make.user();
    const cases = [
      [{ userName: taken.userName.toUpperCase() }, "userName"],
      [{ userName: "admin" }, "userName"],
      [{ userName: "Übung!" }, "userName"],
      [{ userName: "x".repeat(5000) }, "userName"],
      [{ email: taken.email }, "email"],
      [{ email: "not a mail" }, "email"],
      [{ password: "short" }, "password"],
      [{ password: "" }, "password"],
    ] as const;
    for (const [change, field] of cases) {
      const given = { ...newMember(), ...change };
      const page = await submit(as.anyone, "/auth/sign-up", given);
      expect(page.status).toBeGreaterThanOrEqual(400);
      expect(wrongWith(page, field), field).toBeTruthy();
      expect(typed(page, "userName")).toBe(given.userName);
      expect(page.text).not.toContain(password);
      expect(page.headers.getSetCookie().join()).not.toContain("auth-token=mss_");
    }
  });

  test("create one account if the form is sent twice", async () => {
    const member = newMember();
    const replies = await Promise.all([1, 2].map(() => submit(as.anyone, "/auth/sign-up", member)));
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 409]);
  });

  test("say that registration is closed", async () => {
    const closed = await testApp({ settings: { MODSHELF_REGISTRATION: "closed" } });
    const page = await readPage(closed.as.anyone, "/auth/sign-up");
    expect(heading(page)).toBe("Registration is closed");
    expect(page.text).not.toContain('name="password"');
    expect((await submit(closed.as.anyone, "/auth/sign-up", newMember())).status).toBe(403);
  });

  test("are in German if the browser prefers it", async () => {
    const page = await as.anyone.get("/auth/sign-up", { headers: { "accept-language": "de-AT, en;q=0.5" } });
    expect(page.text).toContain("<h1>Registrieren</h1>");
  });
});

describe("submitSignOut", () => {
  test("ends the session and deletes the cookie; without a session it does no harm", async () => {
    const user = await make.user();
    const reply = await submit(as.user(user), "/auth/sign-out");
    expect([reply.status, location(reply)]).toEqual([303, "/"]);
    expect(reply.headers.getSetCookie().join()).toContain("auth-token=;");
    expect(await as.user(user).get("/api/auth/me")).toFail(401);
    expect((await submit(as.anyone, "/auth/sign-out")).status).toBe(303);
  });

  test("cannot be done by another site or by following a link", async () => {
    const user = await make.user();
    const foreign = as.user(user).with({ origin: "https://evil.example" });
    expect((await submit(foreign, "/auth/sign-out", {}, "https://evil.example")).status).toBe(403);
    expect((await readPage(as.user(user), "/auth/sign-out")).status).toBe(405);
    expect(await as.user(user).get("/api/auth/me")).toSucceed();
  });
});

test("getOldSignInPage and getOldSignUpPage redirect permanently to the new paths", async () => {
  const old = await readPage(as.anyone, "/login?next=/new");
  expect([old.status, location(old)]).toEqual([301, "/auth/sign-in?next=%2Fnew"]);
  const bare = await readPage(as.anyone, "/login");
  expect(location(bare)).toBe("/auth/sign-in");
  const up = await readPage(as.anyone, "/signup");
  expect([up.status, location(up)]).toEqual([301, "/auth/sign-up"]);
});
