import { describe, expect, test } from "vitest";
import { setSuspension } from "#accounts/users/write.js";
import { assignableScopes } from "#lib/scopes.js";
import { write } from "#platform/changes/write.js";
import type { Reply } from "#test/callers/actors.js";
import { siteUrl, testApp, uniqueName } from "#test/server/harness.js";

const { as, make, clock, resources, origin } = await testApp();
const day = 24 * 60 * 60 * 1000;
const password = "correct horse battery";

const newAccount = () => {
  const userName = uniqueName();
  return { userName, email: `${userName}@example.com`, password };
};
const cookieOf = (reply: Reply) => reply.headers.get("set-cookie") ?? "";
const tokenOf = (reply: Reply) => /^auth-token=([^;]+)/.exec(cookieOf(reply))?.[1] ?? "";
const withCookie = (token: string) => as.anyone.with({ cookie: `auth-token=${token}`, origin: siteUrl });

describe("signUp", () => {
  test("makes an account and signs it in", async () => {
    const account = newAccount();
    const reply = await as.anyone.post("/api/auth/signup", account);
    expect(reply).toSucceed();
    expect(cookieOf(reply)).toMatch(
      /^auth-token=mss_[0-9A-Za-z]{49}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Lax$/,
    );
    const me = await withCookie(tokenOf(reply)).get("/api/auth/me");
    expect(me.body).toMatchObject({
      id: reply.body.id,
      userName: account.userName,
      email: account.email,
      role: "user",
      hasAPassword: true,
    });
    expect(me.body.success).toBeUndefined();
  });

  test("takes an address of up to 256 characters, and signIn too", async () => {
    const account = { ...newAccount(), email: `${uniqueName("x").padEnd(248, "x")}@bcde.fg` };
    expect(account.email).toHaveLength(256);
    expect(await as.anyone.post("/api/auth/signup", account)).toSucceed();
    expect(await as.anyone.post("/api/auth/signin/credential", { email: account.email, password })).toSucceed();
  });

  test("and signIn, repeated with their Idempotency-Key, give the same answer and the same session", async () => {
    const account = newAccount();
    for (const [path, body] of [
      ["/api/auth/signup", account],
      ["/api/auth/signin/credential", { email: account.email, password }],
    ] as const) {
      const headers = { "idempotency-key": uniqueName("key") };
      const first = await as.anyone.post(path, body, { headers });
      const again = await as.anyone.post(path, body, { headers });
      expect([again.status, again.text, cookieOf(again)]).toEqual([200, first.text, cookieOf(first)]);
      expect((await withCookie(tokenOf(again)).get("/api/auth/me")).body.userName).toBe(account.userName);
      const other = { ...body, password: "another password" };
      expect(await as.anyone.post(path, other, { headers })).toFail(422, "idempotencyKeyReused");
      const rows = await resources.db.selectFrom("idempotency_keys").selectAll().execute();
      expect(Buffer.concat(rows.map((row) => row.body ?? Buffer.of())).includes(tokenOf(first))).toBe(false);
    }
  });

  test("stores neither the password nor the session token", async () => {
    const account = { ...newAccount(), password: "a-canary-in-the-password" };
    const reply = await as.anyone.post("/api/auth/signup", account);
    for (const table of ["users", "sessions", "audit_log", "changes", "jobs"] as const) {
      const dump = JSON.stringify(await resources.db.selectFrom(table).selectAll().execute());
      expect(dump).not.toContain("a-canary-in-the-password");
      expect(dump).not.toContain(tokenOf(reply));
    }
  });

  test("refuses bad names, mails and passwords with an issue at the field, and stores nothing", async () => {
    const before = await countUsers();
    const bad: [string, unknown[]][] = [
      [
        "userName",
        [
          "",
          "a",
          "x".repeat(33),
          "has space",
          "dot.ted",
          "ünïcode",
          "a\u0000b",
          "<b>",
          "../..",
          5,
          null,
          undefined,
          {},
          ["ab"],
        ],
      ],
      [
        "email",
        [
          "",
          "x",
          "a@b",
          "a b@c.de",
          "a@b.c,d@e.f",
          "a@@b.cd",
          `${"x".repeat(252)}@b.cd`,
          "a@b.cd\r\nBcc: x@y.zz",
          1,
          null,
          undefined,
        ],
      ],
      ["password", ["", "1234567", "p".repeat(129), 12345678, null, undefined]],
    ];
    for (const [field, values] of bad)
      for (const value of values) {
        const reply = await as.anyone.post("/api/auth/signup", { ...newAccount(), [field]: value });
        expect(reply, `${field}: ${JSON.stringify(value)}`).toFail(400);
        if (reply.body.code === "invalidRequest") expect(reply.body.issues[0].path).toBe(field);
        expect(cookieOf(reply)).toBe("");
      }
    expect(await countUsers()).toBe(before);
  });

  test("names and mails are unique without regard to case", async () => {
    const account = newAccount();
    expect(await as.anyone.post("/api/auth/signup", account)).toSucceed();
    const sameName = { ...newAccount(), userName: account.userName.toUpperCase() };
    expect(await as.anyone.post("/api/auth/signup", sameName)).toFail(409, "userNameTaken");
    const sameMail = { ...newAccount(), email: account.email.toUpperCase() };
    expect(await as.anyone.post("/api/auth/signup", sameMail)).toFail(409, "emailTaken");
  });

  test("one of several parallel sign-ups with the same name wins, the others get 409", async () => {
    const { userName } = newAccount();
    const replies = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((n) =>
        as.anyone.post("/api/auth/signup", { userName, email: `${userName}-${n}@example.com`, password }),
      ),
    );
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  });

  test("reserved names are refused in any case", async () => {
    for (const userName of ["admin", "Moderator", "USER", "deleted_user", "System"])
      expect(await as.anyone.post("/api/auth/signup", { ...newAccount(), userName })).toFail(400, "nameReserved");
  });

  test("unknown fields are ignored, so no caller can sign up as an administrator", async () => {
    const reply = await as.anyone.post("/api/auth/signup", {
      ...newAccount(),
      role: "admin",
      id: "AAAAAAAA",
      isAdmin: true,
    });
    expect((await withCookie(tokenOf(reply)).get("/api/auth/me")).body.role).toBe("user");
  });

  test("is refused where registration is closed", async () => {
    const closed = await testApp({ settings: { MODSHELF_REGISTRATION: "closed" } });
    expect(await closed.as.anyone.post("/api/auth/signup", newAccount())).toFail(403, "registrationClosed");
    await closed.stop();
  });
});

