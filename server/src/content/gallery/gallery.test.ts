// The gallery of a project: its rules, its limits, and its pictures.
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { routes } from "#app.js";
import { projectEditRoutes } from "#content/projects/edit-routes.js";
import { write } from "#platform/changes/write.js";
import { drawPicture } from "#test/files/pictures.js";
import { testApp } from "#test/server/harness.js";
import { countStatements } from "#test/server/statement-count.js";
import { makeProject } from "#test/worlds/content.js";
import { galleryRoutes } from "./routes.js";
import { moveGalleryItem, orderGallery } from "./write.js";

const allRoutes = [...new Set([...routes, ...galleryRoutes, ...projectEditRoutes])];
const world = await testApp({ routes: allRoutes });
const { as, make, resources } = world;
const { db } = resources;
const owner = await make.user();
const actor = as.user(owner);
const image = await drawPicture({ width: 16, height: 8 });

type Parts = Record<string, string | Blob>;
const makeOwn = () => makeProject(world, owner);
const add = (ref: string, parts: Parts = {}) =>
  actor.form("POST", `/api/project/${ref}/gallery`, { image, title: "Dusk", ...parts });
const galleryOf = async (ref: string) => (await as.anyone.get(`/api/project/${ref}`)).body.project.gallery;
const indexesOf = async (ref: string) =>
  (await galleryOf(ref)).map(({ orderIndex }: { orderIndex: number }) => orderIndex);
const countImages = async () => (await db.selectFrom("images").select("id").execute()).length;

