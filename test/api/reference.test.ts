// The API reference of the whole service: the document is valid and complete, the page shows all of it, and the
// examples are valid requests.
import { createHook } from "node:async_hooks";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import { routes } from "#app.js";
import { assignableScopes } from "#lib/scopes.js";
import type { OpenApiDocument } from "#platform/http/openapi.js";
import { plainCall } from "#test/callers/plain-call.js";
import { jar } from "#test/callers/uploads.js";
import { siteUrl, testApp, uniqueName } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { toCurl, toExample } from "#web/docs/example.js";
import { docsRoutes } from "#web/docs/routes.js";

const { as, make, origin } = await testApp();
const json = await as.anyone.get("/api/docs/openapi.json");
const page = await as.anyone.get("/api/docs");
/** The index, and the page of each part, by path. */
const parts = new Map([["/api/docs", page]]);
for (const [, path] of page.text.matchAll(/ class="group" href="(\/api\/docs\/[^"#]+)"/g))
  parts.set(path!, await as.anyone.get(path!));
const whole = [...parts.values()].map(({ text }) => text).join("\n");
const document: OpenApiDocument = json.body;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => ({ path, method, operation: methods[method]! })),
);

describe("getOpenApi", () => {
  test("is a valid OpenAPI 3.1 document", async () => {
    expect(json).toSucceed();
    expect(await new Validator().validate(structuredClone(json.body))).toEqual({ valid: true });
  });

  test("describes every route that is not only for this site's own pages, and no other", () => {
    const shown = routes.filter(({ endpoint }) => !endpoint.internal);
    const named = (path: string) => path.replace(/\*$/, ":path").replace(/:(\w+)/g, "{$1}");
    const expected = shown.map(({ endpoint }) => `${endpoint.method} ${named(endpoint.path)}`);
    expect(operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`).sort()).toEqual(expected.sort());
    expect(operations.map(({ operation }) => operation.operationId).sort()).toEqual(
      shown.map(({ endpoint }) => endpoint.id).sort(),
    );
  });

  test("shows no internal schema keywords", () => {
    expect(json.text).not.toMatch(/"x-(?:name|problem)"/);
  });

  test("has a target for each of its references", () => {
    const references = new Set([...json.text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path!));
    expect(references.size).toBeGreaterThan(5);
    for (const path of references) {
      const target = path.split("/").reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document);
      expect(target, path).toBeTypeOf("object");
    }
  });

  test("has the same bytes each time, on every server, and at its old URL (getOpenApiAtOldPath)", async () => {
    const old = await as.anyone.get("/api/docs/open-api");
    expect(old.bytes.equals(json.bytes)).toBe(true);
    const other = await testApp();
    const again = await other.as.anyone.get("/api/docs/openapi.json");
    await other.stop();
    expect(again.bytes.equals(json.bytes)).toBe(true);
  });

  test("may be cached, and is answered with 304 to a client that has it", async () => {
    expect(json.headers.get("cache-control")).toBe("public, max-age=300");
    const etag = json.headers.get("etag")!;
    const again = await as.anyone.get("/api/docs/openapi.json", { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
    expect(again.bytes).toHaveLength(0);
    const other = await as.anyone.get("/api/docs/openapi.json", { headers: { "if-none-match": '"other"' } });
    expect(other.status).toBe(200);
  });

  test("is sent uncompressed to clients without compression, and for HEAD without a body", async () => {
    const plain = await as.anyone.get("/api/docs/openapi.json", { headers: { "accept-encoding": "identity" } });
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(plain.body).toEqual(document);
    const head = await as.anyone.head("/api/docs/openapi.json", { headers: { "accept-encoding": "identity" } });
    expect(head.bytes).toHaveLength(0);
    expect(head.headers.get("content-length")).toBe(String(plain.bytes.length));
  });
});

describe("getApiReference", () => {
  const idsOf = (text: string) => [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);

  test("has an entry in the index and a section for every operation and every shape", () => {
    for (const [path, part] of parts) expect(part, path).toSucceed();
    const index = idsOf(page.text);
    const sections = [...whole.matchAll(/<section class="operation" id="([^"]+)"/g)].map(([, id]) => id);
    const expected = [
      ...operations.map(({ operation }) => operation.operationId),
      ...Object.keys(document.components.schemas).map((name) => `shape-${name}`),
    ];
    for (const id of expected) expect(index).toContain(id);
    expect(sections.sort()).toEqual(expected.sort());
  });

  test("uses each id once on a page, and every link within the reference has a target", () => {
    for (const [path, { text }] of parts) {
      const ids = idsOf(text);
      expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
      const links = [...text.matchAll(/ href="(\/api\/docs[\w/-]*)?#([^"]+)"/g)];
      const broken = links.filter(([, to = path, id]) => !idsOf(parts.get(to)?.text ?? "").includes(id!));
      expect(broken.map(([link]) => link)).toEqual([]);
    }
  });

  test("getApiReferencePart: has no other parts", async () => {
    for (const part of ["nothing", "__proto__", "Projects", "x".repeat(200)])
      expect((await as.anyone.get(`/api/docs/${part}`)).status, part).toBeGreaterThanOrEqual(400);
  });

  test("names each refusal of each operation, in place or among the shared ones", () => {
    const codes = operations.flatMap(({ operation }) =>
      Object.values(operation.responses).flatMap((answer) => answer["x-codes"] ?? []),
    );
    for (const code of new Set(codes)) expect(whole).toContain(`<code>${code}</code>`);
  });

  test("contains no inline script or style, and forbids them", () => {
    expect(whole).not.toMatch(/<script(?! type="module" src="\/assets\/[\w.-]+"><\/script>)/i);
    expect(whole).not.toMatch(/<style| style=| on\w+=|javascript:/i);
    expect(page.headers.get("content-security-policy")).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; img-src 'self' data: ${siteUrl}; frame-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
  });

  test("follows the theme of the visitor's cookie, even from the cache", async () => {
    const dark = () => as.anyone.get("/api/docs", { headers: { cookie: "theme=dark" } });
    expect((await dark()).text).toContain('<html lang="en" data-theme="dark">');
    expect((await as.anyone.get("/api/docs")).text).toContain('<html lang="en">');
    expect((await dark()).headers.get("etag")).toBe((await dark()).headers.get("etag"));
    const odd = await as.anyone.get("/api/docs", { headers: { cookie: 'theme="><script>' } });
    expect(odd.text).toContain('<html lang="en">');
  });
});

describe("the examples of the reference", () => {
  const examples = operations.map(({ path, method, operation }) => ({
    ...toExample(document, path, method),
    id: operation.operationId,
    path,
  }));

  test("appear on the page unchanged", () => {
    const inHtml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
    for (const example of examples) expect(whole).toContain(inHtml(toCurl(example)));
  });

  /** Their answers depend on a setting, or on existing content. */
  const hangOnSettings = ["getMetrics", "getSecurityText", "getEmbed"];

  test("for public reads without parameters succeed", async () => {
    const reads = examples.filter(
      ({ id, method, path, credential }) =>
        method === "GET" && credential === "none" && !path.includes("{") && !hangOnSettings.includes(id),
    );
    expect(reads.length).toBeGreaterThan(8);
    for (const { id, url } of reads) {
      const reply = await as.anyone.get(url.slice(siteUrl.length));
      expect(reply.status, `${id}: ${reply.text.slice(0, 300)}`).toBe(200);
    }
  });

  test("are valid requests, whether or not their objects exist", { timeout: 120_000 }, async () => {
    await make.user({ userName: "ada", email: "ada@example.org", password });
    const misunderstood: string[] = [];
    // Their access is open because of a mailed code; the example with a password needs a session.
    const takeCodes = ["changePassword", "deleteAccount"];
    // A code or a signature in an example is never valid; and ada and her objects may not exist.
    const neverValid = [
      ...["codeInvalid", "identityRefused", "clientInvalid", "moderatorOnly", "adminOnly", "projectsUnknown"],
      ...["artifactHidden", "deviceCodeExpired"],
    ];
    for (const { id, method, url, credential, json: body, parts } of examples) {
      if (parts || id === "getMetrics") continue;
      const caller = await callerFor(takeCodes.includes(id) ? "session" : credential);
      const reply = await caller.call(method, url.slice(siteUrl.length), { json: body });
      const isUnderstood =
        reply.status < 300 || [404, 409].includes(reply.status) || neverValid.includes(reply.body?.code);
      if (!isUnderstood) misunderstood.push(`${id}: ${reply.status} ${reply.text.slice(0, 200)}`);
    }
    // Endpoints listed here need "examples" in their schemas.
    expect(misunderstood).toEqual([]);
  });
});

describe("the example of createVersion", () => {
  test("publishes a version exactly as printed", async () => {
    const world = await testApp();
    const author = await world.make.user();
    await makeProject(world, author, { slug: "better-grass" });
    const token = await world.make.token(author, { scopes: ["version_create"] });
    const command = toCurl(toExample(document, "/api/project/{ref}/version", "post"));
    const [, file] = /primaryFile=@(\S+)/.exec(command)!;
    const folder = mkdtempSync(join(tmpdir(), "modshelf-example-"));
    try {
      writeFileSync(join(folder, file!), jar());
      // The server under test listens on another port than the one in its URL.
      const { stdout } = await promisify(execFile)("sh", ["-c", command.replaceAll(siteUrl, world.origin)], {
        cwd: folder,
        env: { ...process.env, MODSHELF_TOKEN: token.value },
      });
      expect(JSON.parse(stdout)).toMatchObject({ success: true, slug: "1.4.0" });
    } finally {
      rmSync(folder, { recursive: true });
      await world.stop();
    }
  });
});

const password = "correct horse battery";

async function callerFor(credential: "none" | "token" | "session") {
  if (credential === "none") return as.anyone.with({ origin: siteUrl });
  const user = await make.user({ password });
  return credential === "session" ? as.user(user) : as.token(user, { scopes: assignableScopes });
}

describe("the reference, requested again", () => {
  test("is built once for all concurrent first requests", async () => {
    let made = 0;
    const { endpoint } = routes.find(({ endpoint }) => endpoint.id === "getHealth")!;
    const counted = Object.defineProperty({ ...endpoint }, "summary", { get: () => `Made ${++made}` });
    const site = await testApp({ routes: docsRoutes([counted]) });
    const paths = ["/api/docs/openapi.json", "/api/docs/open-api", "/api/docs/openapi.json", "/api/docs"];
    const replies = await Promise.all(paths.map((path) => site.as.anyone.get(path)));
    for (const reply of replies) expect(reply).toSucceed();
    expect(made).toBe(1);
    await site.stop();
  });

  test("is neither built nor compressed again, for any query string", async () => {
    // A page that is built again is compressed again.
    let packed = 0;
    const hook = createHook({ init: (_id, type) => void (/zlib|brotli/i.test(type) && packed++) }).enable();
    try {
      const sizes = async () => {
        const replies: number[] = [];
        for (const path of ["/api/docs/openapi.json", "/api/docs"])
          for (const encoding of ["br", "gzip"]) {
            const headers = { host: new URL(siteUrl).host, "accept-encoding": encoding };
            const reply = await plainCall(origin, "GET", `${path}?x=${uniqueName()}`, headers);
            expect(reply.headers.get("content-encoding")).toBe(encoding);
            replies.push(reply.bytes.length);
          }
        return replies;
      };
      const first = await sizes();
      // Checks that the counting works.
      expect(packed).toBeGreaterThan(0);
      packed = 0;
      expect(await sizes()).toEqual(first);
      expect(packed).toBe(0);
    } finally {
      hook.disable();
    }
  });
});
