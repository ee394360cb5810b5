// The second factor and passkeys, as a browser without script uses them. Tests that use passkeys are in test/browser.
import { Secret, TOTP } from "otpauth";
import { describe, expect, test } from "vitest";
import type { TestUser } from "#test/callers/actors.js";
import { heading, location, readPage, submit, typed, withSessionOf, wrongWith } from "#test/callers/page-forms.js";
import { testApp } from "#test/server/harness.js";

const world = await testApp();
const { as, make, resources, clock } = world;
clock.freeze();
const password = "correct horse battery";
const minute = 60_000;

const codeNow = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() });

/** Turns on the second factor on the pages; returns the key and the recovery codes. */
async function turnOn(user: TestUser): Promise<{ secret: string; codes: string[] }> {
  const begun = await submit(as.user(user), "/settings/security/totp/begin");
  expect(location(begun)).toBe("/settings/security/totp");
  const page = await readPage(as.user(user), "/settings/security/totp");
  const secret = /<code>([A-Z2-7]{32})<\/code>/.exec(page.text)?.[1] ?? "";
  const shown = await submit(as.user(user), "/settings/security/totp", { code: codeNow(secret) });
  expect(heading(shown)).toBe("Save your recovery codes");
  clock.advance(minute);
  return { secret, codes: [...shown.text.matchAll(/<li>([a-z0-9-]{19})<\/li>/g)].map(([, code]) => code!) };
}

const signIn = (user: TestUser) =>
  submit(as.anyone, "/auth/sign-in", { login: user.email, password, next: "/settings/account" });

describe("getSecurityPage, submitTotpBegin, getTotpPage and submitTotp", () => {
  test("turn the second factor on with a code of the app, and show ten recovery codes once", async () => {
    const user = await make.user({ password });
    expect((await readPage(as.user(user), "/settings/security")).text).toContain("Set up");
    const { codes } = await turnOn(user);
    expect(new Set(codes).size).toBe(10);
    const page = await readPage(as.user(user), "/settings/security");
    expect(page.text).toContain("10 recovery codes left.");
    for (const code of codes) expect(page.text).not.toContain(code);
    const stored = await resources.db.selectFrom("recovery_codes").selectAll().where("user_id", "=", user.id).execute();
    expect(JSON.stringify(stored)).not.toContain(codes[0]!);
    // A key in use is never shown again nor replaced.
    expect(location(await readPage(as.user(user), "/settings/security/totp"))).toBe("/settings/security");
    expect((await submit(as.user(user), "/settings/security/totp/begin")).status).toBe(409);
  });

  test("stay off after a wrong code, with the problem beside the field", async () => {
    const user = await make.user({ password });
    await submit(as.user(user), "/settings/security/totp/begin");
    const keyOn = async () =>
      /<code>([A-Z2-7]{32})<\/code>/.exec((await readPage(as.user(user), "/settings/security/totp")).text)?.[1];
    const key = await keyOn();
    for (const code of ["000000", "", "abc", "9".repeat(500), "١٢٣٤٥٦"]) {
      const page = await submit(as.user(user), "/settings/security/totp", { code });
      expect([page.status, Boolean(wrongWith(page, "code"))], code).toEqual([401, true]);
    }
    expect(await keyOn()).toBe(key);
    expect((await signIn(user)).status).toBe(303);
  });

  test("show a new key each time, only to the session that started, for ten minutes", async () => {
    const user = await make.user({ password });
    const thief = withSessionOf(as.anyone, await signIn(user));
    const keyFor = async (who: typeof thief) =>
      /<code>([A-Z2-7]{32})<\/code>/.exec((await readPage(who, "/settings/security/totp")).text)?.[1];
    const confirm = async (who: typeof thief, key: string) =>
      submit(who, "/settings/security/totp", { code: codeNow(key) });
    await submit(thief, "/settings/security/totp/begin");
    const known = (await keyFor(thief))!;
    expect(known).toMatch(/^[A-Z2-7]{32}$/);
    // Another session of the same account cannot see it, and gets its own key.
    expect(await keyFor(as.user(user))).toBeUndefined();
    expect(location(await confirm(as.user(user), known))).toBe("/settings/security");
    await submit(as.user(user), "/settings/security/totp/begin");
    const own = (await keyFor(as.user(user)))!;
    expect(own).not.toBe(known);
    expect(location(await confirm(thief, known))).toBe("/settings/security");
    await submit(as.user(user), "/settings/security/totp/begin");
    const renewed = (await keyFor(as.user(user)))!;
    expect(renewed).not.toBe(own);
    expect((await confirm(as.user(user), own)).status).toBe(401);
    // Signing in again does not help once the key has expired.
    clock.advance(10 * minute);
    await resources.db
      .updateTable("sessions")
      .set({ date_authenticated: clock.now() })
      .where("user_id", "=", user.id)
      .execute();
    expect(await keyFor(as.user(user))).toBeUndefined();
    expect(location(await confirm(as.user(user), renewed))).toBe("/settings/security");
    expect((await signIn(user)).status).toBe(303);
  });

  test("need a recent sign-in", async () => {
    const user = await make.user();
    clock.advance(11 * minute);
    for (const path of ["totp/begin", "totp", "codes", "totp/off"])
      expect(location(await submit(as.user(user), `/settings/security/${path}`)), path).toContain("again=1");
    expect((await readPage(as.user(user), "/settings/security")).text).toContain("Sign in again");
  });
});

