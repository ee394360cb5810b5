// Refusals of `shelf publish`, with their exit codes and advice. Nothing is ever published.
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { uniqueName } from "#test/server/harness.js";
import { setProject } from "#test/worlds/content.js";
import { modBytes, openPublishingWorld, startProxy } from "./publishing-world.js";

const { world, url, folder, project, write, shelf, numbers, tokenWith } = await openPublishingWorld();
const sha512 = (bytes: Buffer) => createHash("sha512").update(bytes).digest("hex");
const newFile = (bytes = modBytes()) => write(`${uniqueName("lamps")}.jar`, bytes);

const target = await project();
const published = modBytes({ version: "9.0" });
const elsewhere = newFile(published);
await shelf(["publish", elsewhere, "--project", target.slug, "--yes"]);
const expired = await tokenWith(["version_create"], Date.now() - 1);
const reading = await tokenWith(["project_read", "version_read"]);
const other = modBytes({ version: "9.0" });
const taken = newFile(other);
const stranger = await world.make.user();
const strangers = (await world.make.token(stranger, { scopes: ["version_create"] })).value;

describe("refusals", () => {
  test.each<[string, string[], Record<string, string>, number, (string | RegExp)[]]>([
    [
      "a wrong token",
      [newFile()],
      { SHELF_TOKEN: "msp_wrong" },
      3,
      ["The token is wrong", `at ${url}/settings/pats, and store it as SHELF_TOKEN`],
    ],
    ["no token", [newFile()], { SHELF_TOKEN: "" }, 3, [`You are not signed in to ${url}`, "shelf login"]],
    [
      "no token in a build of GitHub",
      [newFile()],
      { SHELF_TOKEN: "", GITHUB_ACTIONS: "true", CI: "true" },
      3,
      ["id-token: write", "::error title=shelf::You are not"],
    ],
    [
      "no token in a build of GitLab",
      [newFile()],
      { SHELF_TOKEN: "", GITLAB_CI: "true", CI: "true" },
      3,
      ["id_tokens"],
    ],
    ["an expired token", [newFile()], { SHELF_TOKEN: expired }, 3, ['The token "test" has expired']],
    [
      "a missing scope",
      [newFile()],
      { SHELF_TOKEN: reading },
      3,
      ["does not have the scope version_create", "version_read and version_create"],
    ],
    ["a missing permission", [newFile()], { SHELF_TOKEN: strangers }, 3, ["permission"]],
    [
      "an unknown project",
      [newFile(), "--project", "no-such-project"],
      {},
      4,
      [`${url} has no project no-such-project`],
    ],
    ["a taken number", [taken], {}, 5, [sha512(other), sha512(published), "Choose a new number"]],
    ["a taken number in an option", [newFile(), "--version", "9.0"], {}, 5, [sha512(published)]],
    [
      "a file that is no archive",
      [newFile(Buffer.from("nothing"))],
      {},
      1,
      ["its type is unknown", "Nothing was published"],
    ],
    [
      "a manifest without a version",
      [newFile(modBytes({ version: null }))],
      {},
      1,
      ["names no version", "--version 1.2.0"],
    ],
    ["a manifest without game versions", [newFile(modBytes({ game: null }))], {}, 1, ["names no game versions"]],
    ["an unknown game version", [newFile(), "--game-version", "77"], {}, 1, ["does not know the game version 77"]],
    ["an unknown loader", [newFile(), "--loader", "nails"], {}, 1, ["does not know the loader nails"]],
    ["an unusable number", [newFile(), "--version", "one two"], {}, 1, ["versionNumber: "]],
    ["an unknown channel", [newFile(), "--channel", "rc"], {}, 1, ['"rc" is not a channel']],
    ["a bad dependency", [newFile(), "--dependency", "a:needed"], {}, 1, ['"a:needed" is not a dependency']],
    ["an unknown dependency", [newFile(), "--dependency", "no-such-mod"], {}, 1, ["dependencies: ", "no-such-mod"]],
    ["an empty file", [newFile(Buffer.alloc(0))], {}, 1, ["is empty"]],
    ["no file", ["no-such-file.jar"], {}, 1, ["There is no file no-such-file.jar"]],
    ["a folder", [folder], {}, 1, ["There is no file"]],
    ["a pattern of several files", [join(folder, "*.jar")], {}, 1, ["means several files"]],
    ["a changelog that is no text", [newFile(), "--changelog", newFile()], {}, 1, ["is not a text in UTF-8"]],
    ["an endless changelog", [newFile(), "--changelog", "/dev/zero"], {}, 1, ["/dev/zero is longer than"]],
  ])("%s", async (_what, args, change, code, said) => {
    const before = await numbers(target.slug);
    const outcome = await shelf(["publish", "--project", target.slug, "--yes", ...args], { env: change });
    expect([outcome.code, outcome.out]).toEqual([code, ""]);
    for (const text of said) expect(outcome.err).toContain(text);
    expect(await numbers(target.slug)).toEqual(before);
  });

  test("an endless standard input", async () => {
    const piped = Readable.from(
      (function* () {
        for (;;) yield "and so on ".repeat(1000);
      })(),
    );
    const outcome = await shelf(["publish", newFile(), "--project", target.slug, "--yes", "--changelog", "-"], {
      piped,
    });
    expect([outcome.code, outcome.err]).toEqual([1, expect.stringContaining("The standard input is longer than")]);
  });

  test.each([
    ["{", "is not JSON"],
    ["[]", "must hold a JSON object"],
    ['{"projcet":"x"}', 'unknown entry "projcet"'],
    ['{"files":"x"}', '"files" must be a list of paths'],
    ['{"channel":"rc"}', '"channel" must be release'],
    [`{"project":"${"x".repeat(300_000)}"}`, "is longer than"],
  ])("a shelf.json with %.20s", async (text, said) => {
    const dir = join(folder, uniqueName("bad"));
    mkdirSync(dir);
    writeFileSync(join(dir, "shelf.json"), text);
    const outcome = await shelf(["publish", "--dir", dir, "--yes"]);
    expect([outcome.code, outcome.err]).toEqual([1, expect.stringContaining(said)]);
  });

  test("an archived project", async () => {
    const { id, slug } = await project();
    await setProject(world, id, { visibility: "archived" });
    const outcome = await shelf(["publish", newFile(), "--project", slug, "--yes"]);
    expect([outcome.code, outcome.err]).toEqual([5, expect.stringContaining("This project is archived")]);
  });
});

