// The hot path and the ordinary route must be indistinguishable: same bytes, same headers, same quota.
import { request } from "node:http";
import { describe, expect, test } from "vitest";
import type { Reply } from "../../../test/actors.js";
import { makeProject, setProject } from "../../../test/content.js";
import { testApp } from "../../../test/harness.js";
import { makeVersion } from "../../../test/versions.js";

const world = await testApp();
const { as, make, clock, resources } = world;
const author = await make.user();
const project = await makeProject(world, author, { description: "long ".repeat(1000) });
const other = await makeProject(world, author);
for (const channel of ["release", "beta"] as const) {
  await makeVersion(world, author, project.id, { channel });
  clock.advance(1000);
}
const { data } = (await as.anyone.get(`/api/project/${project.id}/version`)).body;

/** fetch sends headers of its own that the hot path does not take; raw ones are as plain as a launcher's. */
const hot = (path: string, headers: Record<string, string> = {}) => rawGet(path, headers);
/** A header that means nothing, and that the hot path does not know. */
const ordinary = (path: string, headers: Record<string, string> = {}) => rawGet(path, { ...headers, "x-nothing": "1" });

async function rawGet(path: string, headers: Record<string, string>, origin = world.origin): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const call = request(`${origin}${path}`, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => {
        const bytes = Buffer.concat(chunks);
        const pairs = Object.entries(response.headers).map(
          ([name, value]) => [name, String(value)] as [string, string],
        );
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(pairs),
          bytes,
          text: bytes.toString("utf8"),
          body: undefined,
        });
      });
    });
    call.on("error", reject);
    call.end();
  });
}

const essence = ({ status, headers, bytes }: Reply) => ({
  status,
  bytes: bytes.toString("base64"),
  headers: Object.fromEntries(
    [...headers].filter(([name]) => !["date", "x-request-id", "keep-alive", "connection"].includes(name)).sort(),
  ),
});

const counted = async (route: string) => {
  const text = await resources.metrics.registry.metrics();
  return Number(
    new RegExp(`modshelf_request_seconds_count\\{[^}]*route="${route.replaceAll("/", "\\/")}"[^}]*\\} (\\d+)`).exec(
      text,
    )?.[1] ?? 0,
  );
};

describe("the hot path", () => {
  const paths = [
    `/api/project/${project.slug}`,
    `/api/project/${project.id}`,
    `/api/project/${project.slug.toUpperCase()}/version`,
    `/api/project/${project.slug}/version/latest`,
    `/api/project/${project.slug}/version/latest?releaseChannel=beta&loader=quilt&gameVersion=0.4.8`,
    `/api/project/${project.slug}/version/${data[0].id}`,
    `/api/project/${project.slug}/version/${data[0].slug}`,
    `/api/projects?ids=${project.id}`,
    `/api/projects?ids=${project.id},${other.id},${project.id}`,
    `/api/projects?ids=${project.id},AAAAAAAA`,
  ];

  test.each(paths)("answers %s as the ordinary route does", async (path) => {
    for (const headers of [
      {},
      { "accept-encoding": "gzip" },
      { "accept-encoding": "br, gzip" },
      { "user-agent": "launcher/1.0", accept: "*/*" },
    ] as Record<string, string>[]) {
      const expected = essence(await ordinary(path, headers));
      expect(expected.status).toBe(200);
      expect(essence(await hot(path, headers))).toEqual(expected);
    }
  });

  test("is really taken, and counted under the route's name", async () => {
    const before = await counted("/api/project/:ref");
    const ids = new Set<string | null>();
    for (let n = 0; n < 5; n++) ids.add((await hot(`/api/project/${project.slug}`)).headers.get("x-request-id"));
    expect(await counted("/api/project/:ref")).toBe(before + 5);
    // Its request ids run on; the ordinary ones are random throughout.
    const [first, second] = [...ids] as [string, string];
    expect([ids.size, first.slice(0, 8)]).toEqual([5, second.slice(0, 8)]);
  });

  test("leaves odd, conditional and refused requests to the ordinary route", async () => {
    const tag = (await hot(`/api/project/${project.slug}`)).headers.get("etag")!;
    expect((await hot(`/api/project/${project.slug}`, { "if-none-match": tag })).status).toBe(304);
    for (const [path, status] of [
      [`/api/project/${project.slug}/version/latest?releaseChannel=nope`, 400],
      [`/api/project/${project.slug}/version/latest?loader=nope`, 404],
      [`/api/project/${project.slug}/version/nope`, 404],
      [`/api/project/${project.slug}/versions`, 404],
      [`/api/project/${project.slug}/`, 404],
      [`/api/project/%00`, 400],
    ] as const)
      expect((await hot(path)).status, path).toBe(status);
    expect((await hot(`/api/project/${project.slug}`, { authorization: "Bearer nonsense" })).status).toBe(401);
  });

  test("never shows what has just been hidden, renamed or changed", async () => {
    const own = await makeProject(world, author);
    expect((await hot(`/api/project/${own.slug}`)).status).toBe(200);
    await setProject(world, own.id, { summary: "Changed a moment ago" });
    await hot(`/api/project/${own.slug}`);
    expect((await hot(`/api/project/${own.slug}`)).text).toContain("Changed a moment ago");
    await setProject(world, own.id, { visibility: "private" });
    expect((await hot(`/api/project/${own.slug}`)).status).toBe(404);
    expect((await hot(`/api/project/${own.id}`)).status).toBe(404);
  });

  test("takes from the same quota as the ordinary route, which refuses when it is used up", async () => {
    const limited = await testApp({ settings: { MODSHELF_RATE_LIMITS: "on" } });
    const { slug } = await makeProject(limited, await limited.make.user());
    const get = (headers: Record<string, string>) => rawGet(`/api/project/${slug}`, headers, limited.origin);
    const remaining = ({ headers }: Reply) => Number(/r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1]);
    const first = remaining(await get({ "x-nothing": "1" }));
    for (let n = 0; n < 40; n++) await get(n % 2 === 0 ? { "x-nothing": "1" } : {});
    // Ten units a second come back meanwhile.
    expect(remaining(await get({}))).toBeLessThan(first - 10);
    while (limited.resources.limiter.takeNow("read", "127.0.0.1").allowed);
    const refused = await get({});
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, expect.any(String)]);
    await limited.stop();
  });
});
