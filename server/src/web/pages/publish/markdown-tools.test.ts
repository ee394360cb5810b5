// The Markdown playground and the preview of editors.
import { describe, expect, test } from "vitest";
import { readPage, submitFiles } from "#test/callers/page-forms.js";
import { testApp } from "#test/server/harness.js";

const { as, make } = await testApp();

describe("getMarkdownPage, submitMarkdown and previewMarkdown", () => {
  test("show a sample to guests, and their own texts to users", async () => {
    expect((await readPage(as.anyone, "/tools/markdown")).text).toContain('<h2 id="h-lamps">Lamps</h2>');
    const actor = as.user(await make.user());
    const page = await submitFiles(actor, "/tools/markdown", { text: "**bold** <script>x</script>" });
    expect(page.text).toContain("<strong>bold</strong>");
    expect(page.text).not.toContain("<script>x");
    const reply = await actor.post("/api/markdown", { text: "*a*" });
    expect(reply.body).toEqual({ html: "<p><em>a</em></p>\n" });
    expect(await actor.post("/api/markdown", { text: "x".repeat(65_257) })).toFail(400, "invalidRequest");
  });

  test("render no text of a guest, who gets it back after signing in", async () => {
    expect(await as.anyone.post("/api/markdown", { text: "*a*" })).toFail(401, "signInNeeded");
    const page = await submitFiles(as.anyone, "/tools/markdown", { text: "**bold**" });
    expect(page.status).toBe(401);
    expect(page.text).toContain("**bold**");
    expect(page.text).not.toContain("<strong>bold</strong>");
  });
});
