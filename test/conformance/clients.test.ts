// Programs that were written for this interface, request by request: launchers, the browser tool and the shell script.
// Maven is tested with the repository.
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Reply } from "#test/callers/actors.js";
import { testApp } from "#test/server/harness.js";
import { startS3 } from "#test/setup/s3.js";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { fieldRows } from "./fields.js";
import { fits } from "./shape-check.js";
import { type HeaderLine, send, type WireRequest } from "./wire.js";
import { cdnUrl, conformanceWorld } from "./world.js";

const world = await conformanceWorld();
const { make, clock } = world;
const author = await make.user();
const project = await makeProject(world, author, { description: "# Lamps" });
const quilt = await makeVersion(world, author, project.id, { fileName: "lamps-1.0.jar", featured: true });
clock.advance(1000);
const puzzle = await makeVersion(world, author, project.id, { fileName: "lamps-2.0.jar", loaders: ["puzzle_loader"] });
const versionless = await makeProject(world, author);
const hidden = await makeProject(world, author, { status: "draft" });

const client =
  (...headers: HeaderLine[]) =>
  (path: string, more: readonly HeaderLine[] = [], rest: Partial<WireRequest> = {}): Promise<Reply> =>
    send(world.origin, { path, headers: [...headers, ...more], ...rest });

describe("the shell script that keeps a session alive", () => {
  const curl = client(["User-Agent", "curl/8.5.0"], ["Accept", "*/*"]);

  test("recognizes by success:false, as text, whether getMe accepted its cookie", async () => {
    const good = await curl("/api/auth/me", [["Cookie", `auth-token=${author.sessionToken}`]]);
    expect([good.status, good.body.userName]).toEqual([200, author.userName]);
    expect(good.text).not.toContain('"success"');
    for (const cookie of ["auth-token=mss_expired", "auth-token=", "theme=dark"]) {
      const bad = await curl("/api/auth/me", [["Cookie", cookie]]);
      expect(bad.status).toBe(401);
      expect(bad.text).toContain('"success":false');
    }
  });
});

describe("the Java launcher", () => {
  const gson = client(
    ["User-Agent", "Apache-HttpClient/5.3.1 (Java/17.0.10)"],
    ["Accept-Encoding", "gzip, x-gzip, deflate"],
    ["Connection", "keep-alive"],
  );
  /** Without strings: the rest of the text is structure, keywords and numbers. */
  const numbersOf = (text: string): string[] =>
    text.replace(/"(?:[^"\\]|\\.)*"/g, "").match(/-?[\d.]+(?:[eE][-+]?\d+)?/g) ?? [];
  const hasNoHoles = (
    resource: "Project" | "ProjectListItem" | "ProjectVersionData",
    value: Record<string, unknown>,
  ) => {
    for (const [field, type] of fieldRows(resource))
      if (field in value) expect(fits(type, value[field]), field).toBe(true);
  };

  test("reads getProject with its versions: integers for numbers, lists that are never null", async () => {
    const reply = await gson(`/api/project/${project.slug}?includeVersions=true&featuredOnly=false`);
    expect(reply.body.project.versions).toHaveLength(2);
    hasNoHoles("Project", reply.body.project);
    for (const version of reply.body.project.versions) hasNoHoles("ProjectVersionData", version);
    expect(numbersOf(reply.text).length).toBeGreaterThan(5);
    expect(numbersOf(reply.text).filter((number) => !/^-?\d+$/.test(number))).toEqual([]);
    const featured = await gson(`/api/project/${project.id}?includeVersions=true&featuredOnly=true`);
    expect(featured.body.project.versions.map((version: { id: string }) => version.id)).toEqual([quilt.id]);
    const bare = (await gson(`/api/project/${versionless.slug}?includeVersions=true&featuredOnly=false`)).body.project;
    hasNoHoles("Project", bare);
    for (const list of ["versions", "categories", "featuredCategories", "loaders", "gameVersions", "gallery"])
      expect(bare[list], list).toEqual([]);
  });

  test("reads searchProjects: integers for numbers, lists that are never null", async () => {
    const reply = await gson("/api/search?type=mod&sortby=recently_updated&limit=5&page=1&q=sample");
    expect(reply.body).toMatchObject({ query: "sample", limit: 5, offset: 0, estimatedTotalHits: 2 });
    const ids = reply.body.hits.map((hit: { id: string }) => hit.id);
    expect(ids.sort()).toEqual([project.id, versionless.id].sort());
    for (const hit of reply.body.hits) hasNoHoles("ProjectListItem", hit);
    expect(numbersOf(reply.text).filter((number) => !/^-?\d+$/.test(number))).toEqual([]);
    const beyond = await gson("/api/search?type=mod&sortby=downloads&limit=5&page=9&q=");
    expect(beyond.body).toMatchObject({ hits: [], offset: 40, estimatedTotalHits: 2 });
  });

  test("reads getVersions and getLatestVersion for its loader", async () => {
    const { data } = (await gson(`/api/project/${project.slug}/version`)).body;
    for (const version of data) hasNoHoles("ProjectVersionData", version);
    const latest = await gson(`/api/project/${project.slug}/version/latest?loader=quilt`);
    expect(latest.body.data).toEqual(data[1]);
    expect(await gson(`/api/project/${project.slug}/version/latest?loader=paradox`)).toFail(404, "versionNotFound");
  });

  test.each(["application/json", "application/json; charset=UTF-8"])(
    "sends all its files to getUpdatesByHashes together (%s)",
    async (contentType) => {
      const unknown = "ab".repeat(64);
      const hashes = [quilt.sha512, puzzle.sha512, unknown];
      const body = Buffer.from(
        JSON.stringify({ algorithm: "sha512", hashes, gameVersions: ["0.4.8"], loader: "quilt" }),
      );
      const reply = await gson("/api/version-files/update", [["Content-Type", contentType]], { method: "POST", body });
      expect(Object.keys(reply.body)).toEqual([quilt.sha512, puzzle.sha512]);
      for (const version of Object.values(reply.body)) {
        expect(version).toMatchObject({ id: quilt.id });
        hasNoHoles("ProjectVersionData", version as Record<string, unknown>);
      }
    },
  );

  test("downloads a file in parts that fit together to its size and hash", async () => {
    const { primaryFile } = (await gson(`/api/project/${project.slug}/version/latest`)).body.data;
    for (const path of [
      new URL(primaryFile.url).pathname,
      `/api/project/${project.slug}/version/latest/primary-file`,
      `/api/project/${project.slug}/version/latest/${primaryFile.name}`,
    ]) {
      const first = await gson(path, [["Range", "bytes=0-19"]]);
      const rest = await gson(path, [["Range", "bytes=20-"]]);
      expect([first.status, first.headers.get("content-range")]).toEqual([206, `bytes 0-19/${primaryFile.size}`]);
      expect([rest.status, rest.headers.get("content-length")]).toEqual([206, `${primaryFile.size - 20}`]);
      const whole = Buffer.concat([first.bytes, rest.bytes]);
      expect(whole).toHaveLength(primaryFile.size);
      expect(createHash("sha512").update(whole).digest("hex")).toBe(primaryFile.sha512_hash);
    }
  });
});

