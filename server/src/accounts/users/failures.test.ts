// Wrong passwords are counted together everywhere, and without locking out the owner.
import { describe, expect, test } from "vitest";
import { write } from "#platform/changes/write.js";
import type { Actor, TestUser } from "#test/callers/actors.js";
import { location, submit, withSessionOf, wrongWith } from "#test/callers/page-forms.js";
import { testApp } from "#test/server/harness.js";
import { createCode } from "./codes.js";

const { as, make, resources, clock } = await testApp({
  settings: { MODSHELF_RATE_LIMITS: "on", MODSHELF_TRUSTED_PROXIES: "loopback" },
});
clock.freeze();
const password = "correct horse battery";
let places = 0;
/** An address that no other test uses. */
const elsewhere = () => ({ "x-forwarded-for": `10.1.${places >> 8}.${++places & 255}` });

const guessAtDoor = (login: string, given: string, headers = elsewhere()) =>
  as.anyone.post("/api/auth/signin/credential", { email: login, password: given }, { headers });

const guessesInside: [name: string, (actor: Actor) => ReturnType<Actor["put"]>][] = [
  ["changePassword", (actor) => actor.put("/api/user/password", { currentPassword: "wrong", newPassword: password })],
  ["removePassword", (actor) => actor.delete("/api/user/password", { password: "wrong" })],
  ["deleteAccount", (actor) => actor.delete("/api/user", { password: "wrong" })],
  ["changeEmail", (actor) => actor.patch("/api/user/email", { email: "new@example.com", password: "wrong" })],
];

describe("a wrong current password", () => {
  test.each(guessesInside)("at %s counts like a wrong sign-in", async (_, guess) => {
    const user = await make.user({ password });
    const thief = as.user(user).with(elsewhere());
    for (let tries = 0; tries < 5; tries++) expect(await guess(thief)).toFail(403, "passwordWrong");
    expect(await guess(thief)).toFail(429, "rateLimited");
    // Neither another form nor another address gives more tries.
    for (const [, other] of guessesInside.slice(0, 3)) expect(await other(as.user(user).with(elsewhere()))).toFail(429);
    expect(await guessAtDoor(user.email, password)).toFail(429, "rateLimited");
    expect(await guessAtDoor(user.userName.toUpperCase(), password)).toFail(429, "rateLimited");
    clock.advance(3_600_000);
    expect(await guess(thief)).toFail(403, "passwordWrong");
  });

  test("strangers get ten an hour in total, under any name and from any address", async () => {
    const user = await make.user({ password });
    const stolen = as.user(user).with(elsewhere());
    let guesses = 0;
    for (let round = 0; round < 8; round++)
      for (const reply of [
        await guessAtDoor(user.email, "wrong"),
        await guessAtDoor(user.userName, "wrong"),
        await guessesInside[0]![1](stolen),
      ])
        if (reply.status !== 429) guesses++;
    expect(guesses).toBeLessThanOrEqual(10);
    expect(guesses).toBeGreaterThanOrEqual(5);
  });

  test("is shown at the field of the website's forms", async () => {
    const user = await make.user({ password });
    const thief = as.user(user).with(elsewhere());
    const forms = [
      ["/settings/account/password", { currentPassword: "wrong", newPassword: password, confirmNewPassword: password }],
      ["/settings/account/email", { email: "new@example.com", emailPassword: "wrong" }],
      ["/settings/account/remove-password", { password: "wrong" }],
      ["/settings/account/delete", { confirm: user.userName, password: "wrong" }],
    ] as const;
    const fieldOf = { currentPassword: "currentPassword", emailPassword: "emailPassword", password: "password" };
    for (let tries = 0; tries < 5; tries++)
      expect((await submit(thief, forms[0][0], forms[0][1])).status, String(tries)).toBe(403);
    for (const [path, fields] of forms) {
      const page = await submit(thief, path, fields);
      const field = Object.keys(fields).find((name) => name in fieldOf)!;
      expect([page.status, Boolean(wrongWith(page, field))], path).toEqual([429, true]);
    }
  });
});

describe("strangers", () => {
  const exhaust = async (user: TestUser) => {
    for (const login of [user.email, user.userName])
      for (let tries = 0; tries < 6; tries++) await guessAtDoor(login, "wrong");
  };

  test("cannot lock the owner out of an address from which the account was opened before", async () => {
    const user = await make.user({ password });
    const home = elsewhere();
    const entered = await guessAtDoor(user.email, password, home);
    expect(entered).toSucceed();
    await exhaust(user);
    expect(await guessAtDoor(user.email, password)).toFail(429, "rateLimited");
    for (const login of [user.email, user.userName]) expect(await guessAtDoor(login, password, home)).toSucceed();
    const change = { currentPassword: password, newPassword: password };
    const owner = withSessionOf(as.anyone, entered).with(home);
    expect(await owner.put("/api/user/password", change)).toSucceed();
    // The address has its own count.
    for (let tries = 0; tries < 5; tries++) expect(await guessAtDoor(user.email, "wrong", home)).toFail(401);
    expect(await guessAtDoor(user.email, password, home)).toFail(429);
  });

  test("are reset by a password reset, after which the address of the reset counts as the owner's", async () => {
    const user = await make.user({ password });
    await exhaust(user);
    const away = elsewhere();
    expect(await guessAtDoor(user.email, password, away)).toFail(429);
    const code = await write(resources, {}, (tx) => createCode(tx, "password_reset", user.id, user.email));
    const reset = await as.anyone.patch("/api/user/password", { code, newPassword: password }, { headers: away });
    expect(reset).toSucceed();
    expect(await guessAtDoor(user.email, password)).toSucceed();
    await exhaust(user);
    expect(await guessAtDoor(user.email, password)).toFail(429);
    expect(await guessAtDoor(user.email, password, away)).toSucceed();
  });

  test("learn nothing from the count: names that belong to one account are counted like any two", async () => {
    const user = await make.user({ password });
    const answers = async (first: string, second: string) => {
      const seen = [];
      for (let tries = 0; tries < 6; tries++) seen.push((await guessAtDoor(first, "wrong")).status);
      seen.push((await guessAtDoor(second, "wrong")).status);
      return seen;
    };
    expect(await answers(user.userName, user.email)).toEqual(await answers("no-such-user", "no-such@example.com"));
  });
});

test("wrong codes at turning the second factor off are counted, also on the website", async () => {
  const user = await make.user({ password });
  await resources.db
    .insertInto("totp_secrets")
    .values({
      ...{ user_id: user.id, secret: "A".repeat(32), last_step: 0, date_created: 1, date_confirmed: 1 },
      session_id: null,
    })
    .execute();
  const guess = () => submit(as.user(user).with(elsewhere()), "/settings/security/totp/off", { code: "000000" });
  for (let tries = 0; tries < 5; tries++) expect((await guess()).status).toBe(401);
  const refused = await guess();
  expect([refused.status, location(refused)]).toEqual([429, null]);
});
