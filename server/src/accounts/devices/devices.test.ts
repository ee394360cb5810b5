// A program is signed in by approval in the browser: the codes, the page, and all ways in which it must not work.
import { describe, expect, test } from "vitest";
import { systemRandom } from "#lib/random.js";
import { deleteExpired } from "#operations/background/housekeeping.js";
import type { Reply, TestUser } from "#test/callers/actors.js";
import { heading, location, readPage, submit, typed, wrongWith } from "#test/callers/page-forms.js";
import { siteUrl, testApp } from "#test/server/harness.js";
import { newUserCode, readUserCode } from "./policy.js";

const world = await testApp({
  settings: { MODSHELF_COUNTRY_HEADER: "cf-ipcountry", MODSHELF_TRUSTED_PROXIES: "loopback" },
});
const { as, make, resources, clock } = world;
const limited = await testApp({ settings: { MODSHELF_RATE_LIMITS: "on" } });

interface Asked {
  device_code: string;
  user_code: string;
}
const ask = async (changes: object = {}): Promise<Asked> => {
  const reply = await as.anyone.post("/api/device/code", {
    client_id: "shelf",
    scope: "user_read version_create",
    ...changes,
  });
  expect(reply).toSucceed();
  return reply.body;
};
const poll = ({ device_code }: Asked): Promise<Reply> => {
  clock.advance(5000);
  return as.anyone.post("/api/device/token", { device_code });
};
const open = (user: TestUser, { user_code }: Asked) => readPage(as.user(user), `/device?code=${user_code}`);
const answer = (user: TestUser, { user_code }: Asked, decision: string) =>
  submit(as.user(user), "/device", { code: user_code, decision });