describe("submitSecondFactor", () => {
  test("is requested after the right password, and signs in with a code that works once", async () => {
    const user = await make.user({ password });
    const { secret } = await turnOn(user);
    const page = await signIn(user);
    expect(page.status).toBe(200);
    expect(heading(page)).toBe("One more step");
    expect(page.headers.getSetCookie().join()).not.toContain("auth-token=mss_");
    const step = typed(page, "step")!;
    const wrong = await submit(as.anyone, "/auth/second-factor", { step, code: "000000", next: "/settings/account" });
    expect([wrong.status, Boolean(wrongWith(wrong, "code"))]).toEqual([401, true]);
    const code = codeNow(secret);
    const good = await submit(as.anyone, "/auth/second-factor", { step, code: ` ${code} `, next: "/settings/account" });
    expect([good.status, location(good)]).toEqual([303, "/settings/account"]);
    expect((await withSessionOf(as.anyone, good).get("/api/auth/me")).body.id).toBe(user.id);
    // Neither the step nor the code can be used again.
    expect((await submit(as.anyone, "/auth/second-factor", { step, code })).status).toBe(400);
    const again = typed(await signIn(user), "step")!;
    expect((await submit(as.anyone, "/auth/second-factor", { step: again, code })).status).toBe(401);
  });

  test("accepts each recovery code once", async () => {
    const user = await make.user({ password });
    const { codes } = await turnOn(user);
    const use = async (code: string) =>
      (await submit(as.anyone, "/auth/second-factor", { step: typed(await signIn(user), "step")!, code })).status;
    expect(await use(codes[0]!.toUpperCase().replaceAll("-", " "))).toBe(303);
    expect(await use(codes[0]!)).toBe(401);
    expect(await use(codes[1]!)).toBe(303);
    expect((await readPage(as.user(user), "/settings/security")).text).toContain("8 recovery codes left.");
  });

  test("expires after ten minutes, and accepts no step of another user", async () => {
    const user = await make.user({ password });
    const { secret } = await turnOn(user);
    const step = typed(await signIn(user), "step")!;
    clock.advance(11 * minute);
    for (const given of [step, "", "msc_x", user.sessionToken])
      expect((await submit(as.anyone, "/auth/second-factor", { step: given, code: codeNow(secret) })).status).toBe(400);
  });

  test("the API's signIn requires the code too", async () => {
    const user = await make.user({ password });
    const { secret, codes } = await turnOn(user);
    const call = (code?: string) =>
      as.anyone.post("/api/auth/signin/credential", { email: user.email, password, code });
    expect(await call()).toFail(401, "secondFactorNeeded");
    expect(await call("123")).toFail(401, "secondFactorWrong");
    expect(await call(codeNow(secret))).toSucceed();
    expect(await call(codeNow(secret))).toFail(401, "secondFactorWrong");
    expect(await call(codes[3])).toSucceed();
    expect(
      await as.anyone.post("/api/auth/signin/credential", { email: user.email, password: "wrong", code: "1" }),
    ).toFail(401, "signInFailed");
  });

  test("guessing codes is limited", async () => {
    const limited = await testApp({ settings: { MODSHELF_RATE_LIMITS: "on" } });
    const user = await limited.make.user({ password });
    const { db } = limited.resources;
    await db
      .insertInto("totp_secrets")
      .values({
        user_id: user.id,
        secret: "A".repeat(32),
        last_step: 0,
        date_created: 1,
        date_confirmed: 1,
        session_id: null,
      })
      .execute();
    const guess = () =>
      limited.as.anyone.post("/api/auth/signin/credential", { email: user.email, password, code: "000000" });
    for (let times = 0; times < 5; times++) expect(await guess()).toFail(401, "secondFactorWrong");
    expect(await guess()).toFail(429, "rateLimited");
  });
});

