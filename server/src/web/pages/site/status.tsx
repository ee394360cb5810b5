// Whether everything works, and how long things wait: for people. Machines ask /readyz.

import { sql } from "kysely";
import { findMedianWait } from "#moderation/desk/read.js";
import { readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { useFormat } from "#web/context/frame.js";
import { localeOf } from "#web/context/preferences.js";
import { useTexts } from "#web/context/texts.js";
import { pageRoute } from "#web/frame/page.js";
import { Icon } from "#web/parts/icon.js";
import { Notice } from "#web/parts/notice.js";
import { texts, textsIn } from "#words/texts.js";

interface Waits {
  waiting: number;
  medianMs: number | null;
  jobs: number;
  oldestJobMs: number | null;
  parked: number;
}

export const statusRoutes: Route[] = [
  pageRoute(
    {
      id: "getStatusPage",
      path: "/status",
      access: readable("user_read"),
      summary: "Whether everything works, and how long things wait",
      cacheControl: "no-store",
    },
    async ({ request }, resources) => {
      const { isReady, components } = resources.readiness;
      // Where the database fails, the page that says so must not ask it.
      const waits = components.database === "failing" ? undefined : await readWaits(resources);
      return {
        title: textsIn(texts.site.about, localeOf(request)).status,
        status: isReady ? 200 : 503,
        content: <Status isReady={isReady} components={components} waits={waits} />,
      };
    },
  ),
];

/** Over partial indexes: what waits, not what there is. */
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

interface Props {
  isReady: boolean;
  components: Record<string, string>;
  waits: Waits | undefined;
}

const Status = ({ isReady, components, waits }: Props) => {
  const t = useTexts(texts.site.about);
  const partNames: Record<string, string> = t.part;
  const stateNames: Record<string, string> = t.states;
  return (
    <div class="stack plain-page">
      <h1>{t.status}</h1>
      <Notice title={isReady ? t.allWell : t.trouble} {...(!isReady && { kind: "problem" })} />
      <h2>{t.parts}</h2>
      <dl class="plain-facts">
        {Object.entries(components).map(([name, state]) => (
          <div key={name}>
            <dt>{partNames[name] ?? name}</dt>
            <dd>
              <Icon name={state === "ok" ? "check" : "warning"} /> {stateNames[state] ?? state}
            </dd>
          </div>
        ))}
      </dl>
      {waits && <WaitFacts waits={waits} />}
      <p class="muted small">
        {t.machines} <a href="/readyz">/readyz</a>
      </p>
    </div>
  );
};

const WaitFacts = ({ waits }: { waits: Waits }) => {
  const t = useTexts(texts.site.about);
  const format = useFormat();
  return (
    <>
      <h2>{t.waits}</h2>
      <dl class="plain-facts">
        <div>
          <dt>{t.review}</dt>
          <dd>{format.number(waits.waiting)}</dd>
        </div>
        <div>
          <dt>{t.median}</dt>
          <dd>{waits.medianMs === null ? t.noMedian : format.duration(waits.medianMs)}</dd>
        </div>
        <div>
          <dt>{t.jobs}</dt>
          <dd>{format.number(waits.jobs)}</dd>
        </div>
        {waits.oldestJobMs !== null && (
          <div>
            <dt>{t.oldest}</dt>
            <dd>{format.duration(waits.oldestJobMs)}</dd>
          </div>
        )}
        {waits.parked > 0 && (
          <div>
            <dt>{t.parked}</dt>
            <dd>{format.number(waits.parked)}</dd>
          </div>
        )}
      </dl>
    </>
  );
};
