// Display, profile, sessions, notifications and the security log, as a browser without script uses them.
import { describe, expect, test } from "vitest";
import { createSession } from "#accounts/sessions/write.js";
import { write } from "#platform/changes/write.js";
import { heading, location, readPage, submit, submitFiles, typed, wrongWith } from "#test/callers/page-forms.js";
import { drawPicture } from "#test/files/pictures.js";
import { testApp, uniqueName } from "#test/server/harness.js";

const world = await testApp();
const { as, make, resources } = world;

const openSession = (userId: string, userAgent: string) =>
  write(resources, { credential: "test" }, (tx) =>
    createSession(tx, userId, { provider: "github", address: "192.0.2.7", userAgent }),
  );

test("every settings page redirects guests to the sign-in page and back", async () => {
  for (const page of [
    "profile",
    "account",
    "sessions",
    "pats",
    "pats/new",
    "notifications",
    "security-log",
    "account/delete",
  ]) {
    const reply = await readPage(as.anyone, `/settings/${page}`);
    expect([reply.status, location(reply)], page).toEqual([
      303,
      `/auth/sign-in?next=${encodeURIComponent(`/settings/${page}`)}`,
    ]);
  }
});

describe("getSettingsPage", () => {
  test("lets a guest choose theme, language and set-up from the taxonomy", async () => {
    const page = await readPage(as.anyone, "/settings");
    expect(page).toSucceed();
    expect(page.text).toContain('id="setup"');
    expect(page.text).not.toContain("/settings/sessions");
    const gameVersion = /name="gameVersion".*?<option value="([^"]+)"/s.exec(page.text)?.[1] ?? "";
    expect(gameVersion).not.toBe("");
    const reply = await submit(as.anyone, "/settings/setup", {
      gameVersion,
      loader: "nonsense",
      next: "/settings?done=saved",
    });
    expect(location(reply)).toBe("/settings?done=saved");
    const cookie = reply.headers.getSetCookie()[0]!.split(";")[0]!;
    const again = await readPage(as.anyone.with({ cookie }), "/settings?done=saved");
    expect(again.text).toContain(`<option value="${gameVersion}" selected>`);
    expect(again.text).toContain("Saved");
  });

  test("shows links to the other settings to users who are signed in", async () => {
    const user = await make.user();
    expect((await readPage(as.user(user), "/settings")).text).toContain('href="/settings/sessions"');
  });
});

