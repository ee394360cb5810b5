// Denied contents: refused directly, under another name, and at any depth of packing (reliability Q-2).
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { jar, jarFile, publishTo, toForm, type UploadFile } from "#test/callers/uploads.js";
import { sevenZip, tar, type ZipEntry, zip } from "#test/files/archives.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const second = await testApp({ sharedWith: world });
const { as, make } = world;
const author = await make.user();
const moderator = await make.user({ role: "moderator" });
const me = as.user(author);
const desk = as.user(moderator);
const path = "/api/moderation/denied-hash";
const project = await makeProject(world, author);

const hashOf = (algorithm: string, bytes: Buffer) => createHash(algorithm).update(bytes).digest("hex");
const deny = (hash: string, reason = "Reads saved passwords") => desk.post(path, { hash, reason });
const allow = (hash: string) => desk.delete(`${path}/${hash}`);
const makeOwn = async (bytes = jar()) => {
  const own = await makeProject(world, author);
  return { ...(await makeVersion(world, author, own.id, { bytes })), projectId: own.id };
};
const publish = (primaryFile: UploadFile, more: object = {}) => publishTo(me, project.id, { primaryFile, ...more });

/** A new malicious file, and every kind of archive that can contain it. */
function makeBad() {
  const bad = Buffer.from(uniqueName("bad"));
  const entry: ZipEntry = { name: "harmless.class", content: bad };
  const inner = jar(entry);
  const wrapped: Record<string, UploadFile> = {
    "in an archive": jarFile("a.jar", jar(entry)),
    "in an archive, stored": jarFile("a.jar", jar({ ...entry, isStored: true })),
    "in an archive, its size after it": jarFile("a.jar", jar({ ...entry, descriptor: "marked" })),
    "in an archive in an archive": jarFile("a.jar", jar({ name: "libs/b.jar", content: inner })),
    "in an archive in an archive in an archive": jarFile(
      "a.jar",
      zip([{ name: "c.jar", content: jar({ name: "b.jar", content: inner }) }]),
    ),
  };
  const additional: Record<string, UploadFile> = {
    "in a tar archive": { name: "a.tar", bytes: tar([{ name: "b.bin", content: bad }]) },
    "in a packed tar archive": { name: "a.tgz", bytes: gzipSync(tar([{ name: "b.bin", content: bad }])) },
    "packed alone": { name: "a.gz", bytes: gzipSync(bad) },
    "in an archive in a tar archive": { name: "a.tar", bytes: tar([{ name: "b.jar", content: inner }]) },
  };
  return { bad, wrapped, additional };
}

