// Sends generated requests to the hot path and to the router: both must give the same answer, byte for byte. Each
// request has its own client address, so that the rate limit headers are compared too.
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "#test/callers/any-character.js";
import { sendRaw } from "#test/callers/raw-http.js";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp({
  settings: { MODSHELF_RATE_LIMITS: "on", MODSHELF_TRUSTED_PROXIES: "127.0.0.1,::1" },
});
world.clock.freeze();
const author = await world.make.user();
const project = await makeProject(world, author);
const hidden = await makeProject(world, author, { visibility: "private" });
const version = await makeVersion(world, author, project.id, { channel: "beta" });
await makeVersion(world, author, project.id);
// Downloads of additional files are not counted, so that no answer changes between two requests.
const withFiles = await makeVersion(world, author, project.id, {
  additional: [
    { name: "small+1.jar", bytes: randomBytes(3000) },
    { name: "large.jar", bytes: randomBytes(300_000) },
  ],
});
const { data } = (await world.as.anyone.get(`/api/project/${project.id}/version`)).body;
const { sha512_hash: sha512, sha1_hash: sha1 } = data[0].files[0];

let addresses = 0;
/** An address that no request came from before. */
const nextAddress = (): string => `10.${[addresses >> 16, addresses >> 8, addresses++].map((n) => n & 255).join(".")}`;

async function send(line: string, headers: readonly string[], body: Buffer): Promise<unknown> {
  const head = [line, `x-forwarded-for: ${nextAddress()}`, ...headers, "connection: close", "", ""].join("\r\n");
  const text = await sendRaw(world.origin, Buffer.concat([Buffer.from(head, "latin1"), body]));
  const end = text.indexOf("\r\n\r\n");
  const fields = text.slice(0, end).split("\r\n");
  const requestId = /x-request-id: (\S+)/i.exec(text.slice(0, end))?.[1];
  return {
    status: fields[0],
    headers: fields
      .slice(1)
      .filter((field) => !/^(?:date|x-request-id):/i.test(field))
      .map(lowerName)
      .sort(),
    body: requestId === undefined ? text.slice(end) : text.slice(end).replaceAll(requestId, "ID"),
  };
}

const lowerName = (field: string): string => field.replace(/^[^:]*/, (name) => name.toLowerCase());

/** A meaningless header forces the ordinary route. Frequent requests are answered from the cache. */
async function expectEqual(line: string, headers: readonly string[], body: Buffer): Promise<void> {
  const expected = await send(line, [...headers, "x-nothing: 1"], body);
  for (let times = 0; times < 3; times++) expect(await send(line, headers, body)).toEqual(expected);
}

/** The same for a request that the hot path must take each time, because it is plain. */
async function expectHot(line: string, headers: readonly string[], body: Buffer): Promise<void> {
  const before = await hotRequests();
  await expectEqual(line, ["host: modshelf.test", ...headers], body);
  expect((await hotRequests()) - before, line).toBe(3);
}

const hotRequests = async (): Promise<number> => {
  const lines = (await world.resources.metrics.registry.metrics()).split("\n");
  return lines
    .filter((line) => line.startsWith("modshelf_hot_requests_total{"))
    .reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
};

const oneOf = fc.constantFrom;
const oddText = fc.string({ unit: anyCharacter, maxLength: 8 });