describe("connections", () => {
  test("a file that changes while it is sent is not published", async () => {
    const { slug } = await project();
    const bytes = modBytes({}, 3 << 20);
    const file = newFile(bytes);
    const proxy = await startProxy(url);
    proxy.before = (what) => {
      if (what.startsWith("PATCH")) writeFileSync(file, Buffer.concat([bytes.subarray(1), Buffer.from("x")]));
      return undefined;
    };
    const outcome = await shelf(["publish", file, "--project", slug, "--yes", "--host", proxy.url]);
    expect([outcome.code, outcome.err]).toEqual([1, expect.stringContaining("has changed while it was read")]);
    expect(await numbers(slug)).toEqual([]);
  });

  test("a network that goes away is exit code 6, and the next run sends only what is missing", async () => {
    const { slug } = await project();
    const file = newFile(modBytes({}, 3 << 20));
    const proxy = await startProxy(url);
    let parts = 0;
    proxy.before = (what) => (what.startsWith("PATCH") && ++parts > 2 ? "break" : undefined);
    const args = ["publish", file, "--project", slug, "--yes", "--host", proxy.url];
    const broken = await shelf(args);
    expect([broken.code, broken.err]).toEqual([6, expect.stringContaining("Check the address and your connection")]);
    proxy.before = () => undefined;
    proxy.seen.length = 0;
    expect((await shelf(args)).code).toBe(0);
    expect(proxy.seen.filter((what) => what.startsWith("PATCH")).length).toBe(2);
    expect(await numbers(slug)).toEqual(["1.0.0"]);
  });

  test("a page of HTML in place of an answer is exit code 6", async () => {
    const proxy = await startProxy(url);
    proxy.before = () => "html";
    const outcome = await shelf(["publish", newFile(), "--project", "x", "--yes", "--host", proxy.url]);
    expect([outcome.code, outcome.err]).toEqual([6, expect.stringContaining("shelf host list")]);
  });

  test("an interrupted command leaves no version", async () => {
    const { slug } = await project();
    const proxy = await startProxy(url);
    const interrupted = new AbortController();
    proxy.before = (what) => {
      if (what.startsWith("PATCH")) interrupted.abort(new Error("Interrupted."));
      return undefined;
    };
    const args = ["publish", newFile(modBytes({}, 2 << 20)), "--project", slug, "--yes", "--host", proxy.url];
    expect((await shelf(args, { signal: interrupted.signal })).code).toBe(130);
    expect(await numbers(slug)).toEqual([]);
  });
});
