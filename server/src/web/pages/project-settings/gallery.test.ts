// The forms of a project's gallery: adding, naming, ordering, featuring and removing pictures.
import { describe, expect, test } from "vitest";
import { heading, location, readPage, submit, submitFiles, typed, wrongWith } from "#test/callers/page-forms.js";
import { drawPicture } from "#test/files/pictures.js";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";

const world = await testApp({ settings: { MODSHELF_MAX_GALLERY_IMAGE_SIZE: "40 KiB" } });
const { as, make } = world;

async function ownProject() {
  const user = await make.user();
  const project = await makeProject(world, user);
  const actor = as.user(user);
  const read = async () => (await actor.get(`/api/project/${project.id}`)).body.project;
  return { actor, read, path: `/project/${project.slug}/settings` };
}
const picture = async (name: string) => new File([await drawPicture()], name);

describe("getGallerySettingsPage, submitGalleryPicture and submitGalleryItem", () => {
  async function withPictures(...names: string[]) {
    const own = await ownProject();
    for (const name of names)
      await submitFiles(
        own.actor,
        `${own.path}/gallery`,
        { title: "", description: "" },
        { image: [await picture(name)] },
      );
    const list = async () => (await own.read()).gallery as { id: string; name: string; featured: boolean }[];
    return { ...own, list, names: async () => (await list()).map(({ name }) => name) };
  }

  test("add pictures, named by their files, the newest first", async () => {
    const { actor, path, names } = await withPictures("one-lamp.png", "two_lamps.png");
    expect(await names()).toEqual(["two lamps", "one lamp"]);
    const broken = await submitFiles(
      actor,
      `${path}/gallery`,
      { title: "Kept" },
      { image: [new File(["x"], "a.png")] },
    );
    expect([broken.status, typed(broken, "title"), Boolean(wrongWith(broken, "image"))]).toEqual([400, "Kept", true]);
    const none = await submitFiles(actor, `${path}/gallery`, { title: "x" }, { image: undefined });
    expect(none.status).toBe(400);
  });

  test("reorder them with buttons, feature one at a time, and name them", async () => {
    const { actor, path, list, names } = await withPictures("aaa.png", "bbb.png", "ccc.png");
    const [first, second, third] = await list();
    const press = (id: string, act: string, more = {}) => submit(actor, `${path}/gallery/${id}`, { act, ...more });
    expect(location(await press(third!.id, "up"))).toBe(`${path}/gallery?done=saved#img-${third!.id}`);
    expect(await names()).toEqual(["ccc", "aaa", "bbb"]);
    await press(first!.id, "up");
    await press(first!.id, "down");
    expect(await names()).toEqual(["aaa", "ccc", "bbb"]);
    for (const { id } of [first!, second!]) await press(id, "feature");
    expect((await list()).filter(({ featured }) => featured).map(({ id }) => id)).toEqual([second!.id]);
    await press(second!.id, "unfeature");
    expect((await list()).some(({ featured }) => featured)).toBe(false);
    await press(second!.id, "save", { title: "Renamed", description: "By night" });
    expect(await names()).toContain("Renamed");
    const bad = await press(second!.id, "save", { title: "x", description: "" });
    expect(bad.status).toBe(400);
    expect((await press("nothing", "up")).status).toBe(404);
  });

  test("add several at once in their order: each is kept or refused by its name", async () => {
    const { actor, path, names } = await withPictures("old.png");
    const send = (...image: File[]) => submitFiles(actor, `${path}/gallery`, { title: "", description: "" }, { image });
    expect((await send(await picture("aaa.png"), await picture("bbb.png"))).status).toBe(303);
    expect(await names()).toEqual(["aaa", "bbb", "old"]);
    const large = new File([new Uint8Array(41 * 1024)], "large.png");
    const page = await send(await picture("ccc.png"), new File(["x"], "broken.png"), large, await picture("ddd.png"));
    expect(page.status).toBe(200);
    expect(page.text).toContain("2 pictures were added");
    expect(page.text).toMatch(/broken\.png: .*large\.png: The picture is too large/s);
    expect(page.text).not.toContain("ccc.png:");
    expect(await names()).toEqual(["ccc", "ddd", "aaa", "bbb", "old"]);
    expect(page.text).toContain('value="ddd"');
    const many = await Promise.all(Array.from({ length: 13 }, (_, at) => picture(`many-${at}.png`)));
    expect((await send(...many)).text).toContain("many-12.png: Only 12 pictures can be added at once");
    expect((await names()).slice(0, 13)).toEqual(
      [...many.keys()]
        .slice(0, 12)
        .map((at) => `many ${at}`)
        .concat("ccc"),
    );
    expect((await send(...Array.from({ length: 25 }, () => many[0]!))).status).toBe(400);
    expect(await names()).toHaveLength(17);
  });

  test("submitGalleryOrder saves a whole order, and only a whole one of this project", async () => {
    const [own, other] = [await withPictures("aaa.png", "bbb.png", "ccc.png"), await withPictures("zzz.png")];
    const [c, b, a] = (await own.list()).map(({ id }) => id);
    const [foreign] = (await other.list()).map(({ id }) => id);
    const send = (...ids: unknown[]) => submit(own.actor, `${own.path}/gallery/order`, { order: ids.join() });
    expect((await send(a, c, b)).status).toBe(303);
    expect(await own.names()).toEqual(["aaa", "ccc", "bbb"]);
    const wrong = [[a, c], [a, c, b, b], [a, a, b], [a, c, foreign], [a, c, b, foreign], [""], [",".repeat(5000)]];
    for (const ids of wrong) expect((await send(...ids)).status).toBe(409);
    expect((await submit(own.actor, `${own.path}/gallery/order`, {})).status).toBe(409);
    expect((await submit(other.actor, `${own.path}/gallery/order`, { order: [a, b, c].join() })).status).toBe(403);
    expect([await own.names(), await other.names()]).toEqual([["aaa", "ccc", "bbb"], ["zzz"]]);
  });

  test("getRemovePicturePage asks for confirmation, submitRemovePicture removes", async () => {
    const { actor, path, list, names } = await withPictures("aaa.png");
    const [item] = await list();
    expect(heading(await readPage(actor, `${path}/gallery/${item!.id}/remove`))).toBe("Remove picture");
    expect((await submit(actor, `${path}/gallery/${item!.id}/remove`)).status).toBe(303);
    expect(await names()).toEqual([]);
    expect((await submit(actor, `${path}/gallery/${item!.id}/remove`)).status).toBe(404);
  });

  test("belong to one project", async () => {
    const [own, other] = [await withPictures("aaa.png"), await withPictures()];
    const [item] = await own.list();
    expect((await submit(other.actor, `${other.path}/gallery/${item!.id}`, { act: "feature" })).status).toBe(404);
    expect((await submit(other.actor, `${own.path}/gallery/${item!.id}`, { act: "feature" })).status).toBe(403);
  });
});