describe("getProfileSettingsPage and submitProfileSettings", () => {
  test("save name, username and bio", async () => {
    const user = await make.user();
    const userName = uniqueName("renamed");
    const reply = await submit(as.user(user), "/settings/profile", {
      name: "مرحبا Ada",
      userName,
      bio: "I <3 shaders",
    });
    expect([reply.status, location(reply)]).toEqual([303, "/settings/profile?done=saved"]);
    expect((await as.user(user).get("/api/user")).body).toMatchObject({
      name: "مرحبا Ada",
      userName,
      bio: "I <3 shaders",
    });
    const page = await readPage(as.user(user), "/settings/profile");
    expect(typed(page, "name")).toBe("مرحبا Ada");
    expect(page.text).toContain("I &lt;3 shaders</textarea>");
  });

  test.each([
    ["avatar", "removePicture", "avatar"],
    ["profilePageBg", "removeBackground", "background"],
  ] as const)("accept a picture for %s, keep it without a new one, and remove it", async (name, remove, word) => {
    const user = await make.user();
    const fields = { name: "", userName: user.userName, bio: "" };
    const send = (more: Record<string, string>, files: Record<string, File[] | undefined> = {}) =>
      submitFiles(as.user(user), "/settings/profile", { ...fields, ...more }, files);
    const before = (await as.user(user).get("/api/user")).body[name];
    expect((await send({}, { [name]: [new File([await drawPicture()], "me.png")] })).status).toBe(303);
    const current = async () => (await as.user(user).get("/api/user")).body[name] as string;
    const uploaded = await current();
    expect(uploaded).not.toBe(before);
    await send({}, { avatar: undefined, profilePageBg: undefined });
    expect(await current()).toBe(uploaded);
    expect((await readPage(as.user(user), "/settings/profile")).text).toContain(uploaded);
    const shown = (await readPage(as.anyone, `/user/${user.userName}`)).text;
    expect([shown.includes(uploaded), shown.includes("profile-background")]).toEqual([true, word === "background"]);
    await send({ [remove]: "on" });
    expect(await current()).toBe(before);
  });

  test("show problems beside the fields and keep what was typed", async () => {
    const [user, other] = [await make.user(), await make.user()];
    const taken = await submit(as.user(user), "/settings/profile", { name: "Ada", userName: other.userName, bio: "x" });
    expect(taken.status).toBe(409);
    expect(wrongWith(taken, "userName")).toBeTruthy();
    expect(typed(taken, "name")).toBe("Ada");
    const long = await submit(as.user(user), "/settings/profile", {
      name: "Ada",
      userName: user.userName,
      bio: "x".repeat(300),
    });
    expect(long.status).toBe(400);
    expect(wrongWith(long, "bio")).toBeTruthy();
    expect(long.text).toContain("x".repeat(300));
    const fields = { name: "Ada", userName: user.userName, bio: "" };
    for (const name of ["avatar", "profilePageBg"]) {
      const file = new File(["<svg onload=alert(1)>"], "me.png");
      const bad = await submitFiles(as.user(user), "/settings/profile", fields, { [name]: [file] });
      expect(bad.status).toBe(400);
      expect(wrongWith(bad, name)).toBeTruthy();
    }
  });

  test("give back what was typed if the session has ended", async () => {
    const reply = await submit(as.anyone, "/settings/profile", { name: "Ada", userName: "ada-x", bio: "long <text>" });
    expect(reply.status).toBe(401);
    expect(reply.text).toContain("long &lt;text></textarea>");
  });
});

describe("getSessionsPage, submitSessionEnd and submitOtherSessionsEnd", () => {
  test("list the user's sessions with device and provider, and end one", async () => {
    const [user, stranger] = [await make.user(), await make.user()];
    const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0";
    await openSession(user.id, firefox);
    const page = await readPage(as.user(user), "/settings/sessions");
    expect(page.text).toContain("Firefox on Linux");
    expect(page.text).toContain("GitHub");
    expect(page.text).toContain("This browser");
    const ids = [...page.text.matchAll(/name="sessionId" value="([^"]+)"/g)].map(([, id]) => id!);
    expect(ids).toHaveLength(2);
    // The current session comes first.
    const sessionId = ids[1]!;
    expect((await submit(as.user(stranger), "/settings/sessions/revoke", { sessionId })).status).toBe(404);
    const ended = await submit(as.user(user), "/settings/sessions/revoke", { sessionId });
    expect([ended.status, location(ended)]).toEqual([303, "/settings/sessions?done=ended"]);
    expect((await as.user(user).get("/api/auth/sessions")).body).toHaveLength(1);
    const own = await submit(as.user(user), "/settings/sessions/revoke", { sessionId: ids[0]! });
    expect(location(own)).toBe("/");
    expect(await as.user(user).get("/api/auth/me")).toFail(401);
  });

  test("end all others at once", async () => {
    const user = await make.user();
    await openSession(user.id, "a");
    await openSession(user.id, "b");
    expect((await readPage(as.user(user), "/settings/sessions")).text).toContain("This ends 2 other sessions.");
    const reply = await submit(as.user(user), "/settings/sessions/revoke-others");
    expect(location(reply)).toBe("/settings/sessions?done=others");
    expect((await as.user(user).get("/api/auth/sessions")).body).toHaveLength(1);
  });

  test("a token cannot see or end sessions", async () => {
    const user = await make.user();
    const token = await as.token(user, { scopes: ["user_read", "user_write"] });
    expect((await token.get("/settings/sessions")).status).toBe(403);
    expect((await submit(token, "/settings/sessions/revoke-others")).status).toBe(403);
  });
});

