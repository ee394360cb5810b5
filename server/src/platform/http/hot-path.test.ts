// The hot path and the ordinary route must be indistinguishable: same bytes, same headers, same quota.
import { request } from "node:http";
import { describe, expect, test } from "vitest";
import type { Reply } from "#test/callers/actors.js";
import { essence, plainCall } from "#test/callers/plain-call.js";
import { parseRaw, sendRaw } from "#test/callers/raw-http.js";
import { RawConnection } from "#test/process/raw-connection.js";
import { testApp } from "#test/server/harness.js";
import { makeProject, setProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make, clock, resources } = world;
const author = await make.user();
const project = await makeProject(world, author, { description: "lång 🧊 ".repeat(600) });
const other = await makeProject(world, author);
for (const channel of ["release", "beta"] as const) {
  await makeVersion(world, author, project.id, { channel });
  clock.advance(1000);
}
const { data } = (await as.anyone.get(`/api/project/${project.id}/version`)).body;

/** fetch adds headers that the hot path does not accept; raw requests are as plain as those of a launcher. */
const hot = (path: string, headers: Record<string, string> = {}) => rawGet(path, headers);
/** A meaningless header that the hot path does not know. */
const ordinary = (path: string, headers: Record<string, string> = {}) => rawGet(path, { ...headers, "x-nothing": "1" });

const rawGet = (path: string, headers: Record<string, string>, origin = world.origin) =>
  plainCall(origin, "GET", path, headers);

const remaining = ({ headers }: Reply) => Number(/r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1]);

const counted = async (method: "GET" | "POST", route: string) => {
  const lines = (await resources.metrics.registry.metrics()).split("\n");
  const start = `modshelf_hot_requests_total{method="${method}",route="${route}"} `;
  return Number(lines.find((line) => line.startsWith(start))?.slice(start.length) ?? 0);
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
    `/api/projects?ids=${other.slug.toUpperCase()},${project.id},${other.id},${project.slug}`,
    `/api/projects?ids=${project.slug},a+b`,
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
      // Frequent answers are sent in another way from the second time on.
      for (let time = 1; time <= 3; time++) expect(essence(await hot(path, headers))).toEqual(expected);
    }
  });

  test("is really used, and counted under the route's name", async () => {
    const before = await counted("GET", "/api/project/:ref");
    const ids = new Set<string | null>();
    for (let n = 0; n < 5; n++) ids.add((await hot(`/api/project/${project.slug}`)).headers.get("x-request-id"));
    expect(await counted("GET", "/api/project/:ref")).toBe(before + 5);
    // Its request ids are numbered; those of the ordinary route are random.
    const [first, second] = [...ids] as [string, string];
    expect([ids.size, first.slice(0, 8)]).toEqual([5, second.slice(0, 8)]);
    const proxied = {
      "x-forwarded-for": "192.0.2.7",
      "x-forwarded-proto": "https",
      "x-real-ip": "192.0.2.7",
      via: "1.1 x",
    };
    const behindProxy = await hot(`/api/project/${project.slug}`, proxied);
    expect(behindProxy.headers.get("x-request-id")!.slice(0, 8)).toBe(first.slice(0, 8));
  });

  test("leaves odd, conditional and refused requests to the ordinary route", async () => {
    const tag = (await hot(`/api/project/${project.slug}`)).headers.get("etag")!;
    expect((await hot(`/api/project/${project.slug}`, { "if-none-match": tag })).status).toBe(304);
    for (const [path, status] of [
      [`/api/project/${project.slug}/version/latest?releaseChannel=nope`, 400],
      [`/api/project/${project.slug}/version/latest?loader=nope`, 404],
      [`/api/project/${project.slug}/version/nope`, 404],
      [`/api/project/${project.slug}/versions`, 404],
      [`/api/project/%00`, 400],
    ] as const)
      expect((await hot(path)).status, path).toBe(status);
    expect((await hot(`/api/project/${project.slug}`, { authorization: "Bearer nonsense" })).status).toBe(401);
  });

  test("never shows content that was just hidden, renamed or changed", async () => {
    const own = await makeProject(world, author);
    expect((await hot(`/api/project/${own.slug}`)).status).toBe(200);
    await setProject(world, own.id, { summary: "Changed a moment ago" });
    await hot(`/api/project/${own.slug}`);
    expect((await hot(`/api/project/${own.slug}`)).text).toContain("Changed a moment ago");
    await setProject(world, own.id, { visibility: "private" });
    expect((await hot(`/api/project/${own.slug}`)).status).toBe(404);
    expect((await hot(`/api/project/${own.id}`)).status).toBe(404);
  });

  test("does not cache URLs with unknown parameters", async () => {
    const latest = `/api/project/${project.slug}/version/latest`;
    const route = "/api/project/:ref/version/latest";
    const before = await counted("GET", route);
    for (let times = 0; times < 3; times++)
      for (const query of ["x=1", `${"k".repeat(15_000)}=1`, "loader=quilt&x=1"])
        expect((await hot(`${latest}?${query}`)).status).toBe(200);
    expect(await counted("GET", route)).toBe(before);
    await hot(`${latest}?loader=quilt`);
    expect(await counted("GET", route)).toBe(before + 1);
  });

  test("leaves reads with a body to the ordinary route", async () => {
    const before = await counted("GET", "/api/project/:ref");
    const headers = { "content-type": "application/json", "content-length": "2" };
    const reply = await plainCall(world.origin, "GET", `/api/project/${project.slug}`, headers, "{}");
    expect([reply.status, await counted("GET", "/api/project/:ref")]).toEqual([200, before]);
  });

  test("takes from the same quota as the ordinary route, which refuses when it is used up", async () => {
    const limited = await testApp({ settings: { MODSHELF_RATE_LIMITS: "on" } });
    const { slug } = await makeProject(limited, await limited.make.user());
    const get = (headers: Record<string, string>) => rawGet(`/api/project/${slug}`, headers, limited.origin);
    // The quota grows with time.
    limited.clock.freeze();
    const first = remaining(await get({ "x-nothing": "1" }));
    for (let n = 0; n < 40; n++) await get(n % 2 === 0 ? { "x-nothing": "1" } : {});
    expect(remaining(await get({}))).toBe(first - 41);
    while (limited.resources.limiter.takeNow("read", "127.0.0.1").allowed);
    const refused = await get({});
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, expect.any(String)]);
    await limited.stop();
  });

  test("takes nothing for a list that it leaves to the ordinary route", async () => {
    const limited = await testApp({ settings: { MODSHELF_RATE_LIMITS: "on" } });
    limited.clock.freeze();
    const get = (path: string) => rawGet(path, {}, limited.origin);
    const first = remaining(await get("/projects"));
    const past = await get("/projects?page=999");
    expect([past.status, remaining(past)]).toEqual([404, first - 1]);
    expect(remaining(await get("/projects?page=998"))).toBe(first - 2);
    await limited.stop();
  });
});

