// robots.txt and security.txt.
import { describe, expect, test } from "vitest";
import { siteUrl, testApp } from "#test/server/harness.js";

const { as } = await testApp();

describe("getRobotsText", () => {
  test("keeps crawlers away from private pages and URLs for programs, and names the sitemaps", async () => {
    const reply = await as.anyone.get("/robots.txt");
    expect(reply.status).toBe(200);
    expect(reply.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    const lines = reply.text.split("\n");
    expect(lines[0]).toBe("User-agent: *");
    for (const path of ["/api/", "/settings", "/dashboard", "/moderation", "/admin", "/auth/"])
      expect(lines).toContain(`Disallow: ${path}`);
    expect(lines).toContain("Allow: /api/docs");
    expect(lines).toContain(`Sitemap: ${siteUrl}/sitemap.xml`);
    expect(lines.filter((line) => line !== "" && !/^[A-Z][a-z-]+: \S+$/i.test(line))).toEqual([]);
    const head = await as.anyone.head("/robots.txt");
    expect([head.status, head.headers.get("etag")]).toEqual([200, reply.headers.get("etag")]);
    expect((await as.anyone.post("/robots.txt")).status).toBe(405);
  });

  test("allows all the pages that the sitemaps list", async () => {
    const rules = (await as.anyone.get("/robots.txt")).text
      .split("\n")
      .filter((line) => line.startsWith("Disallow: "))
      .map((line) => new RegExp(`^${line.slice(10).replaceAll("*", ".*")}`));
    const { text } = await as.anyone.get("/sitemaps/pages-1.xml");
    const paths = [...text.matchAll(/<loc>([^<]+)/g)].map(([, url]) => url!.slice(siteUrl.length));
    expect(paths).toContain("/projects");
    expect(paths.filter((path) => path !== "/api/docs" && rules.some((rule) => rule.test(path)))).toEqual([]);
    for (const path of ["/project/x", "/project/x/version/1.0", "/project/x/versions", "/user/ada", "/collection/x"])
      expect(rules.filter((rule) => rule.test(path))).toEqual([]);
  });
});

describe("getSecurityText", () => {
  test("is absent if the operator names no contact", async () => {
    expect(await as.anyone.get("/.well-known/security.txt")).toFail(404, "notFound");
  });

  test("names the contacts, and expires within a year whenever it is read", async () => {
    const other = await testApp({
      settings: { MODSHELF_SECURITY_CONTACT: "a@example.org, https://example.org/security" },
    });
    const read = async () => (await other.as.anyone.get("/.well-known/security.txt")).text;
    const first = await read();
    expect(first.split("\n").slice(0, 2)).toEqual([
      "Contact: mailto:a@example.org",
      "Contact: https://example.org/security",
    ]);
    expect(first).toContain(`Canonical: ${siteUrl}/.well-known/security.txt\n`);
    const expires = (text: string) => Date.parse(/^Expires: (.+)$/m.exec(text)![1]!) - other.clock.now();
    const day = 86_400_000;
    expect(expires(first)).toBeGreaterThan(150 * day);
    other.clock.advance(400 * day);
    const later = await read();
    expect(expires(later)).toBeGreaterThan(150 * day);
    expect(expires(later)).toBeLessThan(365 * day);
    await other.stop();
  });
});
