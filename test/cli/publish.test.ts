// `shelf publish` on a real registry: the sources of its values, and repeating it.
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { type Client, NotFoundError, type Project, type ProjectVersionData } from "modshelf-client";
import { describe, expect, test } from "vitest";
import { findVisibility } from "#shelf/publishing/visible.js";
import { jar } from "#test/callers/uploads.js";
import { uniqueName } from "#test/server/harness.js";
import { modBytes, openPublishingWorld, startProxy } from "./publishing-world.js";

const { world, url, folder, env, project, write, shelf, numbers, uploads } = await openPublishingWorld();
const sha512 = (bytes: Buffer) => createHash("sha512").update(bytes).digest("hex");
const newFile = (bytes = modBytes()) => write(`${uniqueName("lamps")}.jar`, bytes);

describe("the published version", () => {
  test("comes from the manifest that the registry reads; a second run changes nothing and sends nothing", async () => {
    const library = await project({ slug: "lamp-core" });
    const { slug } = await project();
    const bytes = modBytes({ version: "2.1.0-beta.1", depends: { "lamp-core": "*", "not-here": "*" } });
    const file = newFile(bytes);
    const first = await shelf(["publish", file, "--project", slug, "--yes", "--json"]);
    expect([first.code, first.json]).toEqual([
      0,
      {
        ...{ outcome: "published", state: "live", host: url, project: slug, isTrusted: false },
        url: `${url}/project/${slug}/version/2.1.0-beta.1`,
        version: { id: expect.any(String), number: "2.1.0-beta.1", slug: "2.1.0-beta.1" },
        files: [{ name: file.split("/").at(-1), size: bytes.length, sha512: sha512(bytes) }],
      },
    ]);
    const { data } = (await world.as.anyone.get(`/api/project/${slug}/version/2.1.0-beta.1`)).body;
    expect(data).toMatchObject({
      ...{ title: "Lamps 2.1.0-beta.1", releaseChannel: "beta", loaders: ["quilt"], gameVersions: ["0.4.8", "0.4.7"] },
      dependencies: [{ projectId: library.id, dependencyType: "required" }],
      primaryFile: { sha512_hash: sha512(bytes) },
    });
    expect(first.err).toContain("The registry has no project for these dependencies: not-here.");
    const proxy = await startProxy(url);
    const again = await shelf(["publish", file, "--project", slug, "--yes", "--host", proxy.url]);
    expect([again.code, again.out]).toEqual([
      0,
      `= already published with the same file, nothing to do: ${proxy.url}/project/${slug}/version/2.1.0-beta.1\n`,
    ]);
    expect(proxy.seen.filter((what) => what.includes("/api/upload"))).toEqual([]);
    expect(await numbers(slug)).toEqual(["2.1.0-beta.1"]);
  });

  test("comes from options before shelf.json, and from that before the manifest", async () => {
    const { slug } = await project();
    const dir = join(folder, uniqueName("source"));
    mkdirSync(join(dir, "build/libs"), { recursive: true });
    writeFileSync(join(dir, "build/libs/lamps-1.0.0.jar"), modBytes());
    writeFileSync(join(dir, "build/libs/lamps-1.0.0-sources.jar"), jar());
    writeFileSync(join(dir, "CHANGES.md"), "From the file");
    const settings = {
      ...{
        host: url,
        project: slug,
        files: ["build/libs/lamps-*.jar", "!build/libs/*-sources.jar", "build/libs/*-sources.jar"],
      },
      ...{ channel: "alpha", gameVersions: ["0.4.7"], changelog: "CHANGES.md", dependencies: [], featured: true },
    };
    const save = (change: object) => writeFileSync(join(dir, "shelf.json"), JSON.stringify({ ...settings, ...change }));
    save({});
    // The third pattern only means a file that the second one takes away.
    const none = await shelf(["publish", "--dir", dir, "--yes"], { env: { SHELF_HOST: "" } });
    expect([none.code, none.err]).toEqual([1, expect.stringContaining("There is no file build/libs/*-sources.jar.")]);
    save({ files: ["build/libs/lamps-1.0.0.jar", "build/libs/*-sources.jar"] });
    const args = ["publish", "-d", dir, "--yes", "--version", "1.5", "--channel", "dev", "--title", "Fifteen"];
    const done = await shelf(args, { env: { SHELF_HOST: "" } });
    expect(done).toMatchObject({ code: 0, out: `✓ Live: ${url}/project/${slug}/version/1.5\n` });
    const { data } = (await world.as.anyone.get(`/api/project/${slug}/version/1.5`)).body;
    expect(data).toMatchObject({
      ...{
        title: "Fifteen",
        releaseChannel: "dev",
        gameVersions: ["0.4.7"],
        changelog: "From the file",
        featured: true,
      },
      ...{ loaders: ["quilt"], dependencies: [] },
    });
    expect(data.files.map(({ name }: { name: string }) => name)).toEqual([
      "lamps-1.0.0.jar",
      "lamps-1.0.0-sources.jar",
    ]);
    const piped = Readable.from(["From the ", "pipe"]);
    await shelf([...args, "--version", "1.6", "--changelog", "-", "--dependency", "lamp-core:optional"], { piped });
    const next = (await world.as.anyone.get(`/api/project/${slug}/version/1.6`)).body.data;
    expect(next).toMatchObject({ changelog: "From the pipe", dependencies: [{ dependencyType: "optional" }] });
  });

  test("is shown before, and a dry run leaves nothing behind", async () => {
    const { slug } = await project();
    const file = newFile();
    const dry = await shelf(["publish", file, "--project", slug, "--dry-run"]);
    expect(dry.code).toBe(0);
    expect(dry.out).toMatch(
      /host +http.+\n project +\S+\n version +1\.0\.0 \(release\)\n loaders +quilt\n game +0\.4\.8, 0\.4\.7\n file /,
    );
    const document = (await shelf(["publish", file, "--project", slug, "--dry-run", "--json"])).json;
    expect(document).toMatchObject({
      outcome: "planned",
      versionNumber: "1.0.0",
      channel: "release",
      loaders: ["quilt"],
    });
    const asked = await shelf(["publish", file, "--project", slug], { typed: "n\n" });
    expect([asked.code, asked.err]).toEqual([1, expect.stringContaining("Publish this version?")]);
    const unasked = await shelf(["publish", file, "--project", slug]);
    expect([unasked.code, unasked.err]).toEqual([1, expect.stringContaining("Add --yes if you agree")]);
    expect([await numbers(slug), await uploads()]).toEqual([[], []]);
    expect((await shelf(["publish", file, "--project", slug], { typed: "y\n" })).code).toBe(0);
    expect(await numbers(slug)).toEqual(["1.0.0"]);
  });

  test.each([
    ["processing", "review", "In review"],
    ["draft", "draft", "shelf project submit"],
    ["rejected", "hidden", "The project is rejected"],
  ] as const)("tells that a project is %s", async (status, state, says) => {
    const { slug } = await project({ status });
    const file = newFile();
    const outputs = write(uniqueName("output"), "");
    const done = await shelf(["publish", file, "--project", slug, "--yes"], { env: { GITHUB_OUTPUT: outputs } });
    expect([done.code, done.out]).toEqual([0, expect.stringContaining(says)]);
    const again = await shelf(["publish", file, "--project", slug, "--yes", "--json"]);
    expect(again.json).toMatchObject({ outcome: "unchanged", state });
    expect(await numbers(slug)).toEqual(["1.0.0"]);
  });
});

