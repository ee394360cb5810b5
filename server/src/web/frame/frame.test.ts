// The parts that all pages share: style sheet, error pages, headers.
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { limitKey } from "#lib/client-address.js";
import { FrameControl, frameRoutes } from "#test/server/frame-routes.js";
import { siteUrl, testApp } from "#test/server/harness.js";

const { as, make, resources } = await testApp();
const limited = await testApp({ settings: { MODSHELF_RATE_LIMITS: "on" } });
const failing = await testApp({ routes: frameRoutes(new FrameControl()) });
const inBrowser = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };
const styleSheet = async (): Promise<string> =>
  /href="(\/assets\/site\.[\w-]{12}\.css)"/.exec((await as.anyone.get("/")).text)![1]!;

describe("getAsset", () => {
  test("sends the style sheet with permission to cache it forever, small enough for a first visit", async () => {
    const file = await as.anyone.get(await styleSheet());
    expect(file).toSucceed();
    expect(file.headers.get("content-type")).toBe("text/css; charset=utf-8");
    expect(file.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(gzipSync(file.bytes).length).toBeLessThan(14 * 1024);
    const etag = file.headers.get("etag")!;
    expect((await as.anyone.get(await styleSheet(), { headers: { "if-none-match": etag } })).status).toBe(304);
  });

  test("sends the current file under another release's name, but must not be cached forever", async () => {
    const present = await as.anyone.get(await styleSheet());
    const other = await as.anyone.get("/assets/site.AAAAAAAAAAAA.css");
    expect(other.text).toBe(present.text);
    expect(other.headers.get("cache-control")).toBe("no-cache");
  });

  test.each([/href="(\/assets\/mark\.[\w-]{12}\.svg)"/, /<use href="(\/assets\/tags\.[\w-]{12}\.svg)#box"/])(
    "sends the picture %s",
    async (named) => {
      const path = named.exec((await as.anyone.get("/")).text)![1]!;
      const file = await as.anyone.get(path);
      expect(file.headers.get("content-type")).toBe("image/svg+xml");
      expect(gzipSync(file.bytes).length).toBeLessThan(6 * 1024);
    },
  );

  test("has no other files", async () => {
    for (const name of ["1-tokens.css", "toString", "__proto__", "..%2Fassets.ts", "%2e%2e/assets.ts", "site.css.map"])
      expect(await as.anyone.get(`/assets/${name}`)).toFail(404);
  });
});

/** The account menu of a member, with their picture. */
const accountOf = ({ userName }: { userName: string }) =>
  new RegExp(`<summary><img class="picture round" [^>]*/> <span dir="auto">${userName}</span></summary>`);

describe("a refusal", () => {
  test("is a page for a browser, with the same status and the request id", async () => {
    const page = await as.anyone.get("/no/such/page", inBrowser);
    expect(page.status).toBe(404);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(page.headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
    expect(page.headers.get("permissions-policy")).toContain("camera=()");
    expect(page.headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.text).toContain(page.headers.get("x-request-id"));
    expect(page.text).toContain('<meta name="robots" content="noindex"/>');
  });

  test("is JSON for programs, and for every client below /api, /cdn and /maven", async () => {
    for (const accept of ["*/*", "application/json", "text/css"])
      expect(await as.anyone.get("/no/such/page", { headers: { accept } })).toFail(404, "notFound");
    for (const path of ["/api", "/api/no", "/cdn/no", "/maven/no", "/maven"])
      expect((await as.anyone.call("POST", path, inBrowser)).headers.get("content-type")).toContain("application/json");
    const page = await as.anyone.get("/apis", inBrowser);
    expect(page.headers.get("content-type")).toContain("text/html");
  });

  test("names the allowed methods after a wrong one", async () => {
    const page = await as.anyone.call("DELETE", "/setup", inBrowser);
    expect(page.status).toBe(405);
    expect(page.headers.get("allow")).toBe("GET, HEAD, POST, OPTIONS");
    expect(page.text).toContain("This URL only supports GET");
  });

  test("does not, after a bad credential, open the browser's own dialog", async () => {
    const page = await as.anyone.get("/", { headers: { ...inBrowser.headers, authorization: "Bearer wrong" } });
    expect(page.status).toBe(401);
    expect(page.headers.get("www-authenticate")).not.toContain("Basic");
    const program = await as.anyone.get("/api/user", { headers: { authorization: "Bearer wrong" } });
    expect(program.headers.get("www-authenticate")).toContain("Basic");
  });

  test("that may pass offers to load the same page again", async () => {
    const failed = await failing.as.anyone.get("/frame/throw", inBrowser);
    expect(failed.status).toBe(500);
    expect(failed.text).toMatch(/<a [^>]*href(?:="")? [^>]*>Try again</);
    expect((await as.anyone.get("/no/such/page", inBrowser)).text).not.toContain("Try again");
  });

  test("that a member gets has their header and language, and does not ask them to sign in", async () => {
    const user = await make.user();
    await resources.db.updateTable("users").set({ locale: "de" }).where("id", "=", user.id).execute();
    const refused = [
      ["GET", "/no/such/page", 404],
      ["GET", "/project/no-such-project", 404],
      ["GET", "/moderation", 404],
      ["DELETE", "/setup", 405],
    ] as const;
    for (const [method, path, status] of refused) {
      const page = await as.user(user).call(method, path, { headers: { ...inBrowser.headers, origin: siteUrl } });
      expect([page.status, path]).toEqual([status, path]);
      expect(page.text).toContain('<html lang="de"');
      expect(page.text).toMatch(accountOf(user));
      expect(page.text).toContain('action="/auth/sign-out"');
      expect(page.text).not.toContain("/auth/sign-in");
      expect(page.text).not.toContain("/auth/sign-up");
    }
    const guest = await as.anyone.get("/project/no-such-project", inBrowser);
    expect(guest.text).toContain("/auth/sign-in?next=%2Fproject%2Fno-such-project");
    const expired = { ...inBrowser.headers, cookie: `auth-token=${user.sessionToken.slice(0, -6)}AAAAAA` };
    expect((await as.anyone.get("/no/such/page", { headers: expired })).text).toContain("/auth/sign-up");
  });

  test("after a fault has the header of the member, without a query", async () => {
    const user = await failing.make.user();
    const page = await failing.as.user(user).get("/frame/throw", inBrowser);
    expect(page.status).toBe(500);
    expect(page.text).toMatch(accountOf(user));
  });

  test("looks sessions up only within the quota of the address", async () => {
    const user = await limited.make.user();
    const first = await limited.as.user(user).get("/no/such/page", inBrowser);
    expect(first.text).toMatch(accountOf(user));
    const { limiter } = limited.resources;
    while ((await limiter.take("read", limitKey("127.0.0.1"))).allowed);
    const last = await limited.as.user(user).get("/no/such/page", inBrowser);
    expect(last.status).toBe(404);
    expect(last.text).not.toContain(user.userName);
    expect(last.text).not.toContain("/auth/sign-up");
    expect(last.text).toContain('<a href="/dashboard">');
  });

  test("repeats nothing of a hostile URL", async () => {
    const page = await as.anyone.get("/%3Cscript%3Ealert(1)%3C/script%3E?x=<script>", inBrowser);
    expect(page.status).toBe(404);
    expect(page.text).not.toContain("alert");
    const broken = await as.anyone.get("/%ff%5c", inBrowser);
    expect(broken.status).toBe(400);
    expect(broken.headers.get("content-type")).toContain("text/html");
  });

  test("and all other pages vary by the requested language", async () => {
    for (const path of ["/", "/", "/mods", "/auth/sign-in", "/nowhere"])
      expect((await as.anyone.get(path, inBrowser)).headers.get("vary"), path).toContain("Accept-Language");
  });

  test("says that a form has the wrong content type", async () => {
    const reply = await as.anyone.call("POST", "/auth/verify", {
      headers: { "content-type": "application/xml", accept: "text/html", origin: siteUrl },
      body: "<code/>",
    });
    expect(reply.status).toBe(415);
    expect(reply.headers.get("content-type")).toContain("text/html");
  });
});