describe("signIn", () => {
  test("takes the email or the username, in any case", async () => {
    const user = await make.user({ password });
    for (const email of [
      user.email,
      user.email.toUpperCase(),
      user.userName,
      user.userName.toUpperCase(),
      ` ${user.email} `,
    ]) {
      const reply = await as.anyone.post("/api/auth/signin/credential", { email, password });
      expect(reply.body).toEqual({ success: true, message: "Signed in" });
      expect((await withCookie(tokenOf(reply)).get("/api/auth/me")).body.id).toBe(user.id);
    }
  });

  test("unknown account, account without password and wrong password get the same answer", async () => {
    const withPassword = await make.user({ password });
    const without = await make.user();
    const replies = await Promise.all(
      [
        { email: withPassword.email, password: "wrong wrong wrong" },
        { email: without.email, password },
        { email: "nobody@example.com", password },
        { email: "nobody", password },
      ].map((body) => as.anyone.post("/api/auth/signin/credential", body)),
    );
    const [first] = replies.map(({ status, body }) => ({ status, body: { ...body, requestId: "" } }));
    for (const { status, body } of replies) expect({ status, body: { ...body, requestId: "" } }).toEqual(first);
    expect(first).toMatchObject({ status: 401, body: { code: "signInFailed" } });
  });

  test("unknown account and wrong password cost the same", async () => {
    const user = await make.user({ password });
    // Processor time, which other processes on the machine hardly change.
    const workOf = async (email: string) => {
      const before = process.cpuUsage();
      await as.anyone.post("/api/auth/signin/credential", { email, password: "wrong wrong" });
      return process.cpuUsage(before).user;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    for (let round = 0; round < 15; round++) {
      known.push(await workOf(user.email));
      unknown.push(await workOf(`nobody-${round}@example.com`));
    }
    const median = (figures: number[]) => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)]!;
    // Without the dummy hash the ratio would be 20 or more.
    expect(median(known) / median(unknown)).toBeGreaterThan(0.4);
    expect(median(known) / median(unknown)).toBeLessThan(2.5);
  });

  test("a suspended user cannot sign in, and their sessions and tokens stop working immediately", async () => {
    const user = await make.user({ password });
    const token = await as.token(user, { scopes: ["user_read"] });
    await write(resources, {}, (tx) => setSuspension(tx, user.id, "spam"));
    expect(await as.anyone.post("/api/auth/signin/credential", { email: user.email, password })).toFail(
      403,
      "accountSuspended",
    );
    expect(await as.user(user).get("/api/auth/me")).toFail(401, "signInNeeded");
    expect(await token.get("/api/auth/me")).toFail(401, "credentialInvalid");
    await write(resources, {}, (tx) => setSuspension(tx, user.id, null));
    expect(await token.get("/api/auth/me")).toSucceed();
  });

  test("refuses missing and absurd input with 400", async () => {
    for (const body of [
      {},
      { email: "a" },
      { password },
      { email: "", password },
      { email: "x".repeat(300), password },
      { email: ["a"], password },
      { email: "a", password: "p".repeat(600) },
    ])
      expect(await as.anyone.post("/api/auth/signin/credential", body)).toFail(400, "invalidRequest");
  });
});