test("waits until the scan of a version is finished, unless told not to", async () => {
  let left = 2;
  const get = async () => {
    if (left-- > 0) throw new NotFoundError("Version not found.", { code: "versionNotFound" });
    return {};
  };
  const look = (waits: boolean) =>
    findVisibility(
      { versions: { get } } as unknown as Client,
      { id: "p", status: "approved" } as Project,
      { id: "v" } as ProjectVersionData,
      { waits, signal: new AbortController().signal },
    );
  expect(await look(false)).toMatchObject({ state: "waiting", says: expect.stringContaining("not a failure") });
  expect(await look(true)).toEqual({ state: "live", says: "Live" });
  expect(left).toBe(-1);
});

test("texts of a manifest cannot give commands to a build", async () => {
  const { slug } = await project();
  const file = newFile(
    modBytes({ depends: { "::add-mask::secret": "*", "x\n::error::y": "*" }, name: "a\n::error::b" }),
  );
  const runner = { GITHUB_ACTIONS: "true", CI: "true" };
  const done = await shelf(["publish", file, "--project", slug], { env: runner });
  expect(done.code).toBe(0);
  expect(done.out + done.err).not.toMatch(/^\s*::/m);
  expect(done.out + done.err).not.toContain(env.SHELF_TOKEN);
});
