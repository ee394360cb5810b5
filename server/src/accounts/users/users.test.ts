// Reading users, and editing the own profile with its pictures.
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { siteUrl, testApp, uniqueName } from "#test/server/harness.js";

const { as, make, resources } = await testApp();
const png = (width = 64, height = 64, background = "#c83232") =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
const blob = (bytes: Buffer, type = "image/png") => new Blob([new Uint8Array(bytes)], { type });
/** Pictures are addressed on the site's public host; the bytes come from the port under test. */
const pathOf = (url: string) => url.slice(siteUrl.length);

describe("getUser", () => {
  test("answers by id and by username in any case, with exactly the fields of the interface", async () => {
    const user = await make.user();
    const byId = await as.anyone.get(`/api/user/${user.id}`);
    expect(byId.body).toEqual({
      id: user.id,
      name: user.userName,
      userName: user.userName,
      role: "user",
      avatar: `${siteUrl}/cdn/data/user/${user.id}/default.png`,
      bio: null,
      dateJoined: expect.stringMatching(/Z$/),
      profilePageBg: null,
    });
    for (const ref of [user.userName, user.userName.toUpperCase()])
      expect((await as.anyone.get(`/api/user/${ref}`)).body).toEqual(byId.body);
  });

  test("says 404 in the same words for everything that is not there", async () => {
    const answers = await Promise.all(
      ["nobody", "AAAAAAAA", "x".repeat(64), "%27%20or%201=1--", "..%2f"].map((ref) =>
        as.anyone.get(`/api/user/${ref}`),
      ),
    );
    for (const reply of answers) expect(reply).toFail(404, "userNotFound");
    expect(await as.anyone.get(`/api/user/${"x".repeat(65)}`)).toFail(400, "invalidRequest");
  });

  test("an id wins over another user's equal name", async () => {
    const victim = await make.user();
    await make.user({ userName: victim.id, email: `${uniqueName()}@example.com` });
    expect((await as.anyone.get(`/api/user/${victim.id}`)).body.userName).toBe(victim.userName);
  });

  test("never shows the email", async () => {
    const user = await make.user();
    for (const actor of [as.anyone, as.user(user)])
      expect((await actor.get(`/api/user/${user.id}`)).text).not.toContain("@example.com");
  });
});

describe("getUsers", () => {
  test("answers in request order; repeated ids appear once, unknown ids are left out", async () => {
    const [a, b, c] = [await make.user(), await make.user(), await make.user()];
    const { body } = await as.anyone.get(`/api/users?ids=${c.id},${a.id},AAAAAAAA,${c.id},,${b.id}`);
    expect(body.map((user: { id: string }) => user.id)).toEqual([c.id, a.id, b.id]);
  });

  test("takes 100 ids, not 101, and at least one", async () => {
    const ids = (count: number) => Array.from({ length: count }, (_, n) => `id${n}`).join(",");
    expect((await as.anyone.get(`/api/users?ids=${ids(100)}`)).body).toEqual([]);
    const tooMany = await as.anyone.get(`/api/users?ids=${ids(101)}`);
    expect(tooMany).toFail(400, "invalidRequest");
    expect(tooMany.body.message).toContain("100");
    for (const query of ["", "?ids=", "?ids=,,", "?ids=a&ids=b", "?ids[]=a"])
      expect(await as.anyone.get(`/api/users${query}`)).toFail(400);
  });

  test("mixes ids and usernames, the names in any case; each user comes once", async () => {
    const [a, b] = [await make.user(), await make.user()];
    const refs = [b.userName.toUpperCase(), a.id, a.userName, b.id, "nobody-here"];
    const { body } = await as.anyone.get(`/api/users?ids=${refs}`);
    expect(body.map((user: { id: string }) => user.id)).toEqual([b.id, a.id]);
  });
});

