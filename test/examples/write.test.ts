// `npm run docs`: calls the whole API on a real server with a little content, and writes the answers to the file from
// which the reference takes its examples. Time and random bytes are fixed, so that the file changes only with the API.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { toOpenApi } from "#platform/http/openapi.js";
import { examplesFile, exampleUrl } from "#platform/http/openapi-examples.js";
import { siteUrl, TestClock } from "#test/server/harness.js";
import { startBuildService } from "#test/setup/build-service.js";
import { oauthApp } from "#test/setup/oauth-browser.js";
import { startSmtp } from "#test/setup/smtp.js";
import { startReceiver } from "#test/setup/webhook-receiver.js";
import { webhookSettings } from "#test/worlds/webhook-world.js";
import { setUp, walkAccounts, walkApplications, walkDevices, walkProviders } from "./accounts.js";
import { walkCommunity } from "./community.js";
import { walkContent } from "./content.js";
import { leave } from "./leaving.js";
import { walkModeration } from "./moderation.js";
import { endpointsById, Recorder } from "./recorder.js";
import type { Tour } from "./tour.js";
import { withoutExample } from "./without.js";

const noon = Date.parse("2026-03-14T12:00:00Z");

/**
 * Deterministic bytes that look random. They depend on the time and on the functions that ask for them, so that
 * background work of the server, which may run at any moment, does not change the bytes that a request gets.
 */
function fixedRandom(clock: TestClock) {
  const counts = new Map<string, number>();
  return {
    bytes(length: number): Buffer {
      const moment = `${clock.now()} ${length} ${callers()}`;
      const count = counts.get(moment) ?? 0;
      counts.set(moment, count + 1);
      return createHash("shake256", { outputLength: length }).update(`${moment} ${count}`).digest();
    },
  };
}

/** The functions of the server that are being called, without line numbers, which change with every edit. */
const callers = (): string =>
  [...new Error().stack!.matchAll(/at (?:async )?(\S+) \(\S*\/server\/src\//g)].map(([, name]) => name).join(" ");

test("writes an example of every answer", { timeout: 600_000 }, async () => {
  const clock = new TestClock();
  clock.freeze(noon);
  const [smtp, builds, receiver] = [await startSmtp(), await startBuildService(clock), await startReceiver()];
  afterAll(() => Promise.all([smtp.stop(), builds.stop()]));
  const world = await oauthApp({
    clock,
    random: fixedRandom(clock),
    settings: {
      ...webhookSettings,
      MODSHELF_SMTP_URL: smtp.url,
      MODSHELF_MAIL_FROM: "shelf@example.org",
      MODSHELF_TRUSTED_ISSUERS: `github:${builds.url}`,
      MODSHELF_SECURITY_CONTACT: "security@example.org",
      MODSHELF_METRICS_TOKEN: "not-a-secret-at-all",
    },
  });
  const endpoints = [...endpointsById.values()];
  const document = toOpenApi(endpoints, { version: "0", url: exampleUrl, examples: {} });
  const { make, as } = world;
  const password = "correct horse battery";
  const [ada, grace, mo] = [
    await make.user({ userName: "ada", email: "ada@example.org", password }),
    await make.user({ userName: "grace", email: "grace@example.org", password }),
    await make.user({ userName: "mo", email: "mo@example.org", role: "moderator" }),
  ];
  await make.confirmed(mo);
  const cast = {
    anyone: as.anyone.with({ origin: siteUrl }),
    user: as.user(ada),
    moderator: as.user(mo),
    admin: as.anyone,
  };
  const recorder = new Recorder(world, document, cast, [
    [siteUrl, exampleUrl],
    [encodeURIComponent(siteUrl), encodeURIComponent(exampleUrl)],
    [new URL(siteUrl).host, new URL(exampleUrl).host],
    [receiver.url, "https://hooks.example.org/modshelf"],
    [new URL(receiver.url).origin, "https://hooks.example.org"],
    [builds.url, "https://token.actions.githubusercontent.com"],
    [`${new URL(await world.browser().begin("signin", "github")).origin}/`, "https://"],
    ["127.0.0.1", "203.0.113.7"],
    ["127.0.0.0/24", "203.0.113.0/24"],
  ]);
  const outfit = { ...world, recorder, clock, smtp, builds, receiver, password };
  const root = await setUp(outfit);
  cast.admin = root.actor;
  const tour = { ...outfit, people: { ada, grace, mo, root } };
  const walks = [
    walkAccounts,
    walkProviders,
    walkContent,
    walkCommunity,
    walkModeration,
    walkApplications,
    walkDevices,
  ];
  const parts = [...walks, readEverything, leave];
  // A refused request explains why a later step could not run.
  for (const part of parts)
    await part(tour).catch((error: Error) => recorder.refused.push(`${part.name}: ${error.stack}`));
  expect(recorder.refused).toEqual([]);

  const missing = endpoints.filter(
    ({ id, internal }) => !internal && !recorder.examples.has(id) && !withoutExample[id],
  );
  expect(missing.map(({ id }) => id)).toEqual([]);
  const lines = [...recorder.examples]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, example]) => `${JSON.stringify(id)}: ${JSON.stringify(example)}`);
  writeFileSync(examplesFile, `{\n${lines.join(",\n")}\n}\n`);
});

/** Requests that only read can be sent in any order. */
async function readEverything({ recorder }: Tour): Promise<void> {
  const reads = [...endpointsById.values()].filter(({ method, internal }) => method === "GET" && !internal);
  for (const { id } of reads) if (!recorder.examples.has(id) && !withoutExample[id]) await recorder.call(id);
}
