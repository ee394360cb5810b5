// The icon and color of a project, and its pictures on the content host: who may load them, and how they may be cached.
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { routes } from "#app.js";
import { galleryRoutes } from "#content/gallery/routes.js";
import { defaultColor } from "#platform/images/default-picture.js";
import { drawPicture } from "#test/files/pictures.js";
import { testApp } from "#test/server/harness.js";
import { addMember, makeProject, setProject } from "#test/worlds/content.js";
import { projectEditRoutes } from "./edit-routes.js";

const world = await testApp({ routes: [...new Set([...routes, ...projectEditRoutes, ...galleryRoutes])] });
const { as, make, resources } = world;
const owner = await make.user();
const actor = as.user(owner);
const blue = await drawPicture({ color: "#3366cc" });
const read = async (ref: string) => (await actor.get(`/api/project/${ref}`)).body.project;
const pathOf = (url: string) => new URL(url).pathname;

const isNear = (color: string, expected: string): boolean => {
  const wanted = Buffer.from(expected.slice(1), "hex");
  return Buffer.from(color.slice(1), "hex").every((byte, at) => Math.abs(byte - wanted[at]!) <= 6);
};

describe("updateProjectIcon", () => {
  test("stores a 128 × 128 WebP and sets the project's color from it", async () => {
    const { id, slug } = await makeProject(world, owner);
    expect((await read(id)).color).toBe(defaultColor(id));
    const wide = await drawPicture({ width: 300, height: 100, color: "#cc3322" });
    const { body } = await actor.form("PATCH", `/api/project/${slug}/icon`, { icon: wide });
    expect(body).toMatchObject({ success: true, icon: expect.stringContaining(`/cdn/data/project/${id}/`) });
    expect(isNear(body.color, "#cc3322")).toBe(true);
    expect(await read(id)).toMatchObject({ icon: body.icon, color: body.color });
    const [item] = (await as.anyone.get(`/api/projects?ids=${id}`)).body;
    expect([item.icon, item.color]).toEqual([body.icon, body.color]);
    const picture = await as.anyone.get(pathOf(body.icon));
    expect(await sharp(picture.bytes).metadata()).toMatchObject({ format: "webp", width: 128, height: 128 });
  });

  test("deletes the previous picture", async () => {
    const { id } = await makeProject(world, owner);
    const first = (await actor.form("PATCH", `/api/project/${id}/icon`, { icon: blue })).body.icon;
    const second = (await actor.form("PATCH", `/api/project/${id}/icon`, { icon: blue })).body.icon;
    expect(second).not.toBe(first);
    expect(await as.anyone.get(pathOf(first))).toFail(404, "fileNotFound");
    expect(await as.anyone.get(pathOf(second))).toSucceed();
    const rows = await resources.db.selectFrom("images").select("id").where("owner_id", "=", id).execute();
    expect(rows).toHaveLength(1);
  });

  test.each<[string, number, Blob | string | undefined]>([
    ["a form without the part", 400, undefined],
    ["a text in its place", 400, "icon.png"],
    ["no picture", 400, new Blob(["GIF89a but not really"])],
    ["a picture cut short", 400, blue.slice(0, 50)],
    ["one byte too many", 413, new Blob([new Uint8Array(resources.config.limits.iconBytes + 1)])],
  ])("refuses %s", async (_what, status, icon) => {
    const { id } = await makeProject(world, owner);
    const parts: Record<string, Blob | string> = icon === undefined ? { other: "x" } : { icon };
    const before = await read(id);
    expect(await actor.form("PATCH", `/api/project/${id}/icon`, parts)).toFail(status);
    // In updateProject the icon may be absent, or a text that keeps the current one.
    if (icon instanceof Blob)
      expect(await actor.form("PATCH", `/api/project/${id}`, { ...parts, name: "Changed" })).toFail(status);
    expect(await read(id)).toEqual(before);
  });

  test("refuses JSON, and says what to send", async () => {
    const { id } = await makeProject(world, owner);
    const reply = await actor.patch(`/api/project/${id}/icon`, { icon: "x" });
    expect(reply).toFail(400, "invalidRequest");
    expect(reply.body.issues[0].path).toBe("icon");
  });
});

describe("removeProjectIcon", () => {
  test("removes picture and color, once", async () => {
    const { id } = await makeProject(world, owner);
    expect(await actor.delete(`/api/project/${id}/icon`)).toFail(409, "wrongState");
    const { icon } = (await actor.form("PATCH", `/api/project/${id}/icon`, { icon: blue })).body;
    expect((await actor.delete(`/api/project/${id}/icon`)).body).toMatchObject({ success: true });
    expect(await read(id)).toMatchObject({ icon: null, color: defaultColor(id) });
    expect(await as.anyone.get(pathOf(icon))).toFail(404, "fileNotFound");
    expect(await actor.delete(`/api/project/${id}/icon`)).toFail(409, "wrongState");
  });
});