describe("the Dart launcher", () => {
  const dart = client(["user-agent", "Dart/3.3 (dart:io)"], ["accept-encoding", "gzip"], ["content-length", "0"]);

  test("finds a key for every visible project in getProjectsVersions, and may add keys", async () => {
    const ids = [project.id, versionless.id, hidden.id, "AAAAAAAA"].join(",");
    for (const more of [
      "",
      "&platform=windows&t=1718000000",
      "&gameVersion=&loader=&releaseChannel=",
      "&limit_total=5",
    ]) {
      const { body } = await dart(`/api/projects/versions?ids=${ids}&limit=1${more}`);
      expect(Object.keys(body), more).toEqual([project.id, versionless.id]);
      expect(body[project.id].map((version: { id: string }) => version.id)).toEqual([puzzle.id]);
      expect(body[versionless.id]).toEqual([]);
    }
  });

  test("takes the file name after the last filename= of downloadPrimaryFile", async () => {
    const reply = await dart(`/api/project/${project.slug}/version/latest/primary-file?loader=quilt`);
    const disposition = reply.headers.get("content-disposition")!;
    expect(disposition.split("filename=").at(-1)!.replaceAll('"', "")).toBe("lamps-1.0.jar");
    expect(reply.bytes.equals(quilt.bytes)).toBe(true);
    // It shows a progress bar up to this number, and would unpack compressed bytes.
    expect(reply.headers.get("content-length")).toBe(String(quilt.bytes.length));
    expect(reply.headers.get("content-encoding")).toBeNull();
  });
});

