// The pages of a project in a browser: following (flow B.6), pictures, hashes, phones.
import { describe, expect, test } from "vitest";
import { drawPicture } from "#test/files/pictures.js";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { expectAccessible, expectFits, openSite, phone, widths } from "./browser.js";

const site = await openSite({
  settings: {
    MODSHELF_LAUNCHER_LINKS: "Comet <comet://install?file={url}&name={name}>, Other [quilt] <other:{versionId}>",
    MODSHELF_LAUNCHER_COMMAND: "comet install {project}@{version}",
  },
});
const { make, as } = site;
const owner = await make.user();
const project = await makeProject(site, owner, { name: "Picture book", description: "Words" });
const version = await makeVersion(site, owner, project.id, { versionNumber: "1.0" });
const path = `/project/${project.slug}`;
for (const title of ["First view", "Second view"]) {
  const image = await drawPicture({ width: 64, height: 48, color: title === "First view" ? "#884422" : "#224488" });
  const added = await as.user(owner).form("POST", `/api/project/${project.slug}/gallery`, {
    image,
    title,
    orderIndex: title === "First view" ? "2" : "1",
  });
  expect(added).toSucceed();
}

describe.each(widths)("following at %s width", (_name, viewport) => {
  test.each([true, false])(
    "takes one press, can be narrowed, and ends with another press (script: %s)",
    async (script) => {
      const user = await make.user();
      const page = await site.visit(path, { viewport, script, user });
      await page.context().addCookies([{ name: "setup", value: "0.4.8|quilt", url: page.url() }]);
      await page.getByRole("button", { name: "Follow", exact: true }).click();
      await page.getByText("You follow this project.").waitFor();
      await page.getByRole("link", { name: "change", exact: true }).click();
      await page.getByLabel("Versions for my setup: 0.4.8 · Quilt").check();
      await page.getByLabel("Release channels").selectOption("release");
      await page.locator(".project-main").getByRole("button", { name: "Save", exact: true }).click();
      await page.getByText("0.4.8 · Quilt, Release").waitFor();
      await page.getByRole("button", { name: "Unfollow" }).click();
      await page.getByRole("button", { name: "Follow", exact: true }).waitFor();
      // With script the button changes at the press, before the server has answered.
      const isFollowing = async () => (await as.user(user).get(`/api/project/${project.id}/follow`)).body.following;
      await expect.poll(isFollowing).toBe(false);
    },
  );

  test("sends anonymous users to sign in, and back to the project", async () => {
    const page = await site.visit(path, { viewport });
    await page.getByRole("link", { name: "Follow", exact: true }).click();
    await page.waitForURL("**/auth/sign-in?**");
    expect(new URL(page.url()).searchParams.get("next")).toBe(`${path}/follow`);
  });
});

describe("the gallery", () => {
  test("opens a picture above the page, continues by keys and buttons, and returns the focus", async () => {
    const page = await site.visit(`${path}/gallery`);
    await page.locator(".gallery a").first().click();
    const box = page.getByRole("dialog", { name: "Picture viewer" });
    await box.getByAltText("First view").waitFor();
    await page.keyboard.press("ArrowRight");
    await box.getByAltText("Second view").waitFor();
    await box.getByRole("button", { name: "Next picture" }).click();
    await box.getByAltText("First view").waitFor();
    expect(new URL(page.url()).hash).toMatch(/^#img-/);
    await page.keyboard.press("Escape");
    await box.waitFor({ state: "hidden" });
    expect(await page.evaluate("document.activeElement === document.querySelector('.gallery a')")).toBe(true);
    // The browser reports the URL a moment after the viewer is closed.
    await expect.poll(() => new URL(page.url()).hash).toBe("");
  });

  test("opens the picture that the URL names", async () => {
    const page = await site.visit(`${path}/gallery`);
    const id = await page.locator(".gallery > li").nth(1).getAttribute("id");
    await page.goto(`${path}/gallery?x=1#${id}`);
    const picture = page.getByRole("dialog").getByAltText("Second view");
    await picture.waitFor();
    expect(new URL((await picture.getAttribute("src"))!, page.url()).pathname).toMatch(/^\/cdn\//);
  });

  test("links to the picture itself without script", async () => {
    const page = await site.visit(`${path}/gallery`, { script: false });
    const href = await page.locator(".gallery a").first().getAttribute("href");
    const picture = await page.request.get(href!);
    expect(picture.headers()["content-type"]).toBe("image/webp");
  });
});

test("a hash is copied with one press, and is shown completely without script", async () => {
  const page = await site.visit(`${path}/version/1.0`);
  await page.getByRole("button", { name: "Copy SHA-512" }).click();
  await page.getByText("Copied").waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(version.sha512);
  const plain = await site.visit(`${path}/version/1.0`, { script: false });
  expect(await plain.getByRole("button", { name: "Copy SHA-512" }).isVisible()).toBe(false);
  await plain.getByText("SHA-512").first().click();
  expect(await plain.getByText(version.sha512).isVisible()).toBe(true);
});

test("on phones Download stays visible, and does not cover the focused element", async () => {
  const long = await makeProject(site, owner, { description: "A paragraph.\n\n".repeat(100) });
  await makeVersion(site, owner, long.id);
  const page = await site.visit(`/project/${long.slug}`, { viewport: phone });
  const bar = page.locator(".download-bar a");
  const { y, height } = (await bar.boundingBox())!;
  expect(y + height).toBeLessThanOrEqual(phone.height);
  const feed = page.getByRole("link", { name: "Release feed" });
  await feed.focus();
  const focused = (await feed.boundingBox())!;
  expect(focused.y + focused.height).toBeLessThanOrEqual((await bar.boundingBox())!.y);
});

test("a project is saved into a new collection", async () => {
  const user = await make.user();
  const page = await site.visit(path, { user, script: false });
  await page.getByLabel("Choose a collection").click();
  await page.getByRole("link", { name: "All collections" }).click();
  const form = page.locator(".project-main");
  await form.getByLabel("New collection", { exact: true }).fill("x");
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await page.locator("#name-wrong").waitFor();
  await form.getByLabel("New collection", { exact: true }).fill("To try out");
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await page.waitForURL(`**${path}`);
  const [collection] = (await as.user(user).get("/api/collections")).body;
  expect(collection).toMatchObject({ name: "To try out", visibility: "private", projects: [project.id] });
});

test.each([true, false])("the download page hands the file over to a launcher (script: %s)", async (script) => {
  const page = await site.visit(`${path}/download`, { script, viewport: phone });
  const command = `comet install ${project.slug}@1.0`;
  await page.getByText(command).waitFor();
  if (script) {
    await expectAccessible(page);
    await expectFits(page);
    await page.locator(".command-line", { hasText: command }).getByRole("button").click();
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(command);
  }
  const link = page.getByRole("link", { name: "Open in Comet" });
  const { searchParams } = new URL((await link.getAttribute("href"))!);
  expect(searchParams.get("file")).toMatch(new RegExp(`^http.*/version/${version.id}/`));
  expect(searchParams.get("name")).toBe("Picture book");
  // The policy of the site does not stop it (browser.ts reports violations); without a launcher the page stays.
  await link.click({ noWaitAfter: true });
  await page.getByText("The launcher must be installed").waitFor();
  expect(new URL(page.url()).pathname).toBe(`${path}/download`);
});
