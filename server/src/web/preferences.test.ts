// Theme, language and set-up of visitors, guests included.
import { describe, expect, test } from "vitest";
import { testApp } from "../../../test/harness.js";
import { location, submit } from "../../../test/page-forms.js";

const { as } = await testApp();

/** The cookies that an answer sets, by name. */
const cookiesOf = (reply: { headers: Headers }): Record<string, string> =>
  Object.fromEntries(reply.headers.getSetCookie().map((text) => text.split(";")[0]!.split("=") as [string, string]));

const pageWith = (cookie: string, headers: Record<string, string> = {}) =>
  as.anyone.get("/about", { headers: { cookie, accept: "text/html", ...headers } });

describe("submitDisplay", () => {
  test("keeps theme and language, and goes back to the page", async () => {
    const reply = await submit(as.anyone, "/settings/display", { theme: "dark", lang: "de", next: "/mods?q=x" });
    expect([reply.status, location(reply)]).toEqual([303, "/mods?q=x"]);
    expect(cookiesOf(reply)).toEqual({ theme: "dark", lang: "de" });
    const page = await pageWith("theme=dark; lang=de");
    expect(page.text).toContain('<html lang="de" data-theme="dark">');
  });

  test("follows the device again", async () => {
    const reply = await submit(as.anyone, "/settings/display", { theme: "auto" });
    expect(reply.headers.getSetCookie()[0]).toMatch(/^theme=; .*Max-Age=0/);
  });

  test.each(["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "/\u0000"])(
    "never leads to another site (%j)",
    async (next) => {
      const reply = await submit(as.anyone, "/settings/display", { theme: "dark", next });
      expect(location(reply) ?? "/").toBe("/");
    },
  );

  test("passes over what it does not know", async () => {
    const reply = await submit(as.anyone, "/settings/display", { theme: "pink", lang: "tlh" });
    expect(reply.status).toBe(303);
    expect(cookiesOf(reply)).toEqual({ theme: "" });
    const page = await pageWith("theme=<x>; lang=../../x; setup=<script>|", { "accept-language": "xx, de;q=0.9" });
    expect(page.text).toContain('<html lang="de">');
    expect(page.text).not.toContain("<script>|");
  });
});

describe("submitSetupChoice", () => {
  test("keeps a game version and loader that exist; the chip then shows them", async () => {
    const reply = await submit(as.anyone, "/settings/setup", { gameVersion: "0.4.8", loader: "quilt", next: "/mods" });
    expect([reply.status, location(reply)]).toEqual([303, "/mods"]);
    expect(cookiesOf(reply)).toEqual({ setup: "0.4.8|quilt" });
    expect((await pageWith("setup=0.4.8|quilt")).text).toContain("0.4.8 · quilt");
  });

  test("forgets it, and takes nothing that does not exist", async () => {
    expect((await submit(as.anyone, "/settings/setup")).headers.getSetCookie()[0]).toMatch(/^setup=; .*Max-Age=0/);
    const odd = await submit(as.anyone, "/settings/setup", { gameVersion: "99.99", loader: "<b>" });
    expect(cookiesOf(odd)).toEqual({ setup: "" });
  });
});