describe("updateProfile", () => {
  test("getOwnUser shows the changes; an absent field stays unchanged", async () => {
    const user = await make.user();
    const renamed = uniqueName("renamed");
    const saved = await as.user(user).patch("/api/user", { name: "Ada ♥", userName: renamed, bio: "Hello" });
    expect(saved.body).toMatchObject({
      success: true,
      profileData: { name: "Ada ♥", userName: renamed, bio: "Hello" },
    });
    await as.user(user).patch("/api/user", { bio: null });
    expect((await as.user(user).get("/api/user")).body).toMatchObject({ name: "Ada ♥", userName: renamed, bio: null });
    await as.user(user).patch("/api/user", { name: "" });
    expect((await as.user(user).get("/api/user")).body.name).toBe(renamed);
    expect(await as.anyone.get(`/api/user/${user.userName}`)).toFail(404);
  });

  test("refuses taken, reserved and malformed values and changes nothing", async () => {
    const [user, other] = [await make.user(), await make.user()];
    expect(await as.user(user).patch("/api/user", { userName: other.userName.toUpperCase() })).toFail(
      409,
      "userNameTaken",
    );
    expect(await as.user(user).patch("/api/user", { userName: "Admin" })).toFail(400, "nameReserved");
    for (const bad of [
      { userName: "x" },
      { userName: 7 },
      { name: "n".repeat(65) },
      { bio: "b".repeat(257) },
      { bio: 5 },
      { bio: "ok", userName: "not ok" },
    ])
      expect(await as.user(user).patch("/api/user", bad)).toFail(400, "invalidRequest");
    expect((await as.user(user).get("/api/user")).body).toMatchObject({ userName: user.userName, bio: null });
  });

  test("may change the case of the own name", async () => {
    const user = await make.user();
    const upper = user.userName.toUpperCase();
    expect((await as.user(user).patch("/api/user", { userName: upper })).body.profileData.userName).toBe(upper);
  });

  test("cannot change fields that are not in its contract", async () => {
    const user = await make.user();
    await as
      .user(user)
      .patch("/api/user", { role: "admin", id: "AAAAAAAA", email: "x@y.zz", dateJoined: 0, password_hash: "x" });
    const row = await resources.db.selectFrom("users").selectAll().where("id", "=", user.id).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ role: "user", email: user.email, password_hash: null });
  });

  test("needs user_write, and accepts no other scope", async () => {
    const user = await make.user();
    expect(await (await as.token(user, { scopes: ["user_write"] })).patch("/api/user", { bio: "x" })).toSucceed();
    expect(
      await (await as.token(user, { scopes: ["user_read", "project_write"] })).patch("/api/user", { bio: "y" }),
    ).toFail(403, "scopeMissing");
  });
});