describe("the browser tool on another site", () => {
  const primaryFile = `/api/project/${project.slug}/version/latest/primary-file`;
  const contentFile = `/cdn/data/project/${project.id}/version/${puzzle.id}/lamps-2.0.jar`;
  const hops = [
    "/api/search?q=sample",
    `/api/project/${project.slug}`,
    `/api/project/${project.slug}/version/latest`,
    primaryFile,
    contentFile,
  ];
  const origins = ["https://tool.example", "null"];
  const browser = (origin: string) =>
    client(
      ["User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0"],
      ["Accept", "*/*"],
      ["Accept-Encoding", "gzip, deflate, br, zstd"],
      ["Origin", origin],
      ["Sec-Fetch-Dest", "empty"],
      ["Sec-Fetch-Mode", "cors"],
      ["Sec-Fetch-Site", "cross-site"],
    );
  const allows = (reply: Reply) => {
    expect(reply.headers.get("access-control-allow-origin")).toBe("*");
    expect(reply.headers.get("access-control-allow-credentials")).toBeNull();
  };
  const listed = (reply: Reply, name: string): string[] =>
    (reply.headers.get(name) ?? "")
      .toLowerCase()
      .split(",")
      .map((item) => item.trim());

  test.each(origins)("from origin %s may read every redirect and answer, including refusals", async (origin) => {
    const page = browser(origin);
    for (const path of hops) {
      const reply = await page(path);
      expect(reply, path).toSucceed();
      allows(reply);
      expect(listed(reply, "access-control-expose-headers")).toEqual(
        expect.arrayContaining(["content-disposition", "etag", "retry-after", "ratelimit", "ratelimit-policy"]),
      );
      const again = await page(path, [["If-None-Match", reply.headers.get("etag")!]]);
      expect(again.status, path).toBe(304);
      allows(again);
    }
    expect((await page(primaryFile)).bytes.equals(puzzle.bytes)).toBe(true);
    const part = await page(primaryFile, [["Range", "bytes=0-9"]]);
    expect(part.status).toBe(206);
    allows(part);
    expect((await page(contentFile)).headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    for (const path of [
      "/api/project/no-such",
      `/api/project/${project.slug}/version/latest/primary-file?loader=none`,
    ]) {
      const refusal = await page(path);
      expect(refusal).toFail(404);
      allows(refusal);
    }
  });

  test.each(origins)("from origin %s may send a preflight, with headers that need one", async (origin) => {
    for (const path of [...hops, "/api/version-files/update"]) {
      const method = path.startsWith("/api/version-files") ? "POST" : "GET";
      const reply = await browser(origin)(
        path,
        [
          ["Access-Control-Request-Method", method],
          ["Access-Control-Request-Headers", "authorization,content-type,if-none-match,range"],
        ],
        { method: "OPTIONS" },
      );
      expect([reply.status, reply.bytes.length], path).toEqual([204, 0]);
      allows(reply);
      expect(listed(reply, "access-control-allow-methods")).toContain(method.toLowerCase());
      expect(listed(reply, "access-control-allow-headers")).toEqual(
        expect.arrayContaining(["authorization", "content-type", "if-none-match", "range"]),
      );
    }
  });

  test("may not act as a signed-in visitor", async () => {
    const cookie: HeaderLine = ["Cookie", `auth-token=${author.sessionToken}`];
    const reply = await browser("https://tool.example")(
      "/api/project",
      [cookie, ["Content-Type", "application/json"]],
      {
        method: "POST",
        body: Buffer.from("{}"),
      },
    );
    expect(reply).toFail(403, "originRefused");
    expect(reply.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("may follow a redirect if the file store answers downloads itself", async () => {
    const s3 = await startS3();
    const remote = await testApp({
      settings: {
        MODSHELF_CDN_URL: cdnUrl,
        MODSHELF_STORAGE_URL: `s3://${s3.bucket}?endpoint=${s3.endpoint}&region=${s3.region}`,
        MODSHELF_S3_ACCESS_KEY_ID: s3.accessKeyId,
        MODSHELF_S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
        MODSHELF_S3_REDIRECTS: "on",
      },
    });
    try {
      const owner = await remote.make.user();
      const { id } = await makeProject(remote, owner);
      const { bytes } = await makeVersion(remote, owner, id);
      const hop = await send(remote.origin, {
        path: `/api/project/${id}/version/latest/primary-file`,
        headers: [["Origin", "https://tool.example"]],
      });
      expect(hop.status).toBe(302);
      allows(hop);
      const stored = await fetch(hop.headers.get("location")!);
      expect(Buffer.from(await stored.arrayBuffer()).equals(bytes)).toBe(true);
    } finally {
      await remote.stop();
      await s3.stop();
    }
  });
});

describe("no program is refused for its name", () => {
  const agents: [string, HeaderLine[]][] = [
    ...[
      "curl/8.5.0",
      "Wget/1.21.4",
      "Apache-HttpClient/4.5.14 (Java/21.0.2)",
      "okhttp/4.12.0",
      "Java-http-client/17.0.10",
      "Java/1.8.0_392",
      "Dart/3.3 (dart:io)",
      "python-requests/2.31.0",
      "Go-http-client/1.1",
      "axios/1.7.2",
      "node",
      "Gradle/8.7 (Linux;6.5.0;amd64) (Eclipse Adoptium;21.0.2)",
      "Apache-Maven/3.9.6 (Java 17.0.10; Linux 6.5.0)",
      "Googlebot/2.1 (+http://www.google.com/bot.html)",
    ].map((agent): [string, HeaderLine[]] => [agent, [["User-Agent", agent]]]),
    ["an empty User-Agent", [["User-Agent", ""]]],
    ["no User-Agent", []],
  ];

  test.each(agents)("%s", async (_name, headers) => {
    const ask = client(...headers);
    for (const path of [
      `/api/project/${project.slug}`,
      `/api/project/${project.slug}/version`,
      `/api/projects/versions?ids=${project.id}`,
      `/api/project/${project.slug}/version/latest/primary-file`,
      `/cdn/data/project/${project.id}/version/${puzzle.id}/lamps-2.0.jar`,
    ])
      expect((await ask(path)).status, path).toBe(200);
  });
});