describe("sessions", () => {
  test("getMe shows the email to a token only with user_read_email, and says which credential it is", async () => {
    const user = await make.user();
    const plain = await (await as.token(user, { scopes: ["user_read"] })).get("/api/auth/me");
    expect("email" in plain.body).toBe(false);
    expect(plain.body.patId).toMatch(/^\w{8}$/);
    const more = await (await as.token(user, { scopes: ["user_read", "user_read_email"] })).get("/api/auth/me");
    expect(more.body.email).toBe(user.email);
    expect((await as.user(user).get("/api/auth/me")).body.sessionId).toMatch(/^\w{8}$/);
    expect(await as.anyone.get("/api/auth/me")).toFail(401, "signInNeeded");
  });

  test("validateSession always answers 200", async () => {
    const user = await make.user();
    expect((await as.user(user).get("/api/auth/validate-session")).body).toEqual({ sessionValid: true });
    expect((await as.anyone.get("/api/auth/validate-session")).body).toEqual({ sessionValid: false });
  });

  test("listSessions shows the own ones, last active first, the current one marked", async () => {
    const user = await make.user({ password });
    clock.advance(1000);
    const agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    const signedIn = await as.anyone.post(
      "/api/auth/signin/credential",
      { email: user.email, password },
      { json: { email: user.email, password }, headers: { "user-agent": agent } },
    );
    const listed = (await withCookie(tokenOf(signedIn)).get("/api/auth/sessions")).body;
    expect(listed).toHaveLength(2);
    expect(listed[0]).toMatchObject({
      isCurrent: true,
      browser: "Firefox",
      os: "Linux",
      providerName: "credential",
      status: "active",
      ip: "127.0.0.1",
      userAgent: agent,
    });
    expect(listed[1].isCurrent).toBe(false);
    expect(JSON.stringify(listed)).not.toContain("mss_");
  });

  test("endSession without a body signs out and clears the cookie", async () => {
    const user = await make.user();
    const reply = await as.user(user).delete("/api/auth/sessions");
    expect(reply).toSucceed();
    expect(cookieOf(reply)).toMatch(/^auth-token=; .*Max-Age=0/);
    expect(await as.user(user).get("/api/auth/me")).toFail(401, "signInNeeded");
  });

  test("endSession ends another own session by id, never a stranger's", async () => {
    const user = await make.user({ password });
    const other = tokenOf(await as.anyone.post("/api/auth/signin/credential", { email: user.email, password }));
    const { sessionId } = (await withCookie(other).get("/api/auth/me")).body;
    const stranger = as.user(await make.user());
    expect(await stranger.delete("/api/auth/sessions", { sessionId })).toFail(404, "sessionNotFound");
    const ended = await as.user(user).delete("/api/auth/sessions", { sessionId });
    expect(ended).toSucceed();
    expect(cookieOf(ended)).toBe("");
    expect(await withCookie(other).get("/api/auth/me")).toFail(401);
    expect(await as.user(user).get("/api/auth/me")).toSucceed();
  });

  test("endOtherSessions leaves only this one", async () => {
    const user = await make.user({ password });
    const others = [];
    for (let n = 0; n < 3; n++)
      others.push(tokenOf(await as.anyone.post("/api/auth/signin/credential", { email: user.email, password })));
    expect((await as.user(user).post("/api/auth/sessions/revoke-others")).body).toMatchObject({
      success: true,
      revoked: 3,
    });
    for (const token of others) expect(await withCookie(token).get("/api/auth/me")).toFail(401);
    expect((await as.user(user).get("/api/auth/sessions")).body).toHaveLength(1);
  });

  test("live 30 days from the last use and 90 days in all", async () => {
    const user = await make.user();
    for (let n = 0; n < 4; n++) {
      clock.advance(29 * day);
      const reply = await as.user(user).get("/api/auth/me");
      // 29, 58 and 87 days after sign-in it lives; at 116 it does not.
      expect(reply.status).toBe(n < 3 ? 200 : 401);
    }
    const idle = await make.user();
    clock.advance(30 * day + 1);
    const expired = await as.user(idle).get("/api/auth/validate-session");
    expect(expired.body).toEqual({ sessionValid: false });
    // An expired cookie is cleared.
    expect(cookieOf(expired)).toMatch(/^auth-token=; .*Max-Age=0/);
  });

  test("no token can list or end sessions", async () => {
    const actor = await as.token(await make.user(), { scopes: assignableScopes });
    expect(await actor.get("/api/auth/sessions")).toFail(403, "sessionNeeded");
    expect(await actor.delete("/api/auth/sessions")).toFail(403, "sessionNeeded");
    expect(await actor.post("/api/auth/sessions/revoke-others")).toFail(403, "sessionNeeded");
  });

  test("a session token is no access token", async () => {
    const user = await make.user();
    expect(await as.bearer(user.sessionToken).get("/api/auth/me")).toFail(401, "credentialInvalid");
    expect(origin).toMatch(/^http:\/\/127/);
  });
});

async function countUsers(): Promise<number> {
  const { count } = await resources.db
    .selectFrom("users")
    .select((select) => select.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}
