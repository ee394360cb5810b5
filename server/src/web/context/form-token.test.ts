// Form tokens: a form from another site does nothing, and a form that is sent twice acts once.
import { describe, expect, test } from "vitest";
import type { Actor, Reply } from "#test/callers/actors.js";
import { heading, location, readPage, typed } from "#test/callers/page-forms.js";
import { siteUrl, testApp, uniqueName } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { needsToken } from "./form-token.js";

const world = await testApp();
const { as, make, resources } = world;

const opening =
  /<form[^>]* method="post"[^>]* action="([^"]*)"[^>]*>(<input type="hidden" name="form-token" value="([^"]*)"\/>)?/g;
const formsOf = ({ text }: Reply) =>
  [...text.matchAll(opening)].map(([, action, , token]) => ({ action: action!, token }));
const tokenOn = (page: Reply, action: string): string => formsOf(page).find((form) => form.action === action)!.token!;

/** Sends these fields only; no token is added. */
const send = (actor: Actor, path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  actor.call("POST", path, {
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      accept: "text/html",
      origin: siteUrl,
      ...headers,
    },
    body: new URLSearchParams(fields).toString(),
  });

/** The caller with the cookies that these pages set. */
const withCookies = (actor: Actor, ...pages: Reply[]): Actor =>
  actor.with({
    cookie: [actor.cookie, ...pages.flatMap((page) => page.headers.getSetCookie().map((text) => text.split(";")[0]!))]
      .filter(Boolean)
      .join("; "),
  });

const collectionsOf = async (userId: string): Promise<number> =>
  (await resources.db.selectFrom("collections").select("id").where("user_id", "=", userId).execute()).length;

const path = "/collections/new";
const fieldsWith = (token: string, name = "Shelf") => ({ "form-token": token, name, visibility: "private" });

describe("a form", () => {
  test("has a different token on every page, for members and for guests", async () => {
    const user = as.user(await make.user());
    const project = await makeProject(world, await make.user());
    for (const page of [
      await readPage(user, "/"),
      await readPage(user, `/project/${project.slug}`),
      await readPage(user, path),
      await readPage(user, "/settings/account"),
      await readPage(as.anyone, "/auth/sign-in"),
      await readPage(as.anyone, "/auth/sign-up"),
    ]) {
      const guarded = formsOf(page).filter(({ action }) => needsToken(action));
      expect(guarded.length).toBeGreaterThan(0);
      for (const { token } of guarded) expect(token).toMatch(/^[\w-]{16}\.[\w-]{22}\.\d+$/);
      expect(new Set(guarded.map(({ token }) => token)).size).toBe(guarded.length);
    }
    const [one, other] = [await readPage(user, path), await readPage(user, path)];
    expect(tokenOn(one, path)).not.toBe(tokenOn(other, path));
  });

  test("on pages that all guests share has no token, and changes only the visitor's own cookies", async () => {
    const project = await makeProject(world, await make.user());
    for (const at of ["/", "/mods", `/project/${project.slug}`, `/project/${project.slug}/versions`]) {
      const page = await readPage(as.anyone.with({ cookie: "setup=0.4.8|quilt" }), at);
      expect(page.headers.getSetCookie(), at).toEqual([]);
      expect(formsOf(page).length).toBeGreaterThan(0);
      expect(formsOf(page).filter(({ action, token }) => needsToken(action) || token)).toEqual([]);
    }
  });

  const strangers: Record<string, (owner: Actor) => Promise<string>> = {
    "no token": async () => "",
    "a made-up token": async () => `${"a".repeat(16)}.${"b".repeat(22)}.0`,
    "text that is no token": async () => `${"x".repeat(5000)}.é.0`,
    "the token of another user": async () => tokenOn(await readPage(as.user(await make.user()), path), path),
    "a guest's token without their cookie": async () =>
      tokenOn(await readPage(as.anyone, "/auth/sign-in"), "/auth/sign-in"),
  };

  test.each(Object.keys(strangers))("with %s does nothing and comes back with the typed text", async (kind) => {
    const owner = await make.user();
    const actor = as.user(owner);
    const refused = await send(actor, path, fieldsWith(await strangers[kind]!(actor), "Things & <others>"));
    expect([refused.status, heading(refused)]).toEqual([403, "Please send this again"]);
    expect(await collectionsOf(owner.id)).toBe(0);
    expect(refused.text).toContain("Things &amp; &lt;others></textarea>");
    expect(refused.text).toMatch(/<label for="(typed-\d)">Name<\/label><textarea id="\1" name="name"/);
    const again = await send(actor, path, fieldsWith(tokenOn(refused, path), "Things & <others>"));
    expect(again.status).toBe(303);
    expect(await collectionsOf(owner.id)).toBe(1);
  });

  test("comes back with the labels of its fields; all others are carried along hidden, and can be looked at", async () => {
    const admin = as.user(await make.user({ role: "admin" }));
    const fields = { text: "Closed on Sunday", level: "plain", stamp: "Ns_rjhWhu32", password: "my secret" };
    const { text } = await send(admin, "/admin/notices", fields);
    expect(text).toMatch(/<label for="(typed-\d)">Text<\/label><textarea id="\1" name="text"/);
    expect(text).toContain('<input type="hidden" name="level" value="plain"/>');
    expect(text).not.toMatch(/<label[^>]*>(?:level|stamp)/);
    expect(text).toContain('<dt>level</dt><dd class="whole-text" dir="auto"><code>plain</code></dd>');
    expect(text).not.toContain("my secret");
  });

  test("without a token is refused, also if neither Origin nor Sec-Fetch-Site tells its origin", async () => {
    const owner = await make.user();
    const cookie = `auth-token=${owner.sessionToken}`;
    const bare = await send(
      as.anyone.with({ cookie }),
      path,
      { name: "Shelf", visibility: "private" },
      { origin: siteUrl },
    );
    expect(bare.status).toBe(403);
    const plain = { "content-type": "text/plain" };
    const asText = await as.anyone
      .with({ cookie })
      .call("POST", path, { headers: plain, body: JSON.stringify({ name: "Shelf", visibility: "private" }) });
    expect(asText).toFail(403, "formStale");
    expect(await collectionsOf(owner.id)).toBe(0);
  });

  test("that comes back does not show passwords", async () => {
    const password = "correct horse battery";
    const refused = await send(as.anyone, "/auth/sign-in", { login: "ada@example.com", password });
    expect(refused.status).toBe(403);
    expect(refused.text).toContain("ada@example.com");
    expect(refused.text).not.toContain(password);
    expect(refused.text).toMatch(/<input[^>]* type="password"[^>]* name="password"/);
  });

  test("works after its user, whose session ended, has signed in again", async () => {
    const owner = await make.user({ password: "correct horse battery" });
    const actor = as.user(owner);
    const token = tokenOn(await readPage(actor, path), path);
    await resources.db.deleteFrom("sessions").where("user_id", "=", owner.id).execute();
    const signedOut = await send(actor, path, fieldsWith(token, "Kept text"));
    expect([signedOut.status, heading(signedOut)]).toEqual([401, "You are signed out"]);
    expect(signedOut.text).toContain("Kept text");
    const door = await readPage(as.anyone, "/auth/sign-in");
    const entered = await send(withCookies(as.anyone, door), "/auth/sign-in", {
      "form-token": tokenOn(door, "/auth/sign-in"),
      login: owner.email,
      password: "correct horse battery",
    });
    const session = entered.headers
      .getSetCookie()
      .find((text) => text.startsWith("auth-token="))!
      .split(";")[0]!;
    const back = withCookies(as.anyone.with({ cookie: session }), {
      ...signedOut,
      headers: new Headers(
        signedOut.headers
          .getSetCookie()
          .filter((text) => text.startsWith("form-key="))
          .map((text) => ["set-cookie", text]),
      ),
    });
    expect((await send(back, path, fieldsWith(tokenOn(signedOut, path), "Kept text"))).status).toBe(303);
    expect(await collectionsOf(owner.id)).toBe(1);
  });
});

describe("a page of a member", () => {
  const again = (actor: Actor, tag: string) =>
    actor.call("GET", path, { headers: { accept: "text/html", "if-none-match": tag } });

  test("is not sent again while nothing changes, and its forms still work", async () => {
    const owner = await make.user();
    const page = await readPage(as.user(owner), path);
    const tag = page.headers.get("etag")!;
    const unchanged = await again(as.user(owner), tag);
    expect([unchanged.status, unchanged.text]).toEqual([304, ""]);
    const other = await make.user();
    expect((await again(as.user(other), tag)).status).toBe(200);
    const sent = await send(as.user(owner), path, fieldsWith(tokenOn(page, path)));
    expect(sent.status).toBe(303);
    // The same form of the same page creates nothing more, so the browser must get new tokens.
    expect((await again(withCookies(as.user(owner), sent), tag)).status).toBe(200);
  });

  test("is sent again in a new session, which needs other tokens", async () => {
    const owner = await make.user({ password: "correct horse battery" });
    const tag = (await readPage(as.user(owner), path)).headers.get("etag")!;
    const door = await readPage(as.anyone, "/auth/sign-in");
    const entered = await send(withCookies(as.anyone, door), "/auth/sign-in", {
      "form-token": tokenOn(door, "/auth/sign-in"),
      login: owner.email,
      password: "correct horse battery",
    });
    expect((await again(withCookies(as.anyone, entered), tag)).status).toBe(200);
  });
});

describe("a form that creates something", () => {
  test("creates it once when it is sent several times at the same time, and redirects every sender to it", async () => {
    const owner = await make.user();
    const token = tokenOn(await readPage(as.user(owner), path), path);
    const replies = await Promise.all([1, 2, 3].map(() => send(as.user(owner), path, fieldsWith(token))));
    expect(replies.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(new Set(replies.map(location)).size).toBe(1);
    expect(await collectionsOf(owner.id)).toBe(1);
    expect(location(await send(as.user(owner), path, fieldsWith(token)))).toBe(location(replies[0]!));
    expect(await collectionsOf(owner.id)).toBe(1);
  });

  test("creates another one when the user goes back and changes it, or opens the form again", async () => {
    const owner = await make.user();
    const token = tokenOn(await readPage(as.user(owner), path), path);
    const fresh = tokenOn(await readPage(as.user(owner), path), path);
    await send(as.user(owner), path, fieldsWith(token));
    await send(as.user(owner), path, fieldsWith(token, "Another shelf"));
    await send(as.user(owner), path, fieldsWith(fresh));
    expect(await collectionsOf(owner.id)).toBe(3);
  });

  test("can be corrected after it was refused", async () => {
    const owner = await make.user();
    const token = tokenOn(await readPage(as.user(owner), path), path);
    const refused = await send(as.user(owner), path, fieldsWith(token, " "));
    expect(refused.status).toBe(400);
    expect((await send(as.user(owner), path, fieldsWith(token, " "))).status).toBe(400);
    expect((await send(as.user(owner), path, fieldsWith(token))).status).toBe(303);
    expect(await collectionsOf(owner.id)).toBe(1);
  });

  test("shows a secret again to the browser that created it, and to no other", async () => {
    const owner = await make.user();
    const actor = as.user(owner);
    const at = "/settings/pats/new";
    const fields = { "form-token": tokenOn(await readPage(actor, at), at), name: "CI", days: "30", preset: "publish" };
    const replies = await Promise.all([send(actor, at, fields), send(actor, at, fields)]);
    const values = replies.map(({ text }) => /msp_\w{49}/.exec(text)?.[0]);
    expect(values[0]).toBeDefined();
    expect(values[1]).toBe(values[0]);
    expect(
      (await resources.db.selectFrom("tokens").select("id").where("user_id", "=", owner.id).execute()).length,
    ).toBe(1);
    const kept = await resources.db.selectFrom("idempotency_keys").select(["key", "body"]).execute();
    for (const { body } of kept) {
      const text = Buffer.from(body ?? []).toString("utf8");
      for (const form of [text, Buffer.from(text, "base64").toString("latin1")]) expect(form).not.toContain(values[0]);
    }
  });

  test("creates one account and signs in both times", async () => {
    const at = "/auth/sign-up";
    const page = await readPage(as.anyone, at);
    const guest = withCookies(as.anyone, page);
    const userName = uniqueName();
    const fields = {
      "form-token": tokenOn(page, at),
      userName,
      email: `${userName}@example.com`,
      password: "correct horse battery",
    };
    const replies = await Promise.all([send(guest, at, fields), send(guest, at, fields)]);
    expect(replies.map(({ status }) => status)).toEqual([303, 303]);
    const cookies = replies.map(({ headers }) => headers.getSetCookie().find((text) => text.startsWith("auth-token=")));
    expect(cookies[0]).toContain("mss_");
    expect(cookies[1]).toBe(cookies[0]);
    const wrong = await send(guest, at, { ...fields, userName: "x" });
    expect([wrong.status, typed(wrong, "userName")]).toEqual([400, "x"]);
  });
});
