// Publish scripts, request by request: they read the game versions, then send a version as a form that their tool
// wrote.
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { zip } from "#test/files/archives.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { type Part, type Tool, tools, writeForm } from "./tools.js";
import { type HeaderLine, send } from "./wire.js";
import { conformanceWorld } from "./world.js";

const world = await conformanceWorld();
const { as, make, origin, resources } = world;
const author = await make.user();
const project = await makeProject({ resources }, author);
const { value: token } = await make.token(author, { scopes: ["version_create"] });

const credentials: [string, HeaderLine][] = [
  ["the session cookie", ["Cookie", `auth-token=${author.sessionToken}`]],
  ["a bare PAT", ["Authorization", token]],
  ["a PAT as Bearer", ["Authorization", `Bearer ${token}`]],
  ["a PAT in the place of the session cookie", ["Cookie", `auth-token=${token}`]],
];

const jar = (): Buffer =>
  zip([
    { name: "META-INF/MANIFEST.MF", content: "Manifest-Version: 1.0\r\n\r\n" },
    { name: "lamps/Lamp.class", content: uniqueName("bytecode").repeat(200) },
  ]);

/** In the order of the scripts. */
const textParts = (versionNumber: string, gameVersion: string): Part[] => [
  { name: "title", value: `Lämpchen ${versionNumber}` },
  { name: "changelog", value: "- größer\r\n- schöner ✨\r\n" },
  { name: "featured", value: "false" },
  { name: "releaseChannel", value: "beta" },
  { name: "versionNumber", value: versionNumber },
  { name: "loaders", value: '["quilt"]' },
  { name: "gameVersions", value: JSON.stringify([gameVersion]) },
];

const post = (tool: Tool, credential: HeaderLine, parts: readonly Part[]) => {
  const { contentType, body } = writeForm(tool, parts);
  const headers = [...tool.headers, credential, contentType];
  return send(origin, { method: "POST", path: `/api/project/${project.slug}/version`, headers, body });
};

async function newestGameVersion(tool: Tool): Promise<string> {
  const headers = tool.headers.filter(([name]) => name !== "Expect");
  const { status, body } = await send(origin, { path: "/api/tags/game-versions", headers });
  expect(status).toBe(200);
  for (const item of body)
    expect(item).toMatchObject({ value: expect.stringMatching(/./), releaseType: expect.stringMatching(/./) });
  const values: string[] = body.map((item: { value: string }) => item.value);
  const [newer, older] = [values.indexOf("0.4.10"), values.indexOf("0.4.9")];
  expect(0 <= newer && newer < older).toBe(true);
  return values[0]!;
}

describe("the earlier service's own publish script, which names its own site as Origin", () => {
  const node = tools.find(({ name }) => name.includes("undici"))!;
  const foreign: HeaderLine = ["origin", "https://earlier-registry.example"];
  const tool = { ...node, headers: [...node.headers, foreign] };
  const publish = async (server: string, cookie: string) => {
    const number = uniqueName("5.0");
    const { contentType, body } = writeForm(tool, [
      ...textParts(number, await newestGameVersion(tool)),
      { name: "primaryFile", value: jar(), fileName: `lamps-${number}.jar` },
    ]);
    const headers: HeaderLine[] = [...tool.headers, ["cookie", `auth-token=${cookie}`], contentType];
    return send(server, { method: "POST", path: `/api/project/${project.slug}/version`, headers, body });
  };

  test("publishes with an access token in place of its cookie", async () => {
    const reply = await publish(origin, token);
    expect(reply).toSucceed();
    expect(reply.body).toMatchObject({ success: true, message: expect.any(String), slug: expect.any(String) });
  });

  test("is refused with a session, unless the operator trusts that origin", async () => {
    expect(await publish(origin, author.sessionToken)).toFail(403, "originRefused");
    const trusting = await testApp({ sharedWith: world, settings: { MODSHELF_CORS_ORIGINS: foreign[1] } });
    expect(await publish(trusting.origin, author.sessionToken)).toSucceed();
    await trusting.stop();
  });
});

describe.each(tools)("a publish script on $name", (tool) => {
  test.each(credentials)("createVersion after getGameVersions, with %s", async (_name, credential) => {
    const gameVersion = await newestGameVersion(tool);
    const versionNumber = uniqueName("2.0");
    const bytes = jar();
    const primaryFile: Part = { name: "primaryFile", value: bytes, fileName: `lamps-${versionNumber}.jar` };
    const reply = await post(tool, credential, [...textParts(versionNumber, gameVersion), primaryFile]);
    expect(reply).toSucceed();
    expect(reply.body).toMatchObject({ success: true, message: expect.stringMatching(/./), slug: versionNumber });
    const { data } = (await as.anyone.get(`/api/project/${project.slug}/version/${reply.body.slug}`)).body;
    expect(data).toMatchObject({
      title: `Lämpchen ${versionNumber}`,
      changelog: "- größer\r\n- schöner ✨\r\n",
      featured: false,
      releaseChannel: "beta",
      versionNumber,
      loaders: ["quilt"],
      gameVersions: [gameVersion],
      dependencies: [],
      author: { id: author.id },
    });
    expect(data.files).toEqual([data.primaryFile]);
    expect(data.primaryFile).toMatchObject({
      name: `lamps-${versionNumber}.jar`,
      type: "jar",
      size: bytes.length,
      sha512_hash: createHash("sha512").update(bytes).digest("hex"),
    });
    const file = await as.anyone.get(`/api/project/${project.slug}/version/${reply.body.slug}/primary-file`);
    expect(file.bytes.equals(bytes)).toBe(true);
  });

  test("createVersion with dependencies and additional files", async () => {
    const target = await makeProject({ resources }, author);
    const versionNumber = uniqueName("3.0");
    const [primary, sources, docs] = [jar(), jar(), jar()];
    const reply = await post(tool, credentials[0]![1], [
      ...textParts(versionNumber, "0.4.8"),
      {
        name: "dependencies",
        value: JSON.stringify([{ projectId: target.id, versionId: null, dependencyType: "required" }]),
      },
      { name: "primaryFile", value: primary, fileName: "lamps.jar" },
      { name: "additionalFiles", value: sources, fileName: "lamps-sources.jar" },
      { name: "additionalFiles", value: docs, fileName: "lamps-javadoc.jar" },
    ]);
    expect(reply).toSucceed();
    const { data } = reply.body;
    expect(data.files.map((file: { name: string }) => file.name)).toEqual([
      "lamps.jar",
      "lamps-javadoc.jar",
      "lamps-sources.jar",
    ]);
    expect(data.dependencies).toEqual([{ projectId: target.id, versionId: null, dependencyType: "required" }]);
  });

  test("gets a message about the problem, and nothing is published", async () => {
    const versions = async () => (await as.anyone.get(`/api/project/${project.slug}/version`)).body.data.length;
    const before = await versions();
    const parts = textParts(uniqueName("4.0"), "0.4.8");
    const file: Part = { name: "primaryFile", value: Buffer.from("not a jar"), fileName: "lamps.jar" };
    const refused = [
      await post(tool, credentials[0]![1], parts),
      await post(tool, credentials[1]![1], [...parts, file]),
      await post(tool, ["Cookie", "auth-token=mss_expired"], [...parts, { ...file, value: jar() }]),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 401]);
    for (const { body } of refused)
      expect(body).toMatchObject({ success: false, message: expect.stringMatching(/\w+ \w+/) });
    expect(await versions()).toBe(before);
  });
});