describe("createDeviceCode and createDeviceToken", () => {
  test("give a token of the user who approves, once, which is listed and can be revoked", async () => {
    const user = await make.user();
    const asked = await ask();
    expect(asked).toMatchObject({
      device_code: expect.stringMatching(/^msc_/),
      user_code: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
      verification_uri: `${siteUrl}/device`,
      verification_uri_complete: `${siteUrl}/device?code=${asked.user_code}`,
      expires_in: 900,
      interval: 5,
    });
    const pending = await poll(asked);
    expect(pending).toFail(400, "approvalPending");
    expect(pending.body.error).toBe("authorization_pending");
    expect(heading(await answer(user, asked, "approve"))).toBe("shelf is signed in");
    const got = await poll(asked);
    expect(got).toSucceed();
    expect(got.body).toEqual({
      access_token: expect.stringMatching(/^msp_/),
      token_type: "Bearer",
      expires_in: 365 * 24 * 60 * 60,
      scope: "user_read version_create",
    });
    expect(got.headers.get("cache-control")).toBe("no-store");
    const program = as.bearer(got.body.access_token);
    expect((await program.get("/api/auth/me")).body.id).toBe(user.id);
    expect(await program.get("/api/notifications")).toFail(403, "scopeMissing");
    const [listed] = (await as.user(user).get("/api/pat")).body;
    expect(listed).toMatchObject({ name: "shelf", scopes: ["user_read", "version_create"] });
    const log = await readPage(as.user(user), "/settings/security-log");
    for (const entry of ["Program allowed to sign in", "Token created"]) expect(log.text).toContain(entry);
    expect(await poll(asked)).toFail(400, "deviceCodeExpired");
    expect(await as.user(user).delete(`/api/pat/${listed.id}`)).toSucceed();
    expect(await program.get("/api/auth/me")).toFail(401);
  });

  test("several calls at the same moment get one token", async () => {
    const user = await make.user();
    const asked = await ask();
    await answer(user, asked, "approve");
    const replies = await Promise.all(Array.from({ length: 4 }, () => as.anyone.post("/api/device/token", asked)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await as.user(user).get("/api/pat")).body).toHaveLength(1);
  });

  test("a program that asks too often is told so", async () => {
    const asked = await ask();
    expect(await poll(asked)).toFail(400, "approvalPending");
    const soon = await as.anyone.post("/api/device/token", { device_code: asked.device_code });
    expect(soon).toFail(400, "askedTooSoon");
    expect(soon.body.error).toBe("slow_down");
    expect(await poll(asked)).toFail(400, "approvalPending");
  });

  test("a refusal is final", async () => {
    const user = await make.user();
    const asked = await ask();
    expect(heading(await answer(user, asked, "deny"))).toBe("Request denied");
    const denied = await poll(asked);
    expect(denied).toFail(400, "approvalDenied");
    expect(denied.body.error).toBe("access_denied");
    expect((await answer(user, asked, "approve")).status).toBe(404);
    expect(await poll(asked)).toFail(400, "approvalDenied");
    expect((await as.user(user).get("/api/pat")).body).toEqual([]);
  });

  test("both codes end after 15 minutes, also if the user has approved, and are deleted", async () => {
    const user = await make.user();
    const [waiting, approved] = [await ask(), await ask()];
    await answer(user, approved, "approve");
    clock.advance(15 * 60_000);
    for (const asked of [waiting, approved]) {
      const late = await poll(asked);
      expect(late).toFail(400, "deviceCodeExpired");
      expect(late.body.error).toBe("expired_token");
    }
    const fresh = await make.user();
    expect((await open(fresh, waiting)).status).toBe(404);
    expect((await answer(fresh, waiting, "approve")).status).toBe(404);
    await deleteExpired(resources);
    expect(await resources.db.selectFrom("device_requests").select("program").execute()).toEqual([]);
  });

  test("refuse names and scopes that no program can have", async () => {
    for (const client_id of ["", " ", "a".repeat(65), "line\nbreak", "\u202eflehs", 7, undefined])
      expect(await as.anyone.post("/api/device/code", { client_id })).toFail(400, "invalidRequest");
    for (const scope of ["user_write_email", "staff", "pat_create", "user_read,user_write", "USER_READ", "root"]) {
      const refused = await as.anyone.post("/api/device/code", { client_id: "shelf", scope });
      expect(refused).toFail(400, "unknownScopes");
      expect(refused.body.error).toBe("invalid_scope");
    }
    for (const device_code of ["", "nonsense", `msc_${"0".repeat(49)}`, "x".repeat(200)])
      expect(await as.anyone.post("/api/device/token", { device_code })).toFail(400, "deviceCodeExpired");
  });

  test("accept the forms that OAuth libraries send", async () => {
    const send = (path: string, fields: Record<string, string>) =>
      as.anyone.call("POST", path, {
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams(fields).toString(),
      });
    const asked = (await send("/api/device/code", { client_id: "a library", scope: "user_read" })).body;
    const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
    const reply = await send("/api/device/token", { grant_type, device_code: asked.device_code, client_id: "x" });
    expect(reply.body.error).toBe("authorization_pending");
  });

  test("store neither the device code nor the exact address", async () => {
    const asked = await ask();
    const stored = JSON.stringify(await resources.db.selectFrom("device_requests").selectAll().execute());
    expect(stored).not.toContain(asked.device_code);
    expect(stored).not.toContain("127.0.0.1");
  });

  test("a full list of tokens is said to the program, which can ask again", async () => {
    const user = await make.user();
    const tokens = [];
    for (let at = 0; at < 50; at++) tokens.push(await make.token(user, { scopes: [] }));
    const asked = await ask();
    await answer(user, asked, "approve");
    expect(await poll(asked)).toFail(409, "tooManyTokens");
    expect(await as.user(user).delete(`/api/pat/${tokens[0]!.id}`)).toSucceed();
    expect(await poll(asked)).toSucceed();
  });

  test("a new password ends what was approved before", async () => {
    const user = await make.user({ password: "correct horse battery" });
    const asked = await ask();
    await answer(user, asked, "approve");
    const change = { currentPassword: "correct horse battery", newPassword: "another horse battery" };
    expect(await as.user(user).put("/api/user/password", change)).toSucceed();
    expect(await poll(asked)).toFail(400, "deviceCodeExpired");
  });
});

test("revokeDeviceToken ends a token of which the value is known, and tells nothing about others", async () => {
  const user = await make.user();
  const { value } = await make.token(user, { scopes: ["user_read"] });
  for (const token of ["nonsense", `${value}x`, value, value])
    expect((await as.anyone.post("/api/device/revoke", { token })).body).toEqual({});
  expect(await as.bearer(value).get("/api/auth/me")).toFail(401);
  expect((await readPage(as.user(user), "/settings/security-log")).text).toContain("Token revoked");
});

