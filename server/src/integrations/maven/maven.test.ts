// Tests the Maven repository with the request sequences of Maven 3.8 and Gradle, recorded while they resolved these
// artifacts.
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { counterOf } from "#content/downloads/counters.js";
import { write } from "#platform/changes/write.js";
import type { Tables } from "#platform/db/tables.js";
import type { Actor } from "#test/callers/actors.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { makeProject, setProject } from "#test/worlds/content.js";
import { makeVersion, type TestVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make, clock, resources } = world;
const author = await make.user();
const token = await make.token(author, { scopes: ["version_read"] });
const withPassword = as.anyone.with({
  authorization: `Basic ${Buffer.from(`any:${token.value}`).toString("base64")}`,
});
const step = () => clock.advance(1000);
const base = "/maven/maven/modshelf";

const digest = (kind: string, bytes: string | Buffer) => createHash(kind).update(bytes).digest("hex");

const setVersion = (projectId: string, id: string, change: Partial<Tables["versions"]>) =>
  write(resources, {}, async (tx) => {
    await tx.db.updateTable("versions").set(change).where("id", "=", id).execute();
    tx.changed("project", projectId);
  });

/** A library, a mod that depends on it, and a private project that depends on the mod, as in the recordings. */
async function makeChain() {
  const [lib, mod, secret] = [uniqueName("lib"), uniqueName("mod"), uniqueName("secret")];
  const library = await makeProject(world, author, { slug: lib });
  const libOne = await makeVersion(world, author, library.id, { versionNumber: "1.0.0" });
  step();
  const libTwo = await makeVersion(world, author, library.id, { versionNumber: "1.1.0", channel: "beta" });
  step();
  const dependsOn = (projectId: string) => [{ projectId, versionId: null, type: "required" as const }];
  const middle = await makeProject(world, author, { slug: mod, name: "Mod <B> & 'friends'" });
  const modVersion = await makeVersion(world, author, middle.id, {
    versionNumber: "2.0.0+0.4.8",
    dependencies: dependsOn(library.id),
  });
  const hidden = await makeProject(world, author, { slug: secret, visibility: "private" });
  const secretVersion = await makeVersion(world, author, hidden.id, {
    versionNumber: "3.0.0",
    dependencies: dependsOn(middle.id),
  });
  return { lib, mod, secret, library, middle, hidden, libOne, libTwo, modVersion, secretVersion };
}
const chain = await makeChain();

