// Uploads and texts in a real browser: progress, interruptions, pauses, reloads, previews and drafts.
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page, Route } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { jar } from "#test/callers/uploads.js";
import { zip } from "#test/files/archives.js";
import { drawPicture } from "#test/files/pictures.js";
import { makeProject } from "#test/worlds/content.js";
import { expectAccessible, openSite, widths } from "./browser.js";

const site = await openSite();
const { make } = site;
const mib = 1024 * 1024;
/** Large enough to be observed on a busy machine. */

const archive = (size: number, name = "lamps.jar", version = "3.1.4") => ({
  name,
  mimeType: "application/java-archive",
  buffer: zip([
    { name: "noise.bin", content: randomBytes(size), isStored: true },
    {
      name: "quilt.mod.json",
      content: JSON.stringify({
        schema_version: 1,
        quilt_loader: { id: "lamps", version, metadata: { name: "Lamps" } },
      }),
    },
  ]),
});

async function openForm(viewport?: { width: number; height: number }) {
  const user = await make.user();
  const project = await makeProject(site, user, { status: "draft", license: "" });
  const path = `/project/${project.slug}/version/new`;
  const page = await site.visit(path, { user, ...(viewport && { viewport }) });
  return { page, user, project, path, actor: site.as.user(user) };
}

const stateOf = (page: Page) => page.getAttribute(".upload", "data-state");
const press = (page: Page, text: string) => page.getByRole("button", { name: text, exact: true }).click();

/** The announcements of the live region, from now on. */
const listen = (page: Page) =>
  page.evaluate(() => {
    const { document, MutationObserver } = globalThis as never as {
      document: { querySelector(selector: string): { textContent: string } };
      MutationObserver: new (heard: () => void) => { observe(node: unknown, options: object): void };
    };
    const live = document.querySelector("[data-live]");
    const said: string[] = [];
    (globalThis as never as { said: string[] }).said = said;
    new MutationObserver(() => said.push(live.textContent)).observe(live, { childList: true });
  });

describe.each(widths)("an upload at %s width", (_name, viewport) => {
  test("continues automatically after the connection was cut at 60 %, and fills the form", async () => {
    const { page, actor, project } = await openForm(viewport);
    const file = archive(10 * mib);
    let sent = 0;
    let isCut = false;
    let cuts = 0;
    const relay = async (route: Route) => {
      if (route.request().method() === "PATCH") sent += route.request().postDataBuffer()?.length ?? 0;
      if (sent > file.buffer.length * 0.6 && cuts === 0) isCut = true;
      if (!isCut) return route.continue();
      cuts++;
      return route.abort("internetdisconnected");
    };
    await page.route("**/api/upload/**", relay);
    await listen(page);
    await page.setInputFiles("#primaryFile", file);
    await expect.poll(() => stateOf(page)).toBe("waiting");
    expect(await page.textContent(".upload")).toContain("No connection. The upload continues automatically.");
    const share = await page.evaluate("document.querySelector('.upload progress').value");
    expect(share).toBeGreaterThan(0);
    // Text that the visitor typed during the upload stays.
    await page.fill("#title", "Typed during the upload");
    isCut = false;
    await page.evaluate("dispatchEvent(new Event('online'))");
    await expect.poll(() => stateOf(page)).toBe("done");
    await expect.poll(() => page.inputValue("#versionNumber")).toBe("3.1.4");
    expect(await page.inputValue("#title")).toBe("Typed during the upload");
    expect(cuts).toBeGreaterThan(0);
    const said = (await page.evaluate("said")) as string[];
    const quarters = said.flatMap((text) => /^(25|50|75|100)% of lamps\.jar uploaded$/.exec(text)?.[1] ?? []);
    expect(quarters.length).toBeGreaterThanOrEqual(2);
    expect(quarters).toEqual(quarters.toSorted((a, b) => Number(a) - Number(b)));
    expect(said.at(-1)).toBe("lamps.jar is uploaded");
    await page.check("input[name=gameVersions][value='0.5.13']");
    await press(page, "Publish version");
    await page.waitForURL((url) => url.pathname === `/project/${project.slug}`);
    const { data } = (await actor.get(`/api/project/${project.slug}/version/3.1.4`)).body;
    expect(data).toMatchObject({ title: "Typed during the upload", primaryFile: { size: file.buffer.length } });
  }, 60_000);
});