const headers = fc
  .tuple(
    oneOf(["host: modshelf.test"], ["HOST: MODSHELF.test:80"], ["host: "], ["host: a", "host: b"], []),
    fc.subarray(
      [
        "accept-encoding: gzip",
        "accept-encoding: br;q=0.5, gzip;q=1.0",
        "accept-encoding: identity;q=0, *",
        "accept-encoding: gzip;q=x,,;",
        "range: bytes=5-9",
        "range: bytes=999999-",
        'if-range: "another"',
        "sec-fetch-dest: image",
        "x-forwarded-proto: https",
        "x-forwarded-host: elsewhere.test",
        "x-real-ip: 203.0.113.9",
        "via: 1.1 proxy",
        "accept-language: de-AT,de;q=0.9",
        "accept-language: *;q=0",
        "accept: text/html",
        "accept: application/json;q=0",
        "user-agent: launcher/1.0",
        "referer: http://elsewhere.test/",
        "sec-fetch-site: cross-site",
        "sec-fetch-site: none",
        "sec-fetch-mode: navigate",
        "upgrade-insecure-requests: 1",
        "origin: http://elsewhere.test",
        "if-none-match: *",
        "cookie: theme=dark",
        "authorization: Bearer nonsense",
      ],
      { maxLength: 4 },
    ),
  )
  // Most requests must be plain, or the hot path would take only a few.
  .chain(([host, more]) => oneOf([...host, ...more], ["host: modshelf.test"], ["host: modshelf.test", ...more]));

const ref = fc.oneof(
  { weight: 5, arbitrary: oneOf(project.slug, project.id, project.slug.toUpperCase()) },
  { weight: 1, arbitrary: oneOf(hidden.slug, "nothing", "", "%41", "%zz", "%00", "a".repeat(65), "ä", "..") },
);
const value = oneOf("", "quilt", "0.4.8", "beta", "release-only", "BETA", "nightly", "x".repeat(65), "%20", "+", "%ff");
const query = fc
  .array(fc.tuple(oneOf("loader", "gameVersion", "releaseChannel", "other", ""), value), { maxLength: 3 })
  .map((pairs) => (pairs.length === 0 ? "" : `?${pairs.map(([key, text]) => `${key}=${text}`).join("&")}`));
const tail = oneOf("", "/version", "/version/latest", `/version/${version.id}`, "/version/nothing", "/versions", "/");
const fileBase = `/cdn/data/project/${project.id}/version/${withFiles.id}`;
const fileName = oneOf(
  "small+1.jar",
  "small%2B1.jar",
  "large.jar",
  "small%2b1.jar",
  "other.jar",
  "",
  "a/b",
  "small+1.jar?x",
);
const words = oneOf("", project.slug, "a+b", "%C3%A4", "%zz", "%", "a=b", "%00", "x".repeat(65), "a%20%2B", "\u00e4");
const search = fc
  .array(
    fc.oneof(
      words.map((text) => `q=${text}`),
      fc
        .tuple(
          oneOf("type", "l", "v", "ch", "c", "e", "li", "sortby", "limit", "offset", "page", "facets", "other", ""),
          oneOf(
            "",
            "mod",
            "quilt",
            "!quilt",
            "0.4.8",
            "beta",
            "client",
            "oss",
            "!oss",
            "downloads",
            "1",
            "0",
            "-1",
            "x",
          ),
        )
        .map((pair) => pair.join("=")),
      oneOf("q", "", "facets=1", "__proto__=1", "l=quilt&l=fabric", "e=client&e=server"),
    ),
    { maxLength: 4 },
  )
  .map((pairs) => `/api/search${pairs.length === 0 ? "" : `?${pairs.join("&")}`}`);
const list = (...values: string[]) => encodeURIComponent(JSON.stringify(values));
/** The same reads in Modrinth's form. */
const modrinth = fc.oneof(
  fc
    .tuple(ref, oneOf("", "/version"), oneOf("", `?loaders=${list("quilt")}`, "?loaders=quilt", "?limit=1", "?x=1"))
    .map(([name, rest, asked]) => `/v2/project/${name}${rest}${asked}`),
  oneOf(list(project.id, "none"), list(), "%7B%7D", "x", "").map((ids) => `/v2/projects?ids=${ids}`),
  oneOf("", "limit=1", "index=nothing", "facets=x", `facets=${list("versions:0.4.8")}`, "query=a+b", "other=1").map(
    (asked) => `/v2/search?${asked}`,
  ),
);
const path = fc.oneof(
  search,
  modrinth,
  fileName.map((name) => `${fileBase}/${name}`),
  fileName.map((name) => `/cdn/data/project/${project.slug}/version/${version.id}/${name}`),
  fc.tuple(ref, tail, query).map(([name, rest, asked]) => `/api/project/${name}${rest}${asked}`),
  fc.array(ref, { maxLength: 4 }).map((refs) => `/api/projects?ids=${refs.join(",")}`),
  fc
    .tuple(oneOf("/", "/mods", "/mods?l=quilt", `/project/${project.slug}`), oneOf("", "?lang=de", "?x=1"))
    .map(([page, asked]) => page + (page.includes("?") ? asked.replace("?", "&") : asked)),
);