describe("the hot path of posted look-ups", () => {
  const [known] = data as { files: { sha512_hash: string; sha1_hash: string }[] }[];
  const sha512 = known!.files[0]!.sha512_hash;
  const sha1 = known!.files[0]!.sha1_hash;
  const json = { "content-type": "application/json" };
  const ask = (path: string, body: string, headers: Record<string, string> = {}) =>
    plainCall(
      world.origin,
      "POST",
      path,
      { ...json, "content-length": String(Buffer.byteLength(body)), ...headers },
      body,
    );
  const ordinaryAsk = (path: string, body: string, headers: Record<string, string> = {}) =>
    ask(path, body, { ...headers, "x-nothing": "1" });
  const lookUp = "/api/version-files";
  const update = "/api/version-files/update";

  test.each([
    [lookUp, { hashes: [sha512] }],
    [lookUp, { hashes: [sha512.toUpperCase(), sha512] }],
    [lookUp, { algorithm: "sha1", hashes: [sha1] }],
    [update, { hashes: [sha512] }],
    [update, { hashes: [sha512], releaseChannel: "beta", loader: "quilt", gameVersions: ["0.4.8"] }],
    [update, { hashes: [sha512], loader: "nope" }],
    [lookUp, { hashes: [sha512, "0".repeat(128), "abc"] }],
    [lookUp, { hashes: ["", "z".repeat(128), sha512, "xyz"] }],
    [lookUp, { hashes: ["xyz"] }],
    [update, { hashes: ["z".repeat(128), sha512] }],
  ])("answers %s for %j as the ordinary route does", async (path, body) => {
    const text = JSON.stringify(body);
    for (const headers of [{}, { "accept-encoding": "gzip" }, { "accept-encoding": "br" }] as Record<
      string,
      string
    >[]) {
      const expected = essence(await ordinaryAsk(path, text, headers));
      expect(expected.status).toBe(200);
      const before = await counted("POST", path);
      // From the third time on it is answered from the cache.
      for (let times = 0; times < 4; times++) expect(essence(await ask(path, text, headers))).toEqual(expected);
      expect(await counted("POST", path)).toBe(before + 4);
    }
  });

  test("never mixes concurrent answers, of which many are aborted by their callers", async () => {
    const upper = (count: number) => sha512.slice(0, count).toUpperCase() + sha512.slice(count);
    // The answer is as long as the request: each spelling is a separate key.
    const questions = Array.from({ length: 40 }, (_, n) =>
      JSON.stringify({ hashes: Array.from({ length: n + 1 }, (_, m) => upper(m + 1)) }),
    );
    const expected = await Promise.all(questions.map((text) => ordinaryAsk(lookUp, text)));
    const leave = (text: string) =>
      new Promise<void>((resolve) => {
        const headers = { ...json, "content-length": String(text.length) };
        const call = request(`${world.origin}${lookUp}`, { method: "POST", headers });
        call.on("error", () => resolve()).on("close", resolve);
        call.end(text, () => call.destroy());
      });
    const asked = questions.map((text, n) => (n % 3 === 0 ? leave(text) : ask(lookUp, text)));
    for (const [n, reply] of (await Promise.all(asked)).entries())
      if (reply) expect(essence(reply)).toEqual(essence(expected[n]!));
  });

  test.each([
    ["no JSON", "{"],
    ["no object", "null"],
    ["no hashes", "{}"],
    ["half a character", '{"hashes":["\\ud800"]}'],
    ["NUL", '{"hashes":["\\u0000"]}'],
    ["NUL elsewhere", `{"hashes":["${sha512}"],"loader":"a\\u0000b"}`],
    ["half a character elsewhere", `{"hashes":["${sha512}"],"gameVersions":["\\udc00"]}`],
    ["an unknown algorithm", `{"hashes":["${sha512}"],"algorithm":"md5"}`],
    ["an unknown channel", `{"hashes":["${sha512}"],"releaseChannel":"nightly"}`],
  ])("leaves a request with %s to the ordinary route, with its whole body", async (_what, body) => {
    const before = await counted("POST", update);
    const reply = await ask(update, body);
    expect(reply.status).toBe(400);
    expect(reply.bytes.length).toBe((await ordinaryAsk(update, body)).bytes.length);
    expect(await counted("POST", update)).toBe(before);
  });

  test.each([
    ["hashes of another kind", '{"hashes":[1]}'],
    ["null among others", `{"hashes":[null,"${sha512}"]}`],
    ["null for what is optional", `{"hashes":["${sha512}"],"algorithm":null}`],
    ["a game version of 100 letters", `{"hashes":["${sha512}"],"gameVersions":["${"1".repeat(100)}"]}`],
    ["an escape", `{"hashes":["${sha512}"],"loader":"\\u0071uilt"}`],
    ["letters beyond ASCII", `{"hashes":["${sha512}"],"loader":"qüilt"}`],
    ["half a character in UTF-8", Buffer.from(`{"hashes":["${sha512}"],"loader":"\xed\xa0\x80"}`, "latin1")],
    ["bytes that are no UTF-8", Buffer.from(`{"hashes":["${sha512}"],"loader":"\xff"}`, "latin1")],
    ["NUL itself", `{"hashes":["${sha512}"],"loader":"\0"}`],
  ])("answers a request with %s as the ordinary route does, also the third time", async (_what, body) => {
    const send = (more: Record<string, string> = {}) =>
      plainCall(
        world.origin,
        "POST",
        update,
        { ...json, "content-length": String(Buffer.byteLength(body)), ...more },
        body,
      );
    const expected = await send({ "x-nothing": "1" });
    const withoutId = (reply: Reply) => [reply.status, reply.text.replace(/"requestId":"\w+"/, "")];
    for (let times = 0; times < 3; times++) expect(withoutId(await send())).toEqual(withoutId(expected));
  });

  test("does not wait for a body that has not arrived yet", async () => {
    const text = JSON.stringify({ hashes: [sha512] });
    const reply = await new Promise<number>((resolve, reject) => {
      const call = request(
        `${world.origin}${lookUp}`,
        { method: "POST", headers: { ...json, "content-length": String(text.length) } },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      );
      call.on("error", reject);
      // The rest is sent only after the server has begun to answer the request.
      world.app.http.server.once("request", () => call.end(text.slice(20)));
      call.write(text.slice(0, 20));
    });
    expect(reply).toBe(200);
  });

  test.each([lookUp, update])("answers an empty request at %s, and the next one after it", async (path) => {
    const empty = [`POST ${path} HTTP/1.1`, "host: modshelf.test", "content-type: application/json"];
    const [first, second] = ["content-length: 0\r\n", "connection: close\r\ncontent-length: 0\r\n"].map((line) =>
      [...empty, line, ""].join("\r\n"),
    );
    const text = await sendRaw(world.origin, `${first}${second}`);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400", "HTTP/1.1 400"]);
    expect(parseRaw(text).body.length).toBe((await ordinaryAsk(path, "")).bytes.length);
  });

  test("is not delayed by an empty request when the server stops", async () => {
    const site = await testApp();
    const connection = await RawConnection.open(Number(new URL(site.origin).port));
    const lines = ["host: modshelf.test", "content-type: application/json", "content-length: 0", "\r\n"];
    connection.send([`POST ${lookUp} HTTP/1.1`, ...lines].join("\r\n"));
    await connection.heard(/"requestId":"\w+"\}$/);
    await site.stop();
    await connection.closed;
    expect(connection.received).toMatch(/^HTTP\/1\.1 400/);
  });

  test("reflects hidden, published and changed content at once", async () => {
    const own = await makeProject(world, author);
    await makeVersion(world, author, own.id);
    const { data: versions } = (await as.anyone.get(`/api/project/${own.id}/version`)).body;
    const text = JSON.stringify({ hashes: [versions[0].files[0].sha512_hash] });
    const projectsOf = async () => {
      const { text: answer } = await ask(update, text);
      return Object.values(JSON.parse(answer) as Record<string, { id: string }>).map(({ id }) => id);
    };
    for (let times = 0; times < 3; times++) expect(await projectsOf()).toEqual([versions[0].id]);
    clock.advance(1000);
    const newer = await makeVersion(world, author, own.id);
    expect(await projectsOf()).toEqual([newer.id]);
    await setProject(world, own.id, { visibility: "private" });
    expect(await projectsOf()).toEqual([]);
  });
});
