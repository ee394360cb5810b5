// `modshelf demo`: a server like any other, with sample content loaded where the registry is empty.
import { type App, createApp } from "../app.js";
import type { Config } from "../config.js";
import { readDemoContent } from "../demo/content.js";
import { fillWithDemo } from "../demo/fill.js";
import { RateLimiter } from "../http/rate-limiter.js";
import type { Resources } from "../http/resources.js";
import { serve } from "./serve.js";

export const demo = (config: Config): Promise<number> => serve(config, fillIfEmpty);

async function fillIfEmpty(resources: Resources): Promise<void> {
  const { db, log } = resources;
  const any = await db.selectFrom("projects").select("id").limit(1).executeTakeFirst();
  if (any) return log.info("The registry has projects already; the demo content was left out");
  log.info("Filling the registry with demo content");
  const count = await fill(resources);
  log.info({ projects: count }, "The demo content is there");
}

/** Through a door of its own on loopback, without limits: everybody's limits would take an hour. */
async function fill(resources: Resources): Promise<number> {
  const limiter = new RateLimiter(resources.db, resources.clock, false);
  const app: Pick<App, "http"> = await createApp({ ...resources, limiter });
  const origin = await app.http.listen({ host: "127.0.0.1", port: 0 });
  try {
    return await fillWithDemo(resources, origin, readDemoContent(), (name) =>
      resources.log.debug({ name }, "Demo project made"),
    );
  } finally {
    await app.http.close();
  }
}