describe("the icon in updateProject", () => {
  test("is replaced by a file, kept by a text and removed by an empty text", async () => {
    const { id } = await makeProject(world, owner);
    const path = `/api/project/${id}`;
    expect(await actor.form("PATCH", path, { icon: blue, name: "With icon" })).toSucceed();
    const { icon, color } = await read(id);
    expect(isNear(color, "#3366cc")).toBe(true);
    for (const kept of [{ icon }, { name: "Same" }, { icon: "anything" }]) {
      expect(await actor.patch(path, kept)).toSucceed();
      expect((await read(id)).icon).toBe(icon);
    }
    expect(await actor.patch(path, { icon: null })).toSucceed();
    expect(await read(id)).toMatchObject({ icon: null, color: defaultColor(id) });
    expect(await as.anyone.get(pathOf(icon))).toFail(404, "fileNotFound");
  });

  test("a taken slug prevents the picture from being stored", async () => {
    const [mine, other] = [await makeProject(world, owner), await makeProject(world, owner)];
    expect(await actor.form("PATCH", `/api/project/${mine.id}`, { icon: blue, slug: other.slug })).toFail(
      409,
      "slugTaken",
    );
    expect(await read(mine.id)).toMatchObject({ icon: null, slug: mine.slug });
    expect(await resources.db.selectFrom("images").select("id").where("owner_id", "=", mine.id).execute()).toEqual([]);
  });
});

describe("getProjectIcon and getGalleryPicture", async () => {
  const { id, teamId } = await makeProject(world, owner);
  const icon = pathOf((await actor.form("PATCH", `/api/project/${id}/icon`, { icon: blue })).body.icon);
  const added = await actor.form("POST", `/api/project/${id}/gallery`, { image: blue, title: "Dusk" });
  const pictures = [icon, pathOf(added.body.data.image), pathOf(added.body.data.imageThumbnail)];
  const member = await make.user();
  await addMember(world, teamId, member, { permissions: [] });
  const invitee = await make.user();
  await addMember(world, teamId, invitee, { accepted: false });
  const shown = ({ status, text, headers }: Awaited<ReturnType<typeof actor.get>>) => ({
    status,
    text: text.replace(/"requestId":"[^"]*"/, ""),
    headers: [...headers].filter(([name]) => !["date", "x-request-id", "connection", "keep-alive"].includes(name)),
  });

  test("are public for public projects and may be cached without limit", async () => {
    await setProject(world, id, { status: "approved", visibility: "unlisted" });
    for (const path of pictures) {
      const reply = await as.anyone.get(path);
      expect(reply).toSucceed();
      expect(Object.fromEntries(reply.headers)).toMatchObject({
        "content-type": "image/webp",
        "cache-control": "public, max-age=31536000, immutable",
        "content-security-policy": "sandbox; default-src 'none'",
        "x-content-type-options": "nosniff",
        "access-control-allow-origin": "*",
        "content-length": String(reply.bytes.length),
      });
      const tag = reply.headers.get("etag")!;
      expect((await as.anyone.get(path, { headers: { "if-none-match": tag } })).status).toBe(304);
      const head = await as.anyone.head(path);
      expect([head.status, head.headers.get("content-length")]).toEqual([200, String(reply.bytes.length)]);
    }
  });

  test.each([
    { status: "draft", visibility: "listed" },
    { status: "processing", visibility: "listed" },
    { status: "withheld", visibility: "listed" },
    { status: "rejected", visibility: "archived" },
    { status: "approved", visibility: "private" },
  ] as const)(
    "are sent only to users who may see the project if it is $status and $visibility, and are not cached",
    async (hidden) => {
      await setProject(world, id, hidden);
      const reader = await as.token(owner, { scopes: ["project_read"] });
      const moderator = as.user(await make.user({ role: "moderator" }));
      for (const path of pictures) {
        for (const allowed of [actor, as.user(member), moderator, reader]) {
          const reply = await allowed.get(path);
          expect(reply).toSucceed();
          expect(reply.headers.get("cache-control")).toBe("private, no-store");
          expect(reply.headers.get("vary")).toContain("Cookie");
        }
        const strangers = [
          as.anyone,
          as.user(await make.user()),
          as.user(invitee),
          await as.token(owner, { scopes: ["user_read"] }),
        ];
        const absent = shown(
          await as.anyone.get(path.replace(/[^/]+$/, `nothing1${path.includes("gallery") ? "" : "_128"}.webp`)),
        );
        for (const stranger of strangers) {
          const reply = await stranger.get(path, { headers: { "if-none-match": "*" } });
          expect(reply).toFail(404, "fileNotFound");
          expect(shown(reply)).toEqual(absent);
        }
      }
      await setProject(world, id, { status: "approved", visibility: "listed" });
    },
  );

  test("have exactly one URL each", async () => {
    const [, image] = pictures;
    const wrong = [
      icon.replace(`${id}/`, `${id}/gallery/`),
      image!.replace("/gallery/", "/"),
      icon.replace(id, owner.id),
      icon.replace("/project/", "/user/"),
      `/cdn/data/project/${id}/gallery/default.png`,
      `/cdn/data/project/${id}/..%2f..%2fuser`,
      `/cdn/data/project/${id}/gallery/%00.webp`,
      `/cdn/data/project/constructor/x_128.webp`,
    ];
    for (const path of wrong) {
      const { status } = await as.anyone.get(path);
      expect([400, 404]).toContain(status);
    }
  });

  test("a generated picture replaces a missing one, whether the project exists or not", async () => {
    await setProject(world, id, { visibility: "private" });
    for (const ref of [id, "kX3vQ9aB"]) {
      const reply = await as.anyone.get(`/cdn/data/project/${ref}/default.png`);
      expect(reply).toSucceed();
      expect(reply.headers.get("content-type")).toBe("image/png");
      expect(reply.headers.get("cache-control")).toContain("immutable");
    }
    await setProject(world, id, { visibility: "listed" });
  });
});