describe("getMavenFile", () => {
  test("answers all requests of Maven when it resolves an artifact with its dependency", async () => {
    const { lib, mod, libOne, modVersion } = chain;
    const [modPath, libPath] = [`${base}/${mod}/2.0.0+0.4.8/${mod}-2.0.0+0.4.8`, `${base}/${lib}/1.0.0/${lib}-1.0.0`];
    for (const [path, bytes] of [
      [`${modPath}.pom`, undefined],
      [`${libPath}.pom`, undefined],
      [`${modPath}.jar`, modVersion.bytes],
      [`${libPath}.jar`, libOne.bytes],
    ] as const) {
      const reply = await as.anyone.get(path, { headers: { "cache-control": "no-cache", pragma: "no-cache" } });
      expect(reply.status, path).toBe(200);
      if (bytes) expect(reply.bytes.equals(bytes), path).toBe(true);
      const sum = await as.anyone.get(`${path}.sha1`);
      expect(sum.text, path).toBe(digest("sha1", reply.bytes));
      expect(sum.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    }
    const pom = (await as.anyone.get(`${modPath}.pom`)).text;
    expect(pom).toContain("<name>Mod &lt;B&gt; &amp; &#39;friends&#39;</name>");
    expect(pom).toContain(
      `<artifactId>${mod}</artifactId>\n  <version>2.0.0+0.4.8</version>\n  <packaging>jar</packaging>`,
    );
    // A release depends on a release, although a newer beta existed.
    expect(pom).toContain(`<artifactId>${lib}</artifactId>\n      <version>1.0.0</version>`);
  });

  test("challenges callers who cannot see a project, accepts a token as the password, and then answers", async () => {
    const { secret, mod, secretVersion } = chain;
    const path = `${base}/${secret}/3.0.0/${secret}-3.0.0`;
    for (const ending of [".pom", ".pom.sha1", ".jar", ".jar.sha1"]) {
      const refused = await as.anyone.get(path + ending);
      expect(refused).toFail(401, "artifactHidden");
      // Only one scheme: with more in one header, the client of Maven and Gradle sends nothing.
      expect(refused.headers.get("www-authenticate")).toBe('Basic realm="modshelf"');
      expect((await withPassword.get(path + ending)).status, ending).toBe(200);
    }
    expect((await withPassword.get(`${path}.jar`)).bytes.equals(secretVersion.bytes)).toBe(true);
    expect((await withPassword.get(`${path}.pom`)).text).toContain(`<artifactId>${mod}</artifactId>`);
    expect((await withPassword.get(`${path}.jar`)).headers.get("cache-control")).toBe("private, no-store");
    const wrong = as.anyone.with({ authorization: `Basic ${Buffer.from("any:wrong").toString("base64")}` });
    expect(await wrong.get(`${path}.pom`)).toFail(401, "credentialInvalid");
  });

  test("sends no challenge if nothing can be hidden: Gradle would not try its next repository", async () => {
    const { lib } = chain;
    for (const path of [
      "/maven/junit/junit/4.12/junit-4.12.pom",
      "/maven/archetype-catalog.xml",
      `${base}/maven-metadata.xml`,
      `${base}/${lib}/9.9.9/${lib}-9.9.9.pom`,
      `${base}/${lib}/1.0.0/${lib}-1.0.0-sources.jar`,
      `${base}/${lib}/1.0.0/${lib}-1.0.0.module`,
      `${base}/${lib}/1.0.0/maven-metadata.xml`,
    ]) {
      expect(await as.anyone.get(path), path).toFail(404, "artifactNotFound");
      expect((await as.anyone.head(path)).status, path).toBe(404);
    }
  });

  test("answers exact names only", async () => {
    const { lib, libOne, library } = chain;
    const found = async (path: string) => (await as.anyone.get(`${base}/${path}`)).status === 200;
    // The version's coordinates, by slug or id; the file's own name.
    for (const path of [
      `${lib}/1.0.0/${lib}-1.0.0.jar`,
      `${library.id}/${libOne.id}/${library.id}-${libOne.id}.jar`,
      `${library.id}/${libOne.id}/${library.id}-${libOne.id}.pom`,
      `${lib}/1.0.0/file-1.0.0.jar`,
    ])
      expect(await found(path), path).toBe(true);
    for (const path of [
      `${lib}/1.0.0/anything.jar`,
      `${lib}/1.0.0/anything.pom`,
      `${lib}/1.0.0/${lib}-1.0.0.zip`,
      `${lib}/1.0.0/${lib}-1.0.1.jar`,
      `${lib}/1.0.0/${lib}-1.0.0.JAR`,
      `${lib}/1.0.0/${lib}-1.0.0.jar.asc`,
      `${lib}/1.0.0/${lib}-1.0.0.jar.sha1.sha1`,
      `${lib}/latest/${lib}-latest.jar`,
      `${lib}/1.0.0-SNAPSHOT/${lib}-1.0.0-SNAPSHOT.jar`,
      `${lib}/maven-metadata.xml.asc`,
    ])
      expect(await found(path), path).toBe(false);
  });

  test("finds additional files under their own names and by classifier", async () => {
    const slug = uniqueName("classified");
    const project = await makeProject(world, author, { slug });
    const additional = ["mine-sources.jar", "mine-a-dev.jar", "mine-b-dev.jar"].map((name) => ({
      name,
      bytes: Buffer.from(`${name} of ${slug}`),
    }));
    await makeVersion(world, author, project.id, { versionNumber: "1.0", fileName: "mine.jar", additional });
    const text = async (file: string) => (await as.anyone.get(`${base}/${slug}/1.0/${file}`)).text;
    expect(await text(`${slug}-1.0-sources.jar`)).toBe(`mine-sources.jar of ${slug}`);
    expect(await text("mine-a-dev.jar")).toBe(`mine-a-dev.jar of ${slug}`);
    // The name is ambiguous.
    expect(await text(`${slug}-1.0-dev.jar`)).toContain("artifactNotFound");
    expect(await text(`${slug}-1.0-.jar`)).toContain("artifactNotFound");
  });

  test("gives every checksum of every file, stored or not", async () => {
    const { lib } = chain;
    for (const file of ["maven-metadata.xml", `1.0.0/${lib}-1.0.0.pom`, `1.0.0/${lib}-1.0.0.jar`]) {
      const { bytes } = await as.anyone.get(`${base}/${lib}/${file}`);
      // Each twice: the second time from the cache.
      for (const kind of ["md5", "sha1", "sha256", "sha512", "md5", "sha256"])
        expect((await as.anyone.get(`${base}/${lib}/${file}.${kind}`)).text, kind).toBe(digest(kind, bytes));
    }
    const jar = await as.anyone.head(`${base}/${lib}/1.0.0/${lib}-1.0.0.jar`);
    expect(jar.headers.get("x-checksum-sha1")).toBe(chain.libOne.sha1);
  });

  test("lists versions oldest first; latest is the newest, release the newest release, and neither is a withdrawn version", async () => {
    const slug = uniqueName("listed");
    const project = await makeProject(world, author, { slug });
    const metadata = () => as.anyone.get(`${base}/${slug}/maven-metadata.xml`);
    expect(await metadata()).toFail(404, "artifactNotFound");
    const shown = async () => {
      const { text } = await metadata();
      const all = (name: string) => [...text.matchAll(new RegExp(`<${name}>([^<]*)<`, "g"))].map(([, value]) => value);
      return [all("latest"), all("release"), all("version")];
    };
    await makeVersion(world, author, project.id, { versionNumber: "1.0-Beta", channel: "beta" });
    expect(await shown()).toEqual([["1.0-beta"], ["1.0-beta"], ["1.0-beta"]]);
    step();
    const release = await makeVersion(world, author, project.id, { versionNumber: "1.0" });
    step();
    await makeVersion(world, author, project.id, { versionNumber: "1.1-alpha", channel: "alpha" });
    expect(await shown()).toEqual([["1.1-alpha"], ["1.0"], ["1.0-beta", "1.0", "1.1-alpha"]]);
    await setVersion(project.id, release.id, { date_yanked: 1 });
    expect(await shown()).toEqual([["1.1-alpha"], ["1.1-alpha"], ["1.0-beta", "1.1-alpha"]]);
    // It is still available by name: builds that use it must not break.
    expect((await as.anyone.get(`${base}/${slug}/1.0/${slug}-1.0.jar`)).status).toBe(200);
  });

  test("names dependencies that the caller can see, with their pins and optional ones marked, and no others", async () => {
    const names = ["pinned", "free", "choice", "inside", "enemy", "hidden"].map((name) => uniqueName(name));
    const projects = await Promise.all(
      names.map((slug, at) =>
        makeProject(world, author, { slug, ...(at === 5 && { visibility: "private" as const }) }),
      ),
    );
    const versions: TestVersion[] = [];
    for (const { id } of projects) versions.push(await makeVersion(world, author, id, { versionNumber: "1.0" }));
    step();
    for (const { id } of projects)
      await makeVersion(world, author, id, { versionNumber: "2.0", gameVersions: ["0.4.5"] });
    step();
    const slug = uniqueName("dependent");
    const project = await makeProject(world, author, { slug });
    const types = ["required", "required", "optional", "embedded", "incompatible", "required"] as const;
    await makeVersion(world, author, project.id, {
      versionNumber: "1.0",
      dependencies: projects.map(({ id }, at) => ({
        projectId: id,
        versionId: at === 0 ? versions[0]!.id : null,
        type: types[at]!,
      })),
    });
    step();
    // Later versions change nothing: a build gets the same result every time.
    for (const { id } of projects) await makeVersion(world, author, id, { versionNumber: "3.0" });
    const pomFor = async (actor: Actor) => (await actor.get(`${base}/${slug}/1.0/${slug}-1.0.pom`)).text;
    const dependencies = async (actor: Actor) =>
      [...(await pomFor(actor)).matchAll(/<dependency>.*?<\/dependency>/gs)].map(([text]) => [
        names.indexOf(/<artifactId>(.*?)</.exec(text)![1]!),
        /<version>(.*?)</.exec(text)![1],
        text.includes("<optional>true</optional>"),
      ]);
    expect((await dependencies(as.anyone)).sort()).toEqual([
      [0, "1.0", false],
      [1, "1.0", false],
      [2, "1.0", true],
    ]);
    expect((await dependencies(withPassword)).sort()).toEqual([
      [0, "1.0", false],
      [1, "1.0", false],
      [2, "1.0", true],
      [5, "1.0", false],
    ]);
  });

  test("sends ranges, answers HEAD and conditional requests, and counts a download once", async () => {
    const slug = uniqueName("counted");
    const project = await makeProject(world, author, { slug });
    const version = await makeVersion(world, author, project.id, { versionNumber: "1.0" });
    const path = `${base}/${slug}/1.0/${slug}-1.0.jar`;
    const count = async () => {
      await counterOf(resources).flush();
      return (await as.anyone.get(`/api/project/${slug}`)).body.project.downloads;
    };
    const head = await as.anyone.head(path);
    expect([head.status, head.headers.get("content-length"), head.bytes.length]).toEqual([200, "64", 0]);
    expect((await as.anyone.get(`${path}.sha1`)).text).toBe(version.sha1);
    await as.anyone.get(`${path}.md5`);
    await as.anyone.get(path.replace(".jar", ".pom"));
    expect(await count()).toBe(0);
    expect((await as.anyone.get(path)).bytes.equals(version.bytes)).toBe(true);
    const part = await as.anyone.get(path, { headers: { range: "bytes=10-19" } });
    expect([part.status, part.bytes.equals(version.bytes.subarray(10, 20))]).toEqual([206, true]);
    await as.anyone.get(path);
    expect(await count()).toBe(1);
    for (const each of [path, path.replace(".jar", ".pom"), `${base}/${slug}/maven-metadata.xml`]) {
      const etag = (await as.anyone.get(each)).headers.get("etag")!;
      expect((await as.anyone.get(each, { headers: { "if-none-match": etag } })).status).toBe(304);
    }
  });

  test("has no files of a quarantined version, and rejects paths that lead elsewhere", async () => {
    const slug = uniqueName("plain");
    const project = await makeProject(world, author, { slug });
    await makeVersion(world, author, project.id, { versionNumber: "1.0" });
    step();
    const held = await makeVersion(world, author, project.id, { versionNumber: "1.1" });
    expect((await as.anyone.get(`${base}/${slug}/1.1/${slug}-1.1.jar`)).status).toBe(200);
    await setVersion(project.id, held.id, { date_quarantined: 1 });
    for (const ending of [".jar", ".pom", ".jar.sha1"])
      expect(await withPassword.get(`${base}/${slug}/1.1/${slug}-1.1${ending}`)).toFail(404, "artifactNotFound");
    expect((await as.anyone.get(`${base}/${slug}/maven-metadata.xml`)).text).not.toContain("1.1");
    for (const path of [
      `${base}%2f${slug}%2fmaven-metadata.xml`,
      `/maven/maven%2fmodshelf/${slug}/maven-metadata.xml`,
      `${base}/${slug.toUpperCase()}/maven-metadata.xml`,
    ])
      expect((await as.anyone.get(path)).status, path).toBe(200);
    for (const [path, status] of [
      [`${base}/${slug}/1.0/..%2f..%2f..%2fetc%2fpasswd`, 404],
      [`${base}/${slug}/1.0/%00`, 400],
      [`${base}/${slug}/1.0/..%5c..%5cx`, 400],
      [`${base}/${"x".repeat(600)}`, 400],
      ["/maven/", 404],
      ["/maven", 404],
    ] as const)
      expect((await as.anyone.get(path)).status, path).toBe(status);
    expect(await as.anyone.put(`${base}/${slug}/1.0/${slug}-1.0.jar`, {})).toFail(405, "methodNotAllowed");
  });

  test("hides a project in all its parts, with the same refusal as for a missing one", async () => {
    const { secret, hidden } = chain;
    const essence = ({ status, text, headers }: Awaited<ReturnType<typeof as.anyone.get>>) => ({
      status,
      text: text.replace(/"requestId":"\w+"/, ""),
      challenge: headers.get("www-authenticate"),
    });
    const stranger = as.user(await make.user());
    for (const actor of [as.anyone, stranger])
      for (const rest of [
        "maven-metadata.xml",
        "maven-metadata.xml.md5",
        "3.0.0/X-3.0.0.jar",
        "3.0.0/X-3.0.0.pom.sha512",
      ])
        for (const ref of [secret, hidden.id]) {
          const ask = async (name: string) => essence(await actor.get(`${base}/${name}/${rest.replace("X", name)}`));
          expect(await ask(ref), rest).toEqual(await ask("never-was"));
        }
    await setProject(world, hidden.id, { visibility: "unlisted" });
    expect((await as.anyone.get(`${base}/${secret}/maven-metadata.xml`)).status).toBe(200);
  });
});

test("the group is a setting", async () => {
  const other = await testApp({ settings: { MODSHELF_MAVEN_GROUP: "org.example.my-mods" } });
  const owner = await other.make.user();
  const { slug, id } = await makeProject(other, owner);
  await makeVersion(other, owner, id, { versionNumber: "1.0" });
  const { text } = await other.as.anyone.get(`/maven/org/example/my-mods/${slug}/maven-metadata.xml`);
  expect(text).toContain("<groupId>org.example.my-mods</groupId>");
  expect(await other.as.anyone.get(`${base}/${slug}/maven-metadata.xml`)).toFail(404, "artifactNotFound");
  await other.stop();
});