describe("denyHash", () => {
  // This test comes first, because later tests leave denied contents.
  test("refuses 7z archives, which cannot be inspected, as long as any content is denied", async () => {
    const bytes = sevenZip(Buffer.from(uniqueName("packed")), Buffer.from([1, 0]));
    const publishIt = () => publish(jarFile(), { additionalFiles: [{ name: "b.7z", bytes }] });
    expect(await publishIt()).toSucceed();
    const hash = hashOf("sha512", Buffer.from(uniqueName("anything")));
    expect(await deny(hash)).toSucceed();
    const refused = await publishIt();
    expect(refused).toFail(400, "fileRefused");
    expect(refused.body.message).toContain("Upload it as a ZIP file");
    expect(await allow(hash)).toSucceed();
    expect(await publishIt()).toSucceed();
  });

  test.each(["sha1", "sha512"])("by %s refuses a content in every kind of archive", async (algorithm) => {
    const { bad, wrapped, additional } = makeBad();
    const hash = hashOf(algorithm, bad);
    for (const file of Object.values(wrapped)) expect(await publish(file)).toSucceed();
    expect(await deny(hash.toUpperCase())).toSucceed();
    for (const [where, file] of Object.entries(wrapped)) {
      const reply = await publish(file);
      expect(reply, where).toFail(422, "contentDenied");
      expect(reply.body.message, where).toContain("harmless.class");
      expect(await publish(jarFile(), { additionalFiles: [file] }), where).toFail(422, "contentDenied");
    }
    for (const [where, file] of Object.entries(additional))
      expect(await publish(jarFile(), { additionalFiles: [file] }), where).toFail(422, "contentDenied");
    expect(await publish(jarFile("b.jar", jar({ name: "good.class", content: "good" })))).toSucceed();
    expect(await allow(hash)).toSucceed();
    for (const [where, file] of Object.entries(wrapped)) expect(await publish(file), where).toSucceed();
  });

  test.each(["sha1", "sha512"])("by %s refuses a file under any name, and every version with it", async (algorithm) => {
    const bytes = jar();
    const version = await makeOwn();
    await deny(hashOf(algorithm, bytes));
    expect(await publish(jarFile("a.jar", bytes))).toFail(422, "contentDenied");
    expect(await publish(jarFile("innocent.jar", bytes))).toFail(422, "contentDenied");
    const added = await me.call("PATCH", `/api/project/${version.projectId}/version/${version.id}`, {
      body: toForm({ additionalFiles: [jarFile("b.jar", bytes)] }),
    });
    expect(added).toFail(422, "contentDenied");
    expect(await publish(jarFile("c.jar", jar({ name: "inner.jar", content: bytes })))).toFail(422, "contentDenied");
    const { versions } = (await desk.get(`/api/moderation/file/${hashOf("sha512", bytes)}`)).body;
    expect(versions).toEqual([]);
  });

  test("takes effect on every server immediately", async () => {
    const { bad, wrapped } = makeBad();
    const file = wrapped["in an archive"]!;
    // The other server has looked at the list before.
    expect(await publishTo(second.as.user(author), project.id)).toSucceed();
    await deny(hashOf("sha512", bad));
    await expect
      .poll(async () => (await publishTo(second.as.user(author), project.id, { primaryFile: file })).status)
      .toBe(422);
  });

  test("for a stored content applies to both its hashes, and leaves published versions unchanged", async () => {
    const version = await makeOwn();
    const { body } = await deny(version.sha1);
    expect(body.denied).toMatchObject({ sha1: version.sha1, sha512: version.sha512, createdBy: { id: moderator.id } });
    expect(await as.anyone.get(`/api/version/${version.id}`)).toSucceed();
    expect(await deny(version.sha512)).toFail(409, "wrongState");
    expect((await desk.get(`/api/moderation/file/${version.sha512}`)).body.denied).toEqual(body.denied);
    expect(await allow(version.sha512)).toSucceed();
    expect(await allow(version.sha1)).toFail(404, "deniedHashNotFound");
  });

  test("for the empty content refuses no archive, because most archives contain empty files", async () => {
    await deny(hashOf("sha512", Buffer.alloc(0)));
    expect(await publish(jarFile("a.jar", jar({ name: "empty.txt", content: "" }, { name: "folder/" })))).toSucceed();
  });

  test("refuses texts that are not a hash, and is for moderators (getDeniedHashes, allowHash)", async () => {
    for (const body of [
      {},
      { hash: "abc", reason: "x" },
      { hash: "a".repeat(64), reason: "x" },
      { hash: "a".repeat(128) },
      { hash: "a".repeat(128), reason: "" },
    ])
      expect(await desk.post(path, body)).toFail(400, "invalidRequest");
    expect(await me.post(path, { hash: "a".repeat(128), reason: "x" })).toFail(403, "moderatorOnly");
    expect(await me.delete(`${path}/${"a".repeat(128)}`)).toFail(403, "moderatorOnly");
    expect(await me.get("/api/moderation/denied-hashes")).toFail(403, "moderatorOnly");
    expect(await allow("b".repeat(128))).toFail(404, "deniedHashNotFound");
    const hash = hashOf("sha512", Buffer.from(uniqueName()));
    await deny(hash, "The newest");
    const [first] = (await desk.get("/api/moderation/denied-hashes?limit=1")).body;
    expect(first).toMatchObject({ sha512: hash, sha1: null, reason: "The newest" });
  });

  test("happens once when ten are sent in parallel", async () => {
    const hash = hashOf("sha1", Buffer.from(uniqueName()));
    const replies = await Promise.all(Array.from({ length: 10 }, () => deny(hash)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const reply of replies) if (reply.status !== 200) expect(reply).toFail(409, "wrongState");
  });

  test("is added together with a quarantine if requested", async () => {
    const version = await makeOwn();
    const body = { sha512: version.sha512, reason: "Does harm", deny: true };
    expect(await desk.post("/api/moderation/quarantine", body)).toSucceed();
    const found = (await desk.get(`/api/moderation/file/${version.sha1}`)).body;
    expect(found).toMatchObject({ denied: { reason: "Does harm" }, quarantine: { reason: "Does harm" } });
    const nested = jarFile("a.jar", jar({ name: "inner.jar", content: version.bytes }));
    expect(await publish(nested)).toFail(422, "contentDenied");
    // Lifting the quarantine leaves the denied content in place.
    await desk.delete(`/api/moderation/quarantine/${found.quarantine.id}`);
    expect(await as.anyone.get(`/api/version/${version.id}`)).toSucceed();
    expect(await publish(nested)).toFail(422, "contentDenied");
  });
});