describe("pictures of a user", () => {
  test("an avatar is re-encoded to 128 × 128 WebP and served by getUserPicture permanently", async () => {
    const user = await make.user();
    const saved = await as
      .user(user)
      .form("PATCH", "/api/user", { avatar: blob(await png(300, 200)), bio: "with picture" });
    expect(saved).toSucceed();
    const { avatar, bio } = saved.body.profileData;
    expect(bio).toBe("with picture");
    expect(avatar).toMatch(new RegExp(`^${siteUrl}/cdn/data/user/${user.id}/\\w{8}_128\\.webp$`));
    const picture = await as.anyone.get(pathOf(avatar));
    expect(picture.status).toBe(200);
    expect(Object.fromEntries(picture.headers)).toMatchObject({
      "content-type": "image/webp",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
      "cross-origin-resource-policy": "cross-origin",
      "access-control-allow-origin": "*",
      "content-length": String(picture.bytes.length),
    });
    expect(await sharp(picture.bytes).metadata()).toMatchObject({ format: "webp", width: 128, height: 128 });
    const again = await as.anyone.get(pathOf(avatar), { headers: { "if-none-match": picture.headers.get("etag")! } });
    expect([again.status, again.text]).toEqual([304, ""]);
    const head = await as.anyone.head(pathOf(avatar));
    expect([head.status, head.headers.get("content-length"), head.text]).toEqual([
      200,
      String(picture.bytes.length),
      "",
    ]);
  });

  test("a file replaces, a text keeps, an empty text removes", async () => {
    const user = await make.user();
    const avatarAfter = async (parts: Record<string, string | Blob>) =>
      (await as.user(user).form("PATCH", "/api/user", parts)).body.profileData.avatar;
    const first = await avatarAfter({ avatar: blob(await png()) });
    expect(await avatarAfter({ avatar: first })).toBe(first);
    const second = await avatarAfter({ avatar: blob(await png(64, 64, "#3232c8")) });
    expect(second).not.toBe(first);
    expect(await as.anyone.get(pathOf(first))).toFail(404, "fileNotFound");
    expect(await avatarAfter({ avatar: "" })).toBe(`${siteUrl}/cdn/data/user/${user.id}/default.png`);
  });

  test("a profile background keeps its shape", async () => {
    const user = await make.user();
    const saved = await as.user(user).form("PATCH", "/api/user", { profilePageBg: blob(await png(800, 200)) });
    const picture = await as.anyone.get(pathOf(saved.body.profileData.profilePageBg));
    expect(await sharp(picture.bytes).metadata()).toMatchObject({ format: "webp", width: 800, height: 200 });
    expect((await as.user(user).patch("/api/user", { profilePageBg: null })).body.profileData.profilePageBg).toBeNull();
  });

  test("a file that is not a picture, or too large, is refused and not stored", async () => {
    const user = await make.user();
    const before = await resources.db.selectFrom("images").select("id").execute();
    const send = (bytes: Buffer, type?: string) =>
      as.user(user).form("PATCH", "/api/user", { avatar: blob(bytes, type), bio: "must not be saved" });
    const svg = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>");
    for (const bytes of [
      svg,
      Buffer.from("<html>"),
      Buffer.alloc(0),
      Buffer.from([137]),
      (await png()).subarray(0, 40),
    ])
      expect(await send(bytes)).toFail(400, "imageUnusable");
    expect(await send(Buffer.alloc(512 * 1024 + 1, 1))).toFail(413, "fileTooLarge");
    expect((await as.user(user).get("/api/user")).body.bio).toBeNull();
    expect(await resources.db.selectFrom("images").select("id").execute()).toEqual(before);
  });

  test("hostile forms get a 4xx", async () => {
    const user = await make.user();
    const raw = (body: string, type = "multipart/form-data; boundary=x") =>
      as.user(user).call("PATCH", "/api/user", { body, headers: { "content-type": type } });
    const part = (name: string, value: string) =>
      `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    for (const [body, type] of [
      ["nonsense", undefined],
      [part("bio", "cut off").slice(0, -10), undefined],
      [`${part("bio", "a")}${part("bio", "b")}--x--\r\n`, undefined],
      [`${part("bio", "a\0b")}--x--\r\n`, undefined],
      [`${Array.from({ length: 60 }, (_, n) => part(`f${n}`, "x")).join("")}--x--\r\n`, undefined],
      [`${part("bio", "b".repeat(300_000))}--x--\r\n`, undefined],
      ["x", "multipart/form-data"],
      [part("__proto__", "x"), "multipart/form-data; boundary=y"],
    ] as const) {
      const reply = await raw(body, type);
      expect(reply.status, body.slice(0, 60)).toBeGreaterThanOrEqual(400);
      expect(reply.status, reply.text).toBeLessThan(500);
    }
    expect((await as.user(user).get("/api/user")).body.bio).toBeNull();
  });

  test("the default picture is a PNG of the user's own", async () => {
    const [a, b] = [await make.user(), await make.user()];
    const pictures = await Promise.all([a, b, a].map((user) => as.anyone.get(`/cdn/data/user/${user.id}/default.png`)));
    expect(pictures[0]!.headers.get("content-type")).toBe("image/png");
    expect(pictures[0]!.bytes.equals(pictures[2]!.bytes)).toBe(true);
    expect(pictures[0]!.bytes.equals(pictures[1]!.bytes)).toBe(false);
    expect(await as.anyone.get(`/cdn/data/user/${a.id}/other.png`)).toFail(404, "fileNotFound");
  });
});
