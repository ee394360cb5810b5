// The routes of the page in status.tsx.
import { sql } from "kysely";
import { findMedianWait } from "#moderation/desk/read.js";
import { readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { localeOf } from "#web/context/preferences.js";
import { pageRoute } from "#web/frame/page.js";
import { texts, textsIn } from "#words/texts.js";
import { Status, type Waits } from "./status.js";

export const statusRoutes: Route[] = [
  pageRoute(
    {
      id: "getStatusPage",
      path: "/status",
      access: readable("user_read"),
      summary: "The state of the service and its waiting times",
      cacheControl: "no-store",
    },
    async ({ request }, resources) => {
      const { isReady, components } = resources.readiness;
      // If the database fails, this page must work without it.
      const waits = components.database === "failing" ? undefined : await readWaits(resources);
      return {
        title: textsIn(texts.site.about, localeOf(request)).status,
        status: isReady ? 200 : 503,
        content: <Status isReady={isReady} components={components} waits={waits} />,
      };
    },
  ),
];

/** Uses partial indexes, which contain only waiting rows. */
async function readWaits({ db, clock }: Resources): Promise<Waits> {
  const now = clock.now();
  const { rows } = await sql<Record<"waiting" | "jobs" | "oldest" | "parked", number | null>>`
    select
      (select count(*) from projects where status = 'processing') as waiting,
      (select count(*) from jobs where date_parked is null and run_after <= ${now}) as jobs,
      (select min(run_after) from jobs where date_parked is null and run_after <= ${now}) as oldest,
      (select count(*) from jobs where date_parked is not null) as parked`.execute(db);
  const { waiting, jobs, oldest, parked } = rows[0]!;
  const median = await findMedianWait(db, now);
  return {
    waiting: Number(waiting),
    medianMs: median === null ? null : median * 1000,
    jobs: Number(jobs),
    oldestJobMs: oldest === null ? null : now - Number(oldest),
    parked: Number(parked),
  };
}
