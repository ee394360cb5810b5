// The digest mail of notifications: its content, and that user input in it is harmless.
import { describe, expect, test } from "vitest";
import { digestMail } from "./digest.js";

const input = {
  siteUrl: "https://mods.example/",
  userName: "ada",
  items: [
    { text: "Fancy lamps has a new version: 1.2.0", url: "https://mods.example/project/lamps" },
    { text: `"><script>alert('x')</script> & Co was approved`, url: "https://mods.example/project/co?a=1&b=2" },
  ],
  more: 0,
  unsubscribeUrl: "https://mods.example/unsubscribe?token=msc_abc",
};

describe("a digest", () => {
  test("greets by name, lists the notifications with their URLs, and says how to unsubscribe", () => {
    const { subject, text } = digestMail(input);
    expect(subject).toBe("2 new notifications");
    expect(text).toMatch(/^Hello ada,\n/);
    expect(text).toContain("* Fancy lamps has a new version: 1.2.0\n  https://mods.example/project/lamps\n");
    expect(text).toContain("\nhttps://mods.example/unsubscribe?token=msc_abc\n");
    expect(text).toContain("\n-- \nhttps://mods.example/\n");
    for (const [link] of text.matchAll(/https?:\S+/g)) expect(link.startsWith("https://mods.example/")).toBe(true);
  });

  test("shows names as text, with any content", () => {
    const { html } = digestMail(input);
    expect(html).not.toContain("<script");
    expect(html).toContain("&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; Co was approved");
    expect(html).toContain('href="https://mods.example/project/co?a=1&amp;b=2"');
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, link]) => link!);
    expect(links).toHaveLength(5);
    for (const link of links) expect(link.startsWith("https://mods.example/")).toBe(true);
    expect(html).not.toMatch(/<(?:img|link|style|iframe)|src=|style=/);
  });

  test("counts the notifications that it does not list", () => {
    expect(digestMail({ ...input, more: 40 })).toMatchObject({
      subject: "42 new notifications",
      text: expect.stringContaining("And 40 more. View all: https://mods.example/dashboard/notifications"),
    });
    expect(digestMail({ ...input, items: input.items.slice(0, 1) }).subject).toBe("1 new notification");
  });

  test("is in the language of its reader", () => {
    const { subject, text, html } = digestMail({ ...input, more: 40, locale: "de" });
    expect(subject).toBe("42 neue Benachrichtigungen");
    expect(text).toMatch(/^Hallo ada!\n/);
    expect(text).toContain("Und 40 weitere. Alle ansehen: https://mods.example/dashboard/notifications");
    expect(html).toContain('<html lang="de">');
    expect(digestMail({ ...input, locale: "zh" })).toMatchObject({
      subject: "2 条新通知",
      html: expect.stringContaining('<html lang="zh-Hans">'),
    });
    expect(`${text}${html}`).not.toMatch(/Hello|Here is what|Unsubscribe|You get this/);
  });
});