describe("createGalleryItem", () => {
  test("adds a picture with a thumbnail of the same name, and shows it at once", async () => {
    const { id, slug } = await makeOwn();
    const large = await drawPicture({ width: 1000, height: 500, color: "#884422" });
    const parts = {
      image: large,
      title: "Lamps at dusk",
      description: "All of\nthem",
      featured: "true",
      orderIndex: "7",
    };
    const { body } = await add(slug, parts);
    const base = `${resources.config.http.cdnUrl}/cdn/data/project/${id}/gallery`;
    const name = body.data.image.slice(base.length + 1, -".webp".length);
    expect(body).toEqual({
      success: true,
      message: expect.any(String),
      data: {
        id: expect.any(String),
        name: "Lamps at dusk",
        // Forms send CRLF line breaks.
        description: "All of\r\nthem",
        image: `${base}/${name}.webp`,
        imageThumbnail: `${base}/${name}_420.webp`,
        featured: true,
        dateCreated: expect.stringMatching(/Z$/),
        orderIndex: 7,
      },
    });
    expect(await galleryOf(slug)).toEqual([body.data]);
    const [item] = (await as.anyone.get(`/api/projects?ids=${id}`)).body;
    expect(item.featured_gallery).toBe(body.data.imageThumbnail);
    const sizeOf = async (url: string) => {
      const reply = await as.anyone.get(new URL(url).pathname);
      expect(reply.headers.get("content-type")).toBe("image/webp");
      const { width, height, format } = await sharp(reply.bytes).metadata();
      return [width, height, format];
    };
    expect(await sizeOf(body.data.image)).toEqual([1000, 500, "webp"]);
    expect(await sizeOf(body.data.imageThumbnail)).toEqual([420, 210, "webp"]);
  });

  test("without an index, or with 0, adds the picture in front", async () => {
    const { slug } = await makeOwn();
    for (const parts of [{}, { orderIndex: "0" }, { orderIndex: "40" }, {}] as Parts[])
      expect(await add(slug, parts)).toSucceed();
    expect(await indexesOf(slug)).toEqual([41, 40, 2, 1]);
  });

  test("refuses a used index, and says so if there is no free index in front", async () => {
    const { slug } = await makeOwn();
    expect(await add(slug, { orderIndex: "1024" })).toSucceed();
    expect(await add(slug, { orderIndex: "1024" })).toFail(409, "wrongState");
    const none = await add(slug);
    expect(none).toFail(409, "wrongState");
    expect(none.body.message).toContain("orderIndex");
    expect(await add(slug, { orderIndex: "1023" })).toSucceed();
    expect(await indexesOf(slug)).toEqual([1024, 1023]);
  });

  test("features at most one picture", async () => {
    const { slug } = await makeOwn();
    expect(await add(slug, { featured: "true" })).toSucceed();
    expect(await add(slug, { featured: "true" })).toFail(409, "wrongState");
    expect(await add(slug, { featured: "false" })).toSucceed();
  });

  test.each<[string, Parts]>([
    ["no title", { title: "" }],
    ["a title of one character", { title: "x" }],
    ["a title of 33 characters", { title: "x".repeat(33) }],
    ["a blank title", { title: "   " }],
    ["a title with an escape character", { title: "a\u001bb" }],
    ["a title with a right-to-left override", { title: "dusk \u202egnp.exe" }],
    ["a description of 257 characters", { description: "x".repeat(257) }],
    ["an index below 0", { orderIndex: "-1" }],
    ["an index above 1024", { orderIndex: "1025" }],
    ["half an index", { orderIndex: "1.5" }],
    ["an index that is not a number", { orderIndex: "first" }],
    ["an infinite index", { orderIndex: "1e999" }],
    ["an invalid flag", { featured: "perhaps" }],
    ["text in place of the picture", { image: new Blob(["not a picture"]) }],
    ["an SVG", { image: new Blob(['<svg xmlns="http://www.w3.org/2000/svg"/>'], { type: "image/svg+xml" }) }],
    ["an empty file", { image: new Blob([]) }],
    ["half a picture", { image: image.slice(0, 40) }],
    ["the picture as a field", { image: "https://example.org/x.png" }],
  ])("refuses %s and stores nothing", async (_what, parts) => {
    const { slug } = await makeOwn();
    const before = await countImages();
    expect(await add(slug, parts)).toFail(400);
    expect(await galleryOf(slug)).toEqual([]);
    expect(await countImages()).toBe(before);
  });

  test("refuses a body that is not a form, and a picture that is too large", async () => {
    const { slug } = await makeOwn();
    expect(await actor.post(`/api/project/${slug}/gallery`, { title: "Dusk" })).toFail(400, "invalidRequest");
    const tooLarge = new Blob([new Uint8Array(resources.config.limits.galleryImageBytes + 1)]);
    expect(await add(slug, { image: tooLarge })).toFail(413, "fileTooLarge");
    expect(await galleryOf(slug)).toEqual([]);
  });

  test("stores no more pictures than the site allows, even for concurrent requests", async () => {
    const small = await testApp({ routes: allRoutes, settings: { MODSHELF_MAX_GALLERY_IMAGES: "3" } });
    const user = await small.make.user();
    const { slug } = await makeProject(small, user);
    const send = () =>
      small.as.user(user).form("POST", `/api/project/${slug}/gallery`, { image, title: "Dusk", description: "" });
    const replies = await Promise.all(Array.from({ length: 8 }, send));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(3);
    for (const reply of replies) if (reply.status !== 200) expect(reply).toFail(409, "wrongState");
    const { gallery } = (await small.as.anyone.get(`/api/project/${slug}`)).body.project;
    expect(gallery.map(({ orderIndex }: { orderIndex: number }) => orderIndex)).toEqual([3, 2, 1]);
    await small.as.user(user).delete(`/api/project/${slug}/gallery/${gallery[0].id}`);
    expect(await send()).toSucceed();
  });

  test("ignores fields that the caller may not set", async () => {
    const [mine, other] = [await makeOwn(), await makeProject(world, await make.user())];
    const greedy = {
      id: "kX3vQ9aB",
      project_id: other.id,
      projectId: other.id,
      image_id: "x",
      dateCreated: "2001-01-01",
    };
    const { data } = (await add(mine.slug, greedy)).body;
    expect(data.id).not.toBe("kX3vQ9aB");
    expect(await galleryOf(other.slug)).toEqual([]);
    expect(data.dateCreated).not.toContain("2001");
  });
});

