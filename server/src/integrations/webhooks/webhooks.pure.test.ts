// Signatures, pauses, and the messages to Discord.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { systemRandom } from "#lib/random.js";
import { escaped, toDiscordBody } from "./discord.js";
import { eventTypes } from "./event-types.js";
import type { Facts } from "./facts.js";
import { askedPauseMs, hasTooManyFailures, isGivenUp, pauseMs, shortenUrl } from "./policy.js";
import { newWebhookSecret, sign, signedHeaders } from "./signing.js";

describe("a signature", () => {
  test("equals the one that the standard's own libraries make", () => {
    const parts = { messageId: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1614265330, body: '{"test": 2432232314}' };
    expect(sign("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", parts)).toBe(
      "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    );
  });

  test("depends on each of its parts", () => {
    const secret = newWebhookSecret(systemRandom);
    const parts = { messageId: "a", timestamp: 1, body: "x" };
    const all = [
      sign(secret, parts),
      sign(newWebhookSecret(systemRandom), parts),
      sign(secret, { ...parts, messageId: "b" }),
      sign(secret, { ...parts, timestamp: 2 }),
      sign(secret, { ...parts, body: "y" }),
    ];
    expect(new Set(all).size).toBe(5);
    const both = signedHeaders([secret, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"], parts)["webhook-signature"]!;
    expect(both.split(" ")).toHaveLength(2);
  });

  test("is made with a secret of 32 bytes", () => {
    const secret = newWebhookSecret(systemRandom);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), "base64")).toHaveLength(32);
  });
});

describe("docs/webhooks.md", () => {
  const page = readFileSync(new URL("../../../../docs/webhooks.md", import.meta.url), "utf8");

  test("documents a check that accepts the signatures made here, and nothing else", async () => {
    const code = /```js\n(.*?)```/s.exec(page)![1]!;
    const { isGood } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    const secrets = [newWebhookSecret(systemRandom), newWebhookSecret(systemRandom)];
    const parts = { messageId: "msg_a", timestamp: Math.floor(Date.now() / 1000), body: '{"grüße":1}' };
    const headers = signedHeaders(secrets, parts);
    for (const secret of secrets) expect(isGood(secret, headers, parts.body)).toBe(true);
    expect(isGood(secrets[0], headers, `${parts.body} `)).toBe(false);
    expect(isGood(newWebhookSecret(systemRandom), headers, parts.body)).toBe(false);
    expect(isGood(secrets[0], { ...headers, "webhook-id": "msg_b" }, parts.body)).toBe(false);
    expect(isGood(secrets[0], signedHeaders(secrets, { ...parts, timestamp: 1 }), parts.body)).toBe(false);
  });

  test("names every event", () => {
    expect([...eventTypes, "ping"].filter((type) => !page.includes(`| \`${type}\` |`))).toEqual([]);
  });
});