test("reads are answered the same by the hot path and by the ordinary route", async () => {
  const { slug, id } = project;
  for (const tail of [slug, `${id}/version`, `${slug}/version/latest?loader=quilt`, `${slug}/version/${version.id}`])
    await expectHot(`GET /api/project/${tail} HTTP/1.1`, ["accept-encoding: gzip"], Buffer.alloc(0));
  await expectHot(`GET /api/projects?ids=${slug},${id} HTTP/1.1`, [], Buffer.alloc(0));
  for (const query of ["", `?q=${slug}&limit=5&facets=1`, "?type=mod&l=quilt&v=0.4.8&c=!library&q=%C3%A4+b"])
    await expectHot(`GET /api/search${query} HTTP/1.1`, ["accept-encoding: gzip"], Buffer.alloc(0));

  for (const tail of [`project/${slug}`, `project/${id}/version?loaders=${list("quilt")}`, `projects?ids=${list(id)}`])
    await expectHot(`GET /v2/${tail} HTTP/1.1`, ["accept-encoding: gzip"], Buffer.alloc(0));
  await expectHot(`GET /v2/search?facets=${list("versions:0.4.8")} HTTP/1.1`, [], Buffer.alloc(0));

  // Read from the storage, then from memory; the large one in chunks.
  for (const name of ["small+1.jar", "small%2B1.jar", "large.jar"])
    await expectHot(`GET ${fileBase}/${name} HTTP/1.1`, ["accept-encoding: gzip"], Buffer.alloc(0));
  const proxied = ["x-forwarded-proto: https", "x-forwarded-host: modshelf.test", "x-real-ip: 203.0.113.9"];
  await expectHot(`GET /api/project/${slug} HTTP/1.1`, proxied, Buffer.alloc(0));

  const before = await hotRequests();
  await fc.assert(
    fc.asyncProperty(path, headers, async (url, fields) => {
      await expectEqual(`GET ${url} HTTP/1.1`, fields, Buffer.alloc(0));
    }),
    { numRuns: 80, examples: [["/api/search?q=a%00b", ["host: modshelf.test"]]] },
  );
  // How many of them it takes is a matter of chance.
  expect(await hotRequests()).toBeGreaterThan(before);
}, 60_000);

