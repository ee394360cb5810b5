// Health, readiness and metrics, on both databases, also while a part of the server fails.
import { renameSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { siteUrl, testApp } from "#test/server/harness.js";

const token = "a-token-for-metrics-only";
const { as, resources, dataDir } = await testApp({ settings: { MODSHELF_METRICS_TOKEN: token } });
const { db, readiness } = resources;

describe("getHealth", () => {
  test("says that the process is alive, to anybody, and is never cached", async () => {
    const reply = await as.anyone.get("/healthz");
    expect(reply).toSucceed();
    expect(reply.body).toEqual({ status: "ok" });
    expect(reply.headers.get("cache-control")).toBe("no-store");
    expect((await as.anyone.head("/healthz")).status).toBe(200);
  });
});

describe("getReadiness", () => {
  const breakages = [
    {
      part: "storage",
      destroy: async () => renameSync(join(dataDir, "files"), join(dataDir, "files-gone")),
      mend: async () => renameSync(join(dataDir, "files-gone"), join(dataDir, "files")),
    },
    {
      part: "database",
      destroy: () => sql`alter table settings rename to settings_gone`.execute(db),
      mend: () => sql`alter table settings_gone rename to settings`.execute(db),
    },
  ];
  let mend: (() => Promise<unknown>) | undefined;
  afterEach(async () => {
    await mend?.();
    mend = undefined;
    await readiness.probe();
  });

  test("says that the server takes traffic, with each part by name", async () => {
    const reply = await as.anyone.get("/readyz");
    expect(reply).toSucceed();
    expect(reply.body).toEqual({ ready: true, components: { database: "ok", storage: "ok", server: "ok" } });
    expect(reply.headers.get("cache-control")).toBe("no-store");
  });

  test.each(breakages)(
    "answers 503 and names the $part while it does not work, and recovers by itself",
    async (broken) => {
      await broken.destroy();
      mend = broken.mend;
      await readiness.probe();
      const reply = await as.anyone.get("/readyz");
      expect([reply.status, reply.body.ready, reply.body.components[broken.part]]).toEqual([503, false, "failing"]);
      expect(reply.headers.get("retry-after")).toBe("5");
      // The process itself is alive: a restart would not help.
      expect(await as.anyone.get("/healthz")).toSucceed();

      await broken.mend();
      mend = undefined;
      await readiness.probe();
      expect(await as.anyone.get("/readyz")).toSucceed();
    },
  );
});

describe("getMetrics", () => {
  const ask = (authorization?: string) =>
    as.anyone.get("/metrics", { headers: authorization ? { authorization } : {} });

  test("gives metrics to callers with the token, in the Prometheus format", async () => {
    await as.anyone.get("/api/user/nobody-at-all");
    const reply = await ask(`Bearer ${token}`);
    expect(reply).toSucceed();
    expect(reply.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    for (const name of [
      "request_seconds_bucket",
      "jobs",
      "process_resident_memory_bytes",
      'cache_bytes{cache="prepared"}',
      'cache_limit{cache="prepared"}',
      'cache_entries{cache="prepared"}',
      'cache_hits{cache="prepared"}',
      'cache_misses{cache="prepared"}',
      "nodejs_eventloop_lag_p99_seconds",
    ])
      expect(reply.text).toMatch(new RegExp(`^modshelf_${name.replace(/[{}]/g, "\\$&")}[{ ]`, "m"));
    // Each line is a comment or a sample.
    const odd = reply.text
      .split("\n")
      .filter((line) => line && !/^(#.*|\w+(\{[^{}]*\})? (\d|-\d|NaN|\+Inf))/.test(line));
    expect(odd).toEqual([]);
  });

  test.each([
    [undefined],
    ["Bearer"],
    ["Bearer wrong-token-of-this-length"],
    [`Bearer ${token} `.repeat(2)],
    [`Token ${token}`],
  ])("refuses %j", async (authorization) => {
    expect(await ask(authorization)).toFail(401, "credentialInvalid");
  });
});

describe("getService", () => {
  test("describes the service and the URLs of its parts", async () => {
    const reply = await as.anyone.get("/api");
    expect(reply).toSucceed();
    expect(reply.body).toMatchObject({ website: siteUrl, docs: `${siteUrl}/api/docs`, cdn: `${siteUrl}/cdn` });
    expect(reply.body.version).toMatch(/^\d+\.\d+\.\d+/);
  });
});
