// The gallery of a project's settings in a real browser: several pictures at once, and their order.
import { describe, expect, test } from "vitest";
import { drawPicture } from "#test/files/pictures.js";
import { makeProject } from "#test/worlds/content.js";
import { desktop, expectAccessible, expectFits, openSite, phone } from "./browser.js";

const site = await openSite();
const { make } = site;

describe("the gallery", () => {
  test("takes several pictures at once, and is reordered by dragging with a mouse or a finger", async () => {
    const user = await make.user();
    const project = await makeProject(site, user);
    const page = await site.visit(`/project/${project.slug}/settings/gallery`, { user, viewport: desktop });
    const picture = async (name: string) => {
      const drawn = await drawPicture({ width: 64, height: 36 });
      return { name, mimeType: "image/png", buffer: Buffer.from(await drawn.arrayBuffer()) };
    };
    const broken = { name: "broken.png", mimeType: "image/png", buffer: Buffer.from("x") };
    const chosen = [await picture("aaa.png"), broken, await picture("bbb.png"), await picture("ccc.png")];
    await page.setInputFiles("#image", chosen);
    await page.getByRole("button", { name: "Add pictures", exact: true }).click();
    await page.waitForSelector("text=3 pictures were added");
    expect(await page.textContent("#image-wrong")).toContain("broken.png: ");
    await expectAccessible(page);

    const names = async () =>
      (await site.as.user(user).get(`/api/project/${project.id}`)).body.project.gallery.map(
        ({ name }: { name: string }) => name,
      );
    const says = (text: string) => page.waitForSelector(`[role=status]:has-text("${text}")`);
    /** Where the second handle is, and a place in the upper half of the first picture. */
    const places = async () => {
      const handles = page.locator(".drag-handle");
      await handles.nth(1).evaluate((handle) => (handle as never as Scrollable).scrollIntoView({ block: "center" }));
      const [first, second] = [(await handles.nth(0).boundingBox())!, (await handles.nth(1).boundingBox())!];
      return { x: second.x + 10, from: second.y + 10, to: (first.y + second.y) / 2 - 60 };
    };
    expect(await names()).toEqual(["aaa", "bbb", "ccc"]);
    // Unsaved input survives, because the page is not loaded again.
    await page.locator("[data-reorder] [name=description]").first().fill("Not saved yet");
    const { x, from, to } = await places();
    await page.mouse.move(x, from);
    await page.mouse.down();
    await page.mouse.move(x, to, { steps: 4 });
    await page.mouse.up();
    await says("Order saved");
    expect(await names()).toEqual(["bbb", "aaa", "ccc"]);
    expect(await page.locator("[data-reorder] [name=description]").nth(1).inputValue()).toBe("Not saved yet");
    expect([
      await page.isDisabled("li:nth-child(1) [value=up]"),
      await page.isEnabled("li:nth-child(2) [value=up]"),
    ]).toEqual([true, true]);

    // Another member has removed a picture: the order is as before, on the page too.
    await page.setViewportSize(phone);
    await expectFits(page);
    const shown = () =>
      page.locator(".picture-row img").evaluateAll((all) => all.map((one) => (one as never as { alt: string }).alt));
    await page
      .locator(".picture-row")
      .nth(2)
      .evaluate((row) => (row as never as Scrollable).remove());
    const finger = await page.context().newCDPSession(page);
    const at = await places();
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", y?: number) =>
      finger.send("Input.dispatchTouchEvent", { type, touchPoints: y === undefined ? [] : [{ x: at.x, y }] });
    await touch("touchStart", at.from);
    await touch("touchMove", at.from - 30);
    await touch("touchMove", at.to);
    await touch("touchEnd");
    await says("The order could not be saved");
    expect([await shown(), await names()]).toEqual([
      ["bbb", "aaa"],
      ["bbb", "aaa", "ccc"],
    ]);
  });
});

interface Scrollable {
  scrollIntoView(how: { block: string }): void;
  remove(): void;
}