describe("getDevicePage", () => {
  test("says which program asks, from where, for what, and for which account", async () => {
    const user = await make.user();
    const asked = (
      await as.anyone
        .with({ "cf-ipcountry": "DE" })
        .post("/api/device/code", { client_id: "<b>shelf</b>", scope: "version_create user_read" })
    ).body;
    const page = await open(user, asked);
    expect(page.status).toBe(200);
    const said = [
      "&lt;b>shelf",
      asked.user_code,
      "127.0.0.0/24",
      "Germany",
      "Publish versions of your projects",
      "365 days",
    ];
    for (const text of [...said, user.userName, "Only approve if you started this yourself"])
      expect(page.text).toContain(text);
    expect(page.text).not.toContain("<b>shelf");
    expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(page.headers.get("cache-control")).toBe("no-store");
    for (const [language, sentence] of [
      ["de", "Stimme nur zu"],
      ["zh", "仅当这是你本人发起时才批准"],
    ])
      expect((await readPage(as.user(user), `/device?code=${asked.user_code}&lang=${language}`)).text).toContain(
        sentence,
      );
  });

  test("takes codes as people type them, and shows a wrong one again", async () => {
    const user = await make.user();
    const asked = await ask();
    const plain = asked.user_code.replace("-", "").toLowerCase();
    for (const code of [plain, ` ${plain.slice(0, 4)} ${plain.slice(4)} `, asked.user_code])
      expect(heading(await readPage(as.user(user), `/device?code=${encodeURIComponent(code)}`))).toBe("Sign in shelf?");
    const wrong = await readPage(as.user(user), "/device?code=BCDF-GHJK");
    expect([wrong.status, typed(wrong, "code")]).toEqual([404, "BCDF-GHJK"]);
    expect(wrongWith(wrong, "code")).toContain("No program waits with this code");
    expect((await readPage(as.user(user), "/device")).status).toBe(200);
  });

  test("asks guests to sign in, and for a recent sign-in, as for a new token", async () => {
    const user = await make.user();
    const asked = await ask();
    const path = `/device?code=${asked.user_code}`;
    expect(location(await readPage(as.anyone, path))).toBe(`/auth/sign-in?next=${encodeURIComponent(path)}`);
    const token = await as.token(user, { scopes: ["user_read"] });
    expect(await token.get(path)).toFail(403, "sessionNeeded");
    await clock.during(11 * 60_000, async () => {
      for (const reply of [await open(user, asked), await answer(user, asked, "approve")]) {
        expect(reply.status).toBe(303);
        const back = new URL(location(reply)!, siteUrl);
        expect([back.searchParams.get("again"), back.searchParams.get("next")]).toEqual(["1", path]);
      }
    });
    expect(await poll(asked)).toFail(400, "approvalPending");
  });
});

describe("submitDevice", () => {
  test("does nothing for a form of another site, or without a clear yes", async () => {
    const user = await make.user();
    const asked = await ask();
    const fields = { code: asked.user_code, decision: "approve" };
    expect((await submit(as.user(user), "/device", fields, "https://evil.example")).status).toBe(403);
    expect(await poll(asked)).toFail(400, "approvalPending");
    await answer(user, asked, "APPROVE");
    expect(await poll(asked)).toFail(400, "approvalDenied");
  });

  test("the first decision counts", async () => {
    const [first, second] = [await make.user(), await make.user()];
    const asked = await ask();
    const replies = await Promise.all([answer(first, asked, "approve"), answer(second, asked, "approve")]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await poll(asked)).toSucceed();
  });
});

describe("guessing user codes", () => {
  test("is limited for each account, over the page and the form together", async () => {
    const user = await limited.make.user();
    const asked = (await limited.as.anyone.post("/api/device/code", { client_id: "shelf" })).body as Asked;
    const guess = (at: number) => newUserCode({ bytes: (count) => Buffer.alloc(count, at) });
    const actor = limited.as.user(user);
    for (let at = 0; at < 5; at++) {
      const reply =
        at % 2
          ? await submit(actor, "/device", { code: guess(at), decision: "approve" })
          : await readPage(actor, `/device?code=${guess(at)}`);
      expect(reply.status).toBe(404);
    }
    expect((await readPage(actor, `/device?code=${asked.user_code}`)).status).toBe(429);
    const other = limited.as.user(await limited.make.user());
    expect((await readPage(other, `/device?code=${asked.user_code}`)).status).toBe(200);
  });

  test("has 25 billion codes to choose from, which are never words", () => {
    const codes = Array.from({ length: 200 }, () => newUserCode(systemRandom));
    expect(new Set(codes).size).toBe(200);
    for (const code of codes) expect(readUserCode(code)).toBe(code);
    for (const text of ["", "BCDFGHJ", "BCDFGHJKL", "ABCDEFGH", "0123-4567", "BCDF\u0000GHJK"])
      expect(readUserCode(text)).toBeUndefined();
  });
});