const text = fc.oneof(
  { weight: 4, arbitrary: oneOf("quilt", "0.4.8", "beta", "release", "") },
  {
    weight: 1,
    arbitrary: oneOf("x".repeat(33), "x".repeat(65), "x".repeat(100), "a\u0000b", "\ud800", "ü", "\\u0000"),
  },
  { weight: 1, arbitrary: oddText },
);
const hash = fc.oneof(
  { weight: 4, arbitrary: oneOf(sha512, sha512.toUpperCase(), sha1, "0".repeat(128), "xyz") },
  { weight: 1, arbitrary: fc.oneof(oddText, fc.constant(null), fc.integer(), fc.constant([])) },
);
const sometimes = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) });
const question = fc.record(
  {
    hashes: sometimes(fc.array(hash, { minLength: 1, maxLength: 5 })),
    algorithm: sometimes(oneOf("sha512", "sha1", null)),
    gameVersions: sometimes(
      fc.oneof(fc.array(text, { maxLength: 3 }), oneOf(Array(501).fill("1"), Array(30).fill("1"))),
    ),
    loader: sometimes(text),
    releaseChannel: sometimes(oneOf("release", "beta", "BETA-only", "nightly", "")),
    other: fc.jsonValue({ maxDepth: 1 }),
    constructor: fc.constant({ prototype: { hashes: [] } }),
  },
  { requiredKeys: ["hashes"] },
);
/** Damages the bytes of a valid body. */
const damage: Record<string, (body: Buffer) => Buffer> = {
  none: (body) => body,
  bom: (body) => Buffer.concat([Buffer.from("\ufeff"), body]),
  space: (body) => Buffer.concat([Buffer.from(" \n"), body, Buffer.from("\t\v")]),
  cut: (body) => body.subarray(0, -1),
  notUtf8: (body) => Buffer.from(body.toString("latin1").replace(/[a-z](?=")/, "\xff"), "latin1"),
  nul: (body) => Buffer.from(body.toString("latin1").replace(/[a-z](?=")/, "\0"), "latin1"),
  proto: (body) => Buffer.concat([body.subarray(0, -1), Buffer.from(',"__proto__":{"loader":"x"}}')]),
  twice: (body) => Buffer.concat([body.subarray(0, -1), Buffer.from(',"hashes":[]}')]),
  deep: (body) => Buffer.concat([body.subarray(0, -1), Buffer.from(`,"a":${"[".repeat(40)}${"]".repeat(40)}}`)]),
};
const body = fc
  .tuple(question, fc.oneof(fc.constant("none"), oneOf(...Object.keys(damage))))
  .map(([asked, kind]) => damage[kind]!(Buffer.from(JSON.stringify(asked))));
const type = fc.oneof(
  {
    weight: 4,
    arbitrary: oneOf("application/json", "application/json; charset=utf-8", "Application/JSON;charset=UTF-8"),
  },
  { weight: 1, arbitrary: oneOf("application/json; charset=latin1", "text/plain", "text/html", "application/json;") },
);

const lookUps = ["/api/version-files", "/api/version-files/update", "/v2/version_files", "/v2/version_files/update"];

test("posted look-ups are answered the same by the hot path and by the ordinary route", async () => {
  for (const [path, asked] of [
    ["/api/version-files", { hashes: [sha512] }],
    ["/api/version-files", { hashes: [sha1, "xyz"], algorithm: "sha1" }],
    [
      "/api/version-files/update",
      { hashes: [sha512], loader: "quilt", gameVersions: ["0.4.8"], releaseChannel: "beta" },
    ],
    ["/v2/version_files", { hashes: [sha1, "xyz"], algorithm: "sha1" }],
    ["/v2/version_files/update", { hashes: [sha512], loaders: ["quilt"], version_types: ["release"] }],
  ] as const) {
    const bytes = Buffer.from(JSON.stringify(asked));
    const fields = ["content-type: application/json", `content-length: ${bytes.length}`];
    await expectHot(`POST ${path} HTTP/1.1`, fields, bytes);
  }

  const before = await hotRequests();
  await fc.assert(
    fc.asyncProperty(oneOf(...lookUps), body, type, headers, async (path, bytes, kind, fields) => {
      const all = [...fields, `content-type: ${kind}`, `content-length: ${bytes.length}`];
      await expectEqual(`POST ${path} HTTP/1.1`, all, bytes);
    }),
    {
      numRuns: 100,
      // Former differences: each was answered with 200 here and with 400 there.
      examples: ["x".repeat(100), "\xff", "\0"].map(
        (loader): ["/api/version-files/update", Buffer, "application/json", ["host: modshelf.test"]] => [
          "/api/version-files/update",
          Buffer.from(`{"hashes":["${sha512}"],"loader":"${loader}","gameVersions":["${loader}"]}`, "latin1"),
          "application/json",
          ["host: modshelf.test"],
        ],
      ),
    },
  );
  expect(await hotRequests()).toBeGreaterThan(before);
}, 60_000);
