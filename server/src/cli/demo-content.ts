// The sample content of `modshelf demo`, for an empty registry.
import { type App, createApp } from "#app.js";
import { readDemoContent } from "#operations/demo/content.js";
import { fillWithDemo } from "#operations/demo/fill.js";
import { MovableClock } from "#operations/demo/past.js";
import { RateLimiter } from "#platform/http/rate-limiter.js";
import type { Resources } from "#platform/http/resources.js";

export async function fillIfEmpty(resources: Resources): Promise<void> {
  const { db, log } = resources;
  const any = await db.selectFrom("projects").select("id").limit(1).executeTakeFirst();
  if (any) return log.info("The registry has projects already; the demo content was left out");
  log.info("Filling the registry with demo content");
  const count = await fill(resources);
  log.info({ projects: count }, "The demo content is there");
}

/**
 * Uses a separate server on loopback: without rate limits, which would make it take an hour, and with its own clock, so
 * that the content has a history.
 */
async function fill(given: Resources): Promise<number> {
  const limiter = new RateLimiter(given.db, given.clock, { isEnabled: () => false, peers: given.peers });
  const resources = { ...given, limiter, clock: new MovableClock(given.clock.now()) };
  const app: Pick<App, "http"> = await createApp(resources);
  const origin = await app.http.listen({ host: "127.0.0.1", port: 0 });
  try {
    return await fillWithDemo(resources, origin, readDemoContent(), (name) =>
      resources.log.debug({ name }, "Demo project made"),
    );
  } finally {
    await app.http.close();
  }
}