describe("an upload", () => {
  test("can be paused, resumed and removed", async () => {
    const { page } = await openForm();
    let held: Route | undefined;
    await page.route("**/api/upload/**", async (route) => {
      if (route.request().method() !== "PATCH" || held) return route.continue();
      held = route;
    });
    await page.setInputFiles("#primaryFile", archive(3 * mib));
    await expect.poll(() => held !== undefined).toBe(true);
    await press(page, "Pause");
    await expect.poll(() => stateOf(page)).toBe("paused");
    await press(page, "Resume");
    await expect.poll(() => stateOf(page)).toBe("done");
    const zone = page.locator(".drop-zone").first();
    expect(await zone.isVisible()).toBe(false);
    await press(page, "Remove");
    expect(await zone.isVisible()).toBe(true);
    expect(await page.locator(".upload").count()).toBe(0);
    expect(await page.getAttribute("#primaryFile", "required")).not.toBeNull();
  });

  test("survives a reload: the same file continues, and the typed text is restored", async () => {
    const { page, path } = await openForm();
    // Read from the disk, so that it is the same file with the same date when it is chosen again.
    const folder = mkdtempSync(join(tmpdir(), "modshelf-upload-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "lamps.jar");
    writeFileSync(file, archive(6 * mib).buffer);
    let isCut = false;
    await page.route("**/api/upload/**", (route) => (isCut ? route.abort() : route.continue()));
    const first = page.waitForResponse((response) => response.request().method() === "PATCH");
    await page.setInputFiles("#primaryFile", file);
    await first;
    isCut = true;
    await page.fill("#changelog", "- half a sentence");
    await expect.poll(() => stateOf(page)).toBe("waiting");
    await expect.poll(() => page.evaluate("Object.keys(localStorage).length")).toBeGreaterThan(1);
    await page.reload();
    expect(await page.inputValue("#changelog")).toBe("- half a sentence");
    expect(await page.textContent("main")).toContain("Your unsaved changelog was restored.");
    isCut = false;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await page.setInputFiles("#primaryFile", file);
    await expect.poll(() => stateOf(page)).toBe("done");
    expect(asked).not.toContain("POST /api/upload");
    // Once it is uploaded, a reload needs no file.
    await page.reload();
    expect(page.url()).toContain(`${path}?upload=`);
    expect(await page.textContent(".upload")).toContain("Uploaded");
  }, 60_000);

  test("ticks a family of game versions with one box, which follows files, drafts and single versions, or a range", async () => {
    const { page } = await openForm();
    const family = page.getByLabel("All of 0.5", { exact: true });
    const isMixed = () => family.evaluate((box) => (box as never as { indeterminate: boolean }).indeterminate);
    await family.check();
    expect(await page.isChecked("input[name=gameVersions][value='0.5.0']")).toBe(true);
    await page.uncheck("input[name=gameVersions][value='0.5.0']");
    expect([await family.isChecked(), await isMixed()]).toEqual([false, true]);
    await page.check("input[name=gameVersions][value='0.5.0']");
    expect([await family.isChecked(), await isMixed()]).toEqual([true, false]);
    await family.uncheck();
    const ticked = page.locator("input[name=gameVersions]:checked");
    expect(await ticked.count()).toBe(0);
    // A range ticks all of its versions, and shows them; another range replaces it, and leaves other ticks alone.
    await page.check("input[name=gameVersions][value='0.5.0']");
    const end = (name: string) => page.getByRole("combobox", { name, exact: true });
    await end("From").selectOption("0.4.1");
    await end("To").selectOption("0.4.3");
    const values = () => ticked.evaluateAll((boxes) => boxes.map((box) => (box as never as { value: string }).value));
    expect(await values()).toEqual(["0.5.0", "0.4.3", "0.4.2", "0.4.1"]);
    expect(await page.locator("input[name=gameVersions][value='0.4.2']").isVisible()).toBe(true);
    await end("To").selectOption("0.4.2");
    expect(await values()).toEqual(["0.5.0", "0.4.2", "0.4.1"]);
    await end("From").selectOption("");
    expect(await values()).toEqual(["0.5.0"]);
    await page.uncheck("input[name=gameVersions][value='0.5.0']");
    await page.setInputFiles("#primaryFile", archive(1000, "lamps-2.jar", "2.0.0"));
    await expect.poll(() => page.inputValue("#versionNumber")).toBe("2.0.0");
    await family.check();
    await expect.poll(() => page.evaluate("localStorage.length")).toBe(1);
    await page.reload();
    expect(await page.isChecked("input[name=gameVersions][value='0.5.0']")).toBe(true);
    expect(await family.isChecked()).toBe(true);
  });

  test("is published under its own number, whatever an abandoned draft says", async () => {
    const { page, path, project, actor } = await openForm();
    const numberIs = (number: string) => expect.poll(() => page.inputValue("#versionNumber")).toBe(number);
    await page.setInputFiles("#primaryFile", archive(1000, "lamps-2.jar", "2.0.0"));
    await numberIs("2.0.0");
    await page.fill("#title", "A title for the second one");
    await page.fill("#changelog", "Lamps light themselves.");
    await expect.poll(() => page.evaluate("localStorage.length")).toBe(1);
    // The draft belongs to the upload: with it, everything comes back.
    await page.reload();
    expect(await page.inputValue("#title")).toBe("A title for the second one");

    await page.goto(path);
    expect([await page.inputValue("#versionNumber"), await page.inputValue("#title")]).toEqual(["", ""]);
    expect(await page.inputValue("#changelog")).toBe("Lamps light themselves.");
    await page.waitForSelector("[role=status]:has-text('Your unsaved changelog was restored.')");
    await page.setInputFiles("#primaryFile", archive(1000, "lamps-3.jar", "3.0.0"));
    await numberIs("3.0.0");
    await page.fill("#versionNumber", "3.0.0-typed");
    // Another file that says something else wins over what was typed for the last one.
    await page.setInputFiles("#primaryFile", archive(1000, "lamps-1.jar", "1.0.0"));
    await numberIs("1.0.0");
    expect(await page.inputValue("#title")).toBe("Lamps 1.0.0");
    expect(await page.inputValue("#changelog")).toBe("Lamps light themselves.");
    await page.check("input[name=gameVersions][value='0.5.13']");
    await press(page, "Publish version");
    await page.waitForURL((url) => url.pathname === `/project/${project.slug}`);
    const { data } = (await actor.get(`/api/project/${project.slug}/version`)).body;
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({
      versionNumber: "1.0.0",
      title: "Lamps 1.0.0",
      primaryFile: { name: "lamps-1.jar" },
    });
  });

  test("asks before a file is published a second time", async () => {
    const { page, path, project, actor } = await openForm();
    const file = archive(1000);
    const publish = async () => {
      await press(page, "Publish version");
      await page.waitForLoadState();
    };
    const count = async () => (await actor.get(`/api/project/${project.slug}/version`)).body.data.length;
    await page.check("input[name=gameVersions][value='0.5.13']");
    await page.setInputFiles("#primaryFile", file);
    await expect.poll(() => page.inputValue("#versionNumber")).toBe("3.1.4");
    await publish();
    await page.waitForURL((url) => url.pathname === `/project/${project.slug}`);
    await page.goto(path);
    await page.setInputFiles("#primaryFile", file);
    await page.waitForSelector(".notice:has-text('This file is already published as 3.1.4')");
    await page.getByRole("link", { name: "Open 3.1.4" }).waitFor();
    await page.fill("#versionNumber", "3.1.5");
    await publish();
    await page.waitForSelector(".wrong:has-text('tick the box to publish it again')");
    expect(await count()).toBe(1);
    await expectAccessible(page);
    await page.check("input[name=again]");
    await publish();
    await page.waitForURL((url) => url.pathname === `/project/${project.slug}`);
    expect(await count()).toBe(2);
  });

  test("shows the problem of a file before the form is sent", async () => {
    const { page } = await openForm();
    await page.setInputFiles("#primaryFile", {
      name: "bad.jar",
      mimeType: "application/java-archive",
      buffer: Buffer.from("nothing"),
    });
    await page.waitForSelector(".upload .wrong");
    expect(await page.textContent(".upload .wrong")).toContain("bad.jar was rejected");
  });

  test("that is still running delays the form until it is complete", async () => {
    const { page, project, actor } = await openForm();
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/api/upload/**", async (route) => {
      if (route.request().method() === "PATCH") await gate;
      return route.continue();
    });
    await page.check("input[name=gameVersions][value='0.5.13']");
    await page.setInputFiles("#primaryFile", archive(mib));
    await page.waitForSelector(".upload progress");
    await press(page, "Publish version");
    await page.waitForSelector(".upload-list[data-note]");
    release();
    await page.waitForURL((url) => url.pathname === `/project/${project.slug}`);
    const { data } = (await actor.get(`/api/project/${project.slug}/version`)).body;
    expect(data).toHaveLength(1);
  });

  test("can be dropped onto the page", async () => {
    const { page } = await openForm();
    const dropped = await holdFile(page, jar(), "dropped.jar", "application/java-archive");
    await page.dispatchEvent(".drop-zone", "drop", { dataTransfer: dropped });
    await expect.poll(() => stateOf(page)).toBe("done");
    expect(await page.textContent(".upload")).toContain("dropped.jar");
  });
});

/** A file as it hangs on the pointer, or lies in the clipboard. */
const holdFile = (page: Page, bytes: Buffer, name: string, type: string) =>
  page.evaluateHandle(
    (file) => {
      const { DataTransfer, File, atob } = globalThis as never as {
        DataTransfer: new () => { items: { add(file: unknown): void } };
        File: new (parts: unknown[], name: string, options: { type: string }) => unknown;
        atob(text: string): string;
      };
      const transfer = new DataTransfer();
      const content = Uint8Array.from(atob(file.base64), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([content], file.name, { type: file.type }));
      return transfer;
    },
    { base64: bytes.toString("base64"), name, type },
  );

describe("the editor", () => {
  async function openEditor() {
    const user = await make.user();
    const project = await makeProject(site, user);
    const page = await site.visit(`/project/${project.slug}/settings/description`, { user });
    return { page, user, project };
  }

  test("previews with the server's renderer, and marks text by buttons and keys", async () => {
    const { page } = await openEditor();
    await page.fill("#description", "lamp");
    await page.focus("#description");
    await page.keyboard.press("ControlOrMeta+a");
    await press(page, "Bold");
    expect(await page.inputValue("#description")).toBe("**lamp**");
    await page.keyboard.press("ControlOrMeta+i");
    expect(await page.inputValue("#description")).toBe("***lamp***");
    await page.fill("#description", "# Lamps\n\n- [x] lit\n\n<script>window.pwned = 1</script>");
    await press(page, "Preview");
    await page.waitForSelector(".editor-preview h2");
    expect(await page.textContent(".editor-preview")).toContain("☑ lit");
    expect(await page.evaluate("window.pwned")).toBeUndefined();
    expect(await page.isVisible("#description")).toBe(false);
    await press(page, "Write");
    expect(await page.isVisible("#description")).toBe(true);
  });

  test("takes pictures that are pasted or dropped", async () => {
    const { page, user, project } = await openEditor();
    const bytes = Buffer.from(await (await drawPicture()).arrayBuffer());
    const pasted = await holdFile(page, bytes, "pasted-lamp.png", "image/png");
    await page.evaluate((clipboardData) => {
      const { ClipboardEvent, document } = globalThis as never as {
        ClipboardEvent: new (name: string, init: unknown) => unknown;
        document: { querySelector(selector: string): { dispatchEvent(event: unknown): void } };
      };
      const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
      document.querySelector("#description").dispatchEvent(event);
    }, pasted);
    await expect.poll(() => page.inputValue("#description")).toMatch(/!\[pasted lamp\]\(http.*\.webp\)/);
    const dropped = await holdFile(page, bytes, "dropped-lamp.png", "image/png");
    await page.dispatchEvent("#description", "drop", { dataTransfer: dropped });
    await expect.poll(() => page.inputValue("#description")).toMatch(/!\[dropped lamp\]\(http.*\.webp\)/);
    const { gallery } = (await site.as.user(user).get(`/api/project/${project.id}`)).body.project;
    expect(gallery).toHaveLength(2);
  });

  test("puts a chosen picture into the gallery and into the text", async () => {
    const { page, user, project } = await openEditor();
    const bytes = Buffer.from(await (await drawPicture()).arrayBuffer());
    await page.setInputFiles(".editor-bar input[type=file]", {
      name: "dusk-lamps.png",
      mimeType: "image/png",
      buffer: bytes,
    });
    await expect.poll(() => page.inputValue("#description")).toMatch(/!\[dusk lamps\]\(http.*\.webp\)/);
    const { gallery } = (await site.as.user(user).get(`/api/project/${project.id}`)).body.project;
    expect(gallery).toHaveLength(1);
    await press(page, "Preview");
    await page.waitForSelector(".editor-preview img");
    await page.setInputFiles(".editor-bar input[type=file]", {
      name: "x.png",
      mimeType: "image/png",
      buffer: Buffer.from("x"),
    });
    await page.waitForSelector("text=The picture could not be added");
  });

  test("keeps unsaved text through a reload, and deletes it once it is saved", async () => {
    const { page } = await openEditor();
    await page.fill("#description", "Not saved yet");
    await expect.poll(() => page.evaluate("Object.keys(localStorage).length")).toBe(1);
    await page.reload();
    expect(await page.inputValue("#description")).toBe("Not saved yet");
    await press(page, "Save description");
    await page.waitForSelector("[role=status]");
    await page.reload();
    expect(await page.inputValue("#description")).toBe("Not saved yet");
    expect(await page.textContent("main")).not.toContain("unsaved text");
    await page.fill("#description", "Another try");
    await expect.poll(() => page.evaluate("Object.keys(localStorage).length")).toBe(1);
    await page.reload();
    await press(page, "Discard");
    expect(await page.inputValue("#description")).toBe("Not saved yet");
  });
});