describe("getNotificationSettingsPage and submitNotificationSettings", () => {
  test("store the choices", async () => {
    const user = await make.user();
    const page = await readPage(as.user(user), "/settings/notifications");
    expect(page.text).toContain("does not send email");
    const reply = await submit(
      as.user(user).with({ cookie: `auth-token=${user.sessionToken}; setup=0.4.8|` }),
      "/settings/notifications",
      {
        team_invite: "on",
        follows: "setup",
      },
    );
    expect(reply.status).toBe(303);
    const { body } = await as.user(user).get("/api/notifications/settings");
    expect(body.muted.sort()).toEqual(["organization_invite", "project_published", "version_published"]);
    expect(body.followDefaults).toMatchObject({ mode: "filtered", gameVersions: ["0.4.8"], channels: ["release"] });
    expect((await submit(as.user(user), "/settings/notifications", { digest: "hourly" })).status).toBe(400);
  });
});

describe("getSecurityLogPage", () => {
  test("shows the events of the user's account, and none of others", async () => {
    const [user, other] = [await make.user(), await make.user()];
    await as.user(user).post("/api/pat", { name: "x", dateExpires: "2099-01-01", authScopes: [] });
    await openSession(other.id, "x");
    const page = await readPage(as.user(user), "/settings/security-log");
    expect(heading(page)).toBe("Security log");
    expect(page.text).toContain("Token created");
    expect(page.text).toContain("127.0.0.0/24");
    expect((page.text.match(/<tr>/g) ?? []).length).toBe(3);
  });

  test("says how somebody signed in", async () => {
    const user = await make.user();
    await write(resources, { userId: user.id }, async (tx) =>
      tx.audit("session.create", { kind: "session", id: "s" }, { provider: "credential" }),
    );
    const page = await readPage(as.user(user), "/settings/security-log");
    expect(page.text).toContain('<span class="muted">Password</span>');
  });

  test("has older pages", async () => {
    const user = await make.user();
    for (let n = 0; n < 52; n++)
      await write(resources, { userId: user.id }, async (tx) =>
        tx.audit("token.update", { kind: "token", id: `t${n}` }),
      );
    const page = await readPage(as.user(user), "/settings/security-log");
    const before = /before=(\d+)/.exec(page.text)?.[1];
    const older = await readPage(as.user(user), `/settings/security-log?before=${before}`);
    expect(older.text).toContain("Account created");
    expect(older.text).not.toContain('rel="next"');
    expect((await readPage(as.user(user), "/settings/security-log?before=x")).status).toBe(400);
  });
});

describe("getShortcutsPage and submitShortcuts", () => {
  const path = "/settings/shortcuts";

  test("let moderators choose their shortcuts, refuse conflicts, and restore the defaults", async () => {
    const moderator = as.user(await make.user({ role: "moderator" }));
    const saved = await submit(moderator, path, { isOn: "on", approved: " G ", skip: "" });
    expect([saved.status, location(saved)]).toEqual([303, `${path}?done=saved`]);
    const desk = await readPage(moderator, "/moderation/queue");
    expect(desk.text).toContain("&quot;approved&quot;:&quot;g&quot;");
    expect(desk.text).toContain("&quot;skip&quot;:&quot;&quot;");
    const clash = await submit(moderator, path, { isOn: "on", undo: "G", mark: "/", next: "jj" });
    expect([clash.status, typed(clash, "undo")]).toEqual([400, "g"]);
    expect(wrongWith(clash, "undo")).toBe("This key is already used for: Approve");
    expect(wrongWith(clash, "mark")).toContain("goes to the search");
    expect(wrongWith(clash, "next")).toBe("Enter one letter, digit or symbol");
    expect(typed(await readPage(moderator, path), "undo")).toBe("u");
    expect(location(await submit(moderator, path, { reset: "yes" }))).toBe(`${path}?done=reset`);
    expect(typed(await readPage(moderator, path), "approved")).toBe("a");
  });

  test("let every user turn off single-key shortcuts", async () => {
    const member = as.user(await make.user());
    const page = await readPage(member, path);
    expect(page.text).not.toContain('name="approved"');
    expect(page.text).not.toContain('data-keys="off"');
    await submit(member, path, {});
    expect((await readPage(member, "/mods")).text).toContain('data-keys="off"');
  });
});