describe("getRecoveryCodesPage, submitRecoveryCodes, getTotpOffPage and submitTotpOff", () => {
  test("a session alone changes nothing: a code is required, and each works once", async () => {
    const user = await make.user({ password });
    const { secret, codes } = await turnOn(user);
    for (const path of ["/settings/security/codes", "/settings/security/totp/off"])
      for (const code of ["", "000000", "abcd-efgh-jkmn-pqrs"]) {
        const page = await submit(as.user(user), path, { code });
        expect([page.status, Boolean(wrongWith(page, "code"))], `${path} ${code}`).toEqual([401, true]);
      }
    const code = codeNow(secret);
    expect(heading(await submit(as.user(user), "/settings/security/codes", { code }))).toBe("Save your recovery codes");
    expect((await submit(as.user(user), "/settings/security/totp/off", { code })).status).toBe(401);
    expect((await submit(as.user(user), "/settings/security/totp/off", { code: codes[1]! })).status).toBe(401);
    expect((await signIn(user)).status).toBe(200);
  });

  test("new codes replace the old ones, and the second factor can be turned off", async () => {
    const user = await make.user({ password });
    const { secret, codes } = await turnOn(user);
    expect(heading(await readPage(as.user(user), "/settings/security/codes"))).toBe("Generate new recovery codes");
    const renewed = await submit(as.user(user), "/settings/security/codes", { code: codes[1]! });
    expect(renewed.text).not.toContain(codes[0]!);
    expect(renewed.headers.get("cache-control")).toBe("no-store");
    const step = typed(await signIn(user), "step")!;
    expect((await submit(as.anyone, "/auth/second-factor", { step, code: codes[0]! })).status).toBe(401);
    expect(heading(await readPage(as.user(user), "/settings/security/totp/off"))).toBe(
      "Turn off two-factor authentication",
    );
    const code = codeNow(secret);
    expect(location(await submit(as.user(user), "/settings/security/totp/off", { code }))).toBe(
      "/settings/security?done=off",
    );
    expect((await signIn(user)).status).toBe(303);
    expect(location(await submit(as.user(user), "/settings/security/codes"))).toBe("/settings/security");
  });
});

describe("beginPasskeySignIn, finishPasskeySignIn, beginPasskey, finishPasskey and submitPasskeyRemoval", () => {
  test("forged answers sign in no one", async () => {
    const begun = await as.anyone.post("/auth/passkey/begin");
    expect(begun).toSucceed();
    const { step, options } = begun.body;
    expect(JSON.parse(options)).toMatchObject({ rpId: "modshelf.test", userVerification: "required" });
    for (const answer of ["", "null", "{}", "[]", '{"id":"x"}', "{", '{"id":5}'])
      expect(await as.anyone.post("/auth/passkey/finish", { step, answer })).toFail(400, "passkeyRefused");
    const user = await make.user();
    const adding = (await as.user(user).post("/settings/security/passkeys/begin")).body;
    for (const answer of ["{}", "null", '{"id":"x","response":{}}'])
      expect(
        await as.user(user).post("/settings/security/passkeys/finish", { step: adding.step, answer, name: "x" }),
      ).toFail(400, "passkeyRefused");
  });

  test("a step works only for its user, and adding a passkey needs a recent sign-in", async () => {
    const [user, other] = [await make.user(), await make.user()];
    const { step } = (await as.user(user).post("/settings/security/passkeys/begin")).body;
    expect(await as.user(other).post("/settings/security/passkeys/finish", { step, answer: "{}", name: "x" })).toFail(
      400,
    );
    clock.advance(11 * minute);
    expect(await as.user(user).post("/settings/security/passkeys/begin")).toFail(403, "freshSessionNeeded");
  });

  test("remove a passkey, but neither the last way to sign in nor another user's", async () => {
    const [user, other] = [await make.user(), await make.user({ password })];
    const add = (id: string, userId: string) =>
      resources.db
        .insertInto("passkeys")
        .values({
          id,
          user_id: userId,
          credential_id: `credential ${id}`,
          public_key: new Uint8Array(8),
          counter: 0,
          transports: "[]" as never,
          name: "Phone",
          date_created: clock.now(),
          date_last_used: null,
        })
        .execute();
    await add("only", user.id);
    await add("spare", other.id);
    const remove = (by: TestUser, id: string) => submit(as.user(by), `/settings/security/passkeys/${id}/remove`);
    expect((await remove(user, "only")).status).toBe(409);
    expect((await remove(user, "spare")).status).toBe(404);
    expect(location(await remove(other, "spare"))).toBe("/settings/security?done=removed");
  });
});
