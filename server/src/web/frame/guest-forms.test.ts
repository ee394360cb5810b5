// Forms of users who are not signed in, or no longer: their text comes back, and their files are not read.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { submit, submitFiles } from "#test/callers/page-forms.js";
import { parseRaw, rawRequest, sendRaw } from "#test/callers/raw-http.js";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";

const world = await testApp();
const { as, make, origin, dataDir } = world;
const author = await make.user();
const { slug } = await makeProject(world, author);
const temporaries = () => readdirSync(join(dataDir, "files/tmp"));
const head = (path: string, ...lines: string[]) =>
  [`POST ${path} HTTP/1.1`, "host: modshelf.test", "accept: application/json", ...lines, "\r\n"].join("\r\n");
const asForm = "content-type: multipart/form-data; boundary=b";
const asText = "content-type: application/x-www-form-urlencoded";

describe("a form of a guest", () => {
  test.each(["/new/file", `/project/${slug}/settings/gallery`, `/project/${slug}/version/new`])(
    "at %s comes back with its texts, and its files are not read",
    async (path) => {
      const names = ["primaryFile", "image"].map((part) => [part, [new File(["bytes"], "-".repeat(8000))]] as const);
      const page = await submitFiles(as.anyone, path, { title: "My typed text" }, Object.fromEntries(names));
      expect([page.status, page.text.includes("bytes")]).toEqual([401, false]);
      // The check of readiness has a file there for a moment, every few seconds.
      await expect.poll(temporaries).toEqual([]);
      if (path !== "/new/file") expect(page.text).toContain("My typed text");
    },
  );

  test.each([
    ["with a picture", `/project/${slug}/settings/gallery`, [asForm, "content-length: 16777216"], 401],
    ["with an upload", "/new/file", [asForm, "content-length: 65537"], 401],
    ["with a long text", `/project/${slug}/settings/description`, [asText, "content-length: 65537"], 401],
    ["to sign in", "/auth/sign-in", [asText, "content-length: 65537"], 413],
  ] as const)("%s is refused above 64 KiB before any of it is read", async (_what, path, lines, status) => {
    expect(parseRaw(await sendRaw(origin, head(path, ...lines))).status).toBe(status);
  });

  test.each([
    [asText, `text=${"x".repeat(70_000)}`, `/project/${slug}/settings/description`, 401],
    [asText, `text=${"x".repeat(70_000)}`, "/auth/sign-in", 413],
    [
      asForm,
      `--b\r\ncontent-disposition: form-data; name="text"\r\n\r\n${"x".repeat(70_000)}\r\n--b--\r\n`,
      "/new/file",
      413,
    ],
  ])("without a content length (%s) is counted while it is read", async (type, body, path, status) => {
    const lines = [`POST ${path} HTTP/1.1`, "host: x", "accept: application/json", type, "transfer-encoding: chunked"];
    const reply = await rawRequest(origin, lines, `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
    expect(reply.status).toBe(status);
  });

  test("says that the session ended only if there was one, and that a preview needs a sign-in", async () => {
    const preview = (cookie?: string) =>
      submit(cookie ? as.anyone.with({ cookie }) : as.anyone, "/tools/markdown", { text: "# My typed text" });
    const never = await preview();
    expect(never.status).toBe(401);
    expect(never.text).toContain("Sign in to see a preview.");
    expect(never.text).toContain("# My typed text");
    expect(never.text).not.toMatch(/Your session ended|choose them again/);
    expect((await preview("auth-token=ended")).text).toContain("Your session ended");
    const other = await submit(as.anyone, `/project/${slug}/settings/description`, { description: "My typed text" });
    expect(other.text).toContain("You need to be signed in to send this.");
  });

  test("is shorter than a member's may be", async () => {
    const description = "x".repeat(65_000);
    const saved = await submit(as.user(author), `/project/${slug}/settings/description`, {
      description: `${description}äöü`,
    });
    expect(saved.status).toBe(303);
  });
});