describe("updateGalleryItem", () => {
  const patch = (ref: string, id: string, body: object) => actor.patch(`/api/project/${ref}/gallery/${id}`, body);

  test("changes the given fields and leaves the others", async () => {
    const { slug } = await makeOwn();
    const { data } = (await add(slug, { description: "Words", orderIndex: "5" })).body;
    expect((await patch(slug, data.id, { title: "Dawn" })).body.data).toEqual({ ...data, name: "Dawn" });
    const rest = { description: null, orderIndex: 0, featured: true };
    expect(await patch(slug, data.id, rest)).toSucceed();
    expect(await galleryOf(slug)).toEqual([{ ...data, name: "Dawn", description: "", orderIndex: 0, featured: true }]);
    expect(await patch(slug, data.id, {})).toSucceed();
    expect(await patch(slug, data.id, { orderIndex: 0, featured: true })).toSucceed();
  });

  test("keeps indexes unique and at most one picture featured", async () => {
    const { slug } = await makeOwn();
    const first = (await add(slug, { featured: "true" })).body.data;
    const second = (await add(slug)).body.data;
    expect(await patch(slug, second.id, { orderIndex: first.orderIndex })).toFail(409, "wrongState");
    expect(await patch(slug, second.id, { featured: true, title: "Not kept" })).toFail(409, "wrongState");
    expect(await galleryOf(slug)).toEqual([second, first]);
    expect(await patch(slug, first.id, { featured: false })).toSucceed();
    expect(await patch(slug, second.id, { featured: true })).toSucceed();
  });

  test.each([
    { title: "" },
    { title: " x " },
    { description: 5 },
    { description: "x".repeat(257) },
    { orderIndex: 1025 },
    { orderIndex: -1 },
    { orderIndex: "5" },
    { orderIndex: 1.5 },
    { featured: "true" },
    { featured: 7 },
  ])("refuses %o", async (body) => {
    const { slug } = await makeOwn();
    const { data } = (await add(slug)).body;
    expect(await patch(slug, data.id, body)).toFail(400, "invalidRequest");
    expect(await galleryOf(slug)).toEqual([data]);
  });

  test("finds only pictures of its own project", async () => {
    const [mine, other] = [await makeOwn(), await makeProject(world, await make.user())];
    const foreign = (
      await as.user(await make.user({ role: "admin" })).form("POST", `/api/project/${other.id}/gallery`, {
        image,
        title: "Theirs",
      })
    ).body.data;
    expect(await patch(mine.slug, foreign.id, { title: "Mine" })).toFail(404, "galleryItemNotFound");
    expect(await actor.delete(`/api/project/${mine.slug}/gallery/${foreign.id}`)).toFail(404, "galleryItemNotFound");
    expect(await galleryOf(other.slug)).toEqual([foreign]);
  });
});

describe("deleteGalleryItem", () => {
  test("deletes the picture and its thumbnail, and frees its index", async () => {
    const { id, slug } = await makeOwn();
    const { data } = (await add(slug, { orderIndex: "3", featured: "true" })).body;
    const path = `/api/project/${slug}/gallery/${data.id}`;
    expect((await actor.delete(path)).body).toEqual({ success: true, message: expect.any(String) });
    expect(await galleryOf(slug)).toEqual([]);
    for (const url of [data.image, data.imageThumbnail])
      expect(await as.anyone.get(new URL(url).pathname)).toFail(404, "fileNotFound");
    expect(await db.selectFrom("images").select("id").where("owner_id", "=", id).execute()).toEqual([]);
    expect(await actor.delete(path)).toFail(404, "galleryItemNotFound");
    expect(await add(slug, { orderIndex: "3", featured: "true" })).toSucceed();
  });
});

describe("the order of a gallery", () => {
  const idsOf = async (ref: string): Promise<string[]> => (await galleryOf(ref)).map(({ id }: { id: string }) => id);
  const order = (projectId: string, ids: readonly string[]) =>
    write(resources, { credential: "test" }, (tx) => orderGallery(tx, projectId, ids));

  test("is saved as a whole, keeps the indexes and the featured picture, and costs the same for any length", async () => {
    const { id, slug } = await makeOwn();
    for (const orderIndex of ["3", "9", "1024"]) await add(slug, { orderIndex, featured: String(orderIndex === "9") });
    const [first, second, third] = (await idsOf(slug)) as [string, string, string];
    expect(await countStatements(db, () => order(id, [third, first, second]))).toBeLessThan(12);
    expect([await idsOf(slug), await indexesOf(slug)]).toEqual([
      [third, first, second],
      [1024, 9, 3],
    ]);
    expect((await galleryOf(slug)).map(({ featured }: { featured: boolean }) => featured)).toEqual([
      false,
      false,
      true,
    ]);
    await write(resources, { credential: "test" }, (tx) => moveGalleryItem(tx, id, second, "up"));
    expect(await idsOf(slug)).toEqual([third, second, first]);
  });

  test("is refused with pictures that are missing, repeated or of another project", async () => {
    const [own, other] = [await makeOwn(), await makeOwn()];
    for (const { slug } of [own, own, other]) await add(slug);
    const [first, second] = (await idsOf(own.slug)) as [string, string];
    const [foreign] = (await idsOf(other.slug)) as [string];
    const wrong = [[], [first], [first, first], [second, first, first], [second, foreign], [second, first, foreign]];
    for (const ids of wrong) await expect(order(own.id, ids)).rejects.toMatchObject({ code: "wrongState" });
    expect([await idsOf(own.slug), await idsOf(other.slug)]).toEqual([[first, second], [foreign]]);
  });
});