describe("pauses", () => {
  test("grow from five seconds to half a day with a random tenth more, and eight attempts take a day", () => {
    expect([1, 2, 3, 8, 9, 50].map((failures) => pauseMs(failures, 0))).toEqual([
      5000, 300_000, 1_800_000, 43_200_000, 43_200_000, 43_200_000,
    ]);
    expect(pauseMs(1, 1)).toBe(5500);
    const inAll = [1, 2, 3, 4, 5, 6, 7].reduce((sum, failures) => sum + pauseMs(failures, 0), 0);
    expect(inAll / 3_600_000).toBeGreaterThan(24);
    expect(inAll / 3_600_000).toBeLessThan(30);
  });

  test("end after eight attempts or thirty hours, and permanently after fifteen failures in a row", () => {
    expect([isGivenUp(7, 0), isGivenUp(8, 0), isGivenUp(1, 30 * 3_600_000)]).toEqual([false, true, true]);
    expect([hasTooManyFailures(14), hasTooManyFailures(15)]).toEqual([false, true]);
  });

  const now = Date.parse("2026-11-15T09:30:00Z");
  test.each([
    ["7", 7000],
    ["0.5", 1000],
    ["0", 1000],
    ["99999999", 3_600_000],
    ["Sun, 15 Nov 2026 09:31:00 GMT", 60_000],
    ["Sun, 15 Nov 2020 09:31:00 GMT", 1000],
    ["soon", undefined],
    ["-5", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("that a receiver requests are limited: %s", (header, expected) => {
    expect(askedPauseMs(header, now)).toBe(expected);
  });
});

test.each([
  ["https://discord.com/api/webhooks/1234567890/tOkEn_of-68-letters", "https://discord.com/…ters"],
  ["https://hooks.example.org:8443/?key=0123456789", "https://hooks.example.org:8443/…6789"],
  // The last four characters would reveal too much of such a short path.
  ["https://hooks.example.org/key-0123456", "https://hooks.example.org/…"],
  ["https://hooks.example.org/", "https://hooks.example.org/"],
])("the URL %s is shown as %s", (url, shown) => {
  expect(shortenUrl(url)).toBe(shown);
});

const site = { url: "https://mods.example.org", cdnUrl: "https://cdn.mods.example.org" };
const project = {
  ...{ id: "kX3vQ9aB", slug: "lamps", name: "Lamps", summary: "Light", types: ["mod"], status: "approved" },
  ...{ visibility: "listed", orgId: null, iconFile: "icon.png", color: "#ff8000" },
};
const version = {
  ...{ id: "vX3vQ9aB", number: "1.2.0", slug: "1.2.0", title: "Better", channel: "release", changelog: "Much better" },
  ...{ gameVersions: ["0.4.8"], loaders: ["quilt"], datePublished: 1, isYanked: false, yankReason: null, files: [] },
};
const facts = (change: Partial<Facts> = {}): Facts => ({
  type: "version.published",
  date: 5,
  project,
  version,
  ...change,
});
const embedOf = (given: Facts) => JSON.parse(toDiscordBody(given, site)).embeds[0];

describe("messages to Discord", () => {
  test("are an embed that links to the version", () => {
    expect(JSON.parse(toDiscordBody(facts(), site))).toEqual({
      allowed_mentions: { parse: [] },
      embeds: [
        {
          title: "Lamps 1\\.2\\.0",
          description: "Much better",
          url: "https://mods.example.org/project/lamps/version/1.2.0",
          color: 0xff8000,
          thumbnail: { url: "https://cdn.mods.example.org/cdn/data/project/kX3vQ9aB/icon.png" },
          fields: [
            { name: "Channel", value: "release", inline: true },
            { name: "Loaders", value: "quilt", inline: true },
            { name: "Game versions", value: "0\\.4\\.8", inline: true },
          ],
          timestamp: "1970-01-01T00:00:00.005Z",
        },
      ],
    });
  });

  test("mention no users and have no markup, for any text of an author", () => {
    const text = "@everyone <@123> <#1> [click](https://evil.example) **bold** `code` ~~x~~ ||y|| # big\n> quote \\";
    const { title, description } = embedOf(
      facts({ project: { ...project, name: text }, version: { ...version, changelog: text } }),
    );
    for (const shown of [title, description]) {
      expect(shown.replaceAll(/\\./g, "")).not.toMatch(/[@<>[\]()*`~|#\\]/);
    }
    expect(escaped(text, 1000).replaceAll(/\\(.)/g, "$1")).toBe(text);
  });

  test("respect Discord's limits, even with surrogate pairs and escapes", () => {
    for (const char of ["x", "*", "😀", "\ud800"]) {
      const long = char.repeat(70_000);
      const embed = embedOf(
        facts({
          project: { ...project, name: long },
          version: {
            ...version,
            changelog: long,
            number: long,
            loaders: [long],
            gameVersions: [long, long],
            channel: long,
          },
        }),
      );
      expect(embed.title.length).toBeLessThanOrEqual(256);
      expect(embed.description.length).toBeLessThanOrEqual(4096);
      for (const { value } of embed.fields) expect(value.length).toBeLessThanOrEqual(1024);
      const inAll = [embed.title, embed.description, ...embed.fields.flatMap((field: object) => Object.values(field))]
        .filter((each) => typeof each === "string")
        .join("").length;
      expect(inAll).toBeLessThanOrEqual(6000);
      expect(embed.description.isWellFormed()).toBe(true);
      expect(embed.description).toMatch(/(?<!(?<!\\)(?:\\\\)*\\)…$/);
    }
  });

  test.each([...eventTypes, "ping" as const])("have a text for %s, even if little is known", (type) => {
    const bare: Facts = {
      type,
      date: 5,
      project: { id: "a", slug: "lamps", name: "Lamps", orgId: null },
      version: { id: "v" },
    };
    for (const given of [facts({ type, status: { from: "draft", to: "approved" } }), bare]) {
      const { title } = embedOf(given);
      expect(title).toContain("Lamps");
      expect(title).not.toContain("undefined");
    }
    expect(embedOf({ type: "ping", date: 1, organization: { id: "o", slug: "makers", name: "Makers" } })).toMatchObject(
      {
        title: "The webhook of Makers works",
        url: "https://mods.example.org/organization/makers",
      },
    );
  });
});
