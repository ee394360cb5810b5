// The client on a real server: lists beyond the limits, uploads that are interrupted, and every kind of credential.
import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Client, createClient } from "#client/client.js";
import type { Settings } from "#client/transport.js";
import type { SentFile } from "#client/uploads.js";
import { zip } from "#test/files/archives.js";
import { drawPicture } from "#test/files/pictures.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { onFreePort } from "#test/setup/ports.js";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const { world, host } = await onFreePort(async (port) => {
  const host = `http://127.0.0.1:${port}`;
  return { world: await testApp({ port, settings: { MODSHELF_URL: host } }), host };
});
const { make } = world;
const author = await make.user();
const project = await makeProject(world, author);
const { value: token } = await make.token(author, {
  scopes: ["project_read", "project_write", "version_create", "version_read", "user_read"],
});

interface Sent {
  method: string;
  path: string;
}

/** A client, and the requests that it sends. `before` may refuse to send one, `after` may lose its answer. */
function connect({ before, after, ...settings }: Partial<Settings> & { before?: Hook; after?: Hook } = {}) {
  const sent: Sent[] = [];
  const spy: typeof fetch = async (input, init) => {
    const request = { method: init?.method ?? "GET", path: String(input).slice(host.length) };
    const count = sent.push(request);
    before?.(request, count);
    const answer = await fetch(input, init);
    after?.(request, count);
    return answer;
  };
  const client = createClient({ host, token, fetch: spy, retry: { attempts: 4, pauseMs: 1 }, ...settings });
  return { client, sent };
}
type Hook = (request: Sent, count: number) => void;
const lose = () => {
  throw new TypeError("The test cuts the connection.");
};

const archive = (bytes: number, name = `${uniqueName("mod")}.jar`): SentFile & { sha512: string } => {
  const content = zip([{ name: "noise.bin", content: randomBytes(bytes), isStored: true }]);
  return Object.assign(new Blob([new Uint8Array(content)]), {
    name,
    sha512: createHash("sha512").update(content).digest("hex"),
  });
};
const input = () => ({ versionNumber: uniqueName("1"), gameVersions: ["0.4.8"], loaders: ["quilt"] });
const mib = 1 << 20;

describe("lists beyond the limits", () => {
  test("ids are sent in several requests, each once", async () => {
    const { client, sent } = connect();
    const unknown = Array.from({ length: 250 }, (_, i) => `unknown-${i}`);
    const found = await client.projects.many([project.slug, ...unknown, project.id, project.id]);
    expect(found.map(({ id }) => id)).toEqual([project.id]);
    expect(sent).toHaveLength(3);
    expect(Object.keys(await client.projects.versions([project.id, ...unknown]))).toEqual([project.id]);
    expect((await client.users.many([author.id, ...unknown])).map(({ id }) => id)).toEqual([author.id]);
    expect(await client.projects.many([])).toEqual([]);
    expect(sent).toHaveLength(9);
  });

  test("hashes are sent in several requests", async () => {
    const known = await makeVersion(world, author, project.id);
    const unknown = Array.from({ length: 2100 }, () => randomBytes(64).toString("hex"));
    const { client, sent } = connect();
    const found = await client.files.identify([...unknown, known.sha512]);
    expect(Object.entries(found).map(([hash, { id }]) => [hash, id])).toEqual([[known.sha512, known.id]]);
    expect(sent).toHaveLength(3);
    expect(Object.keys(await client.files.updates([...unknown, known.sha1], { algorithm: "sha1" }))).toEqual([
      known.sha1,
    ]);
    expect((await client.files.update(known.sha512)).projectId).toBe(project.id);
  });

  test("search results are read page by page", async () => {
    const word = uniqueName("wordy").replaceAll("-", "");
    for (let i = 0; i < 3; i++) await makeProject(world, author, { name: word, slug: `${word}${i}` });
    const { client, sent } = connect();
    const pages = [];
    for await (const page of client.projects.search({ q: word, limit: 2 })) pages.push(page.length);
    expect(pages).toEqual([2, 1]);
    expect(sent).toHaveLength(2);
  });
});

describe("publishing", () => {
  test("a small file takes one request, and repeating it changes nothing", async () => {
    const { client, sent } = connect({ after: (_, count) => count === 1 && lose() });
    const [file, other, meta] = [archive(1000), archive(1000), input()];
    const progress: number[] = [];
    const first = await client.versions.publish(project.slug, meta, [file, other], {
      onProgress: ({ bytes, total }) => progress.push(bytes / total),
    });
    // The first answer was lost: the second is its repetition.
    expect(sent.map(({ method }) => method)).toEqual(["POST", "POST"]);
    expect(first.isUnchanged).toBe(false);
    expect(first.version.files.map(({ sha512_hash }) => sha512_hash).sort()).toEqual(
      [file.sha512, other.sha512].sort(),
    );
    expect(progress).toEqual([0, 1]);
    expect((await client.versions.publish(project.slug, meta, [file])).isUnchanged).toBe(true);
    const { stream } = await client.versions.download(project.slug, first.version.slug);
    expect((await new Response(stream).bytes()).length).toBe(file.size);
    await expect(client.versions.download(project.slug, first.version.slug, { file: "no.jar" })).rejects.toMatchObject({
      name: "NotFoundError",
    });
  });

  test("a large file is sent in parts, each again if it or its answer is lost", async () => {
    const isPart = ({ method }: Sent) => method === "PATCH";
    let parts = 0;
    const { client, sent } = connect({
      before: (request) => isPart(request) && ++parts === 2 && lose(),
      after: (request) => isPart(request) && parts === 4 && lose(),
    });
    const file = archive(5 * mib);
    const progress: number[] = [];
    const onProgress = ({ bytes }: { bytes: number }) => progress.push(bytes);
    const { version } = await client.versions.publish(project.slug, input(), [file], { onProgress });
    expect(version.primaryFile).toMatchObject({ name: file.name, sha512_hash: file.sha512 });
    expect(sent.filter(isPart)).toHaveLength(6 + 2);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(progress.at(-1)).toBe(file.size);
    expect(await client.uploads.list()).toEqual([]);
  });

  test("an interrupted upload continues in a later run, unless it was another file", async () => {
    const abort = async (file: SentFile) => {
      const controller = new AbortController();
      let parts = 0;
      const { client } = connect({ before: ({ method }) => method === "PATCH" && ++parts === 3 && controller.abort() });
      const sending = client.uploads.send(file, { signal: controller.signal });
      await expect(sending).rejects.toMatchObject({ name: "AbortError" });
      return client.uploads.list();
    };
    const file = archive(3 * mib);
    const [begun] = await abort(file);
    const { client, sent } = connect();
    const upload = await client.uploads.send(file);
    expect(upload).toMatchObject({ id: begun!.id, sha512: file.sha512, isFinished: true });
    expect(sent.filter(({ method }) => method === "PATCH")).toHaveLength(2);
    expect((await client.uploads.send(file)).id).toBe(upload.id);
    await client.uploads.delete(upload.id);

    await abort(file);
    const changed = archive(3 * mib, file.name);
    expect(await client.uploads.send(changed)).toMatchObject({ sha512: changed.sha512 });
    expect(await client.uploads.list()).toHaveLength(1);
  });

  test("a refusal is a typed error, and names the field", async () => {
    const { client } = connect();
    const publish = (who: Client) =>
      who.versions.publish(project.slug, { ...input(), gameVersions: ["none"] }, [archive(10)]);
    await expect(publish(client)).rejects.toMatchObject({
      name: "ValidationError",
      issues: [expect.objectContaining({ path: expect.stringContaining("gameVersions") })],
    });
    await expect(publish(connect({ token: undefined }).client)).rejects.toMatchObject({ name: "UnauthorizedError" });
    await expect(client.projects.delete(project.slug)).rejects.toMatchObject({ name: "ForbiddenError" });
  });
});

test("a picture is sent as a form, and a change without files as JSON", async () => {
  const { client } = connect();
  const { icon } = await client.projects.setIcon(project.slug, await drawPicture());
  expect((await client.projects.get(project.slug)).icon).toBe(icon);
  await client.projects.update(project.slug, { name: "Renamed" });
  expect((await client.projects.get(project.slug, { includeVersions: true })).name).toBe("Renamed");
});

test("tokens are managed with a session only", async () => {
  const { client } = connect({ token: undefined, session: author.sessionToken });
  const dateExpires = new Date(Date.now() + 3_600_000).toISOString();
  const made = await client.pats.create({ name: "mine", dateExpires, authScopes: ["user_read"] });
  expect((await connect({ token: made.token }).client.users.me()).id).toBe(author.id);
  expect((await client.pats.list()).map(({ id }) => id)).toContain(made.id);
  await client.pats.delete(made.id);
  await expect(connect().client.pats.list()).rejects.toMatchObject({ name: "ForbiddenError" });
});
