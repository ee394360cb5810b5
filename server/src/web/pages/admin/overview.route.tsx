// The routes of the page in overview.tsx.
import type { FastifyRequest } from "fastify";
import { countToday } from "#discovery/analytics/read.js";
import { readStatistics, readStorageUse } from "#discovery/statistics/read.js";
import { isFirstRunDone } from "#operations/administration/first-run.js";
import { listTodos, readHealth } from "#operations/administration/health.js";
import { findSeenAddress } from "#operations/administration/seen-address.js";
import type { StorageTrial } from "#operations/administration/trials.js";
import { runChecks } from "#operations/checks/check.js";
import { machineChecks } from "#operations/checkup/machine.js";
import { siteChecks } from "#operations/checkup/site.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { readServerReport } from "#platform/http/server-report.js";
import { localeOf } from "#web/context/preferences.js";
import type { Page } from "#web/frame/layout.js";
import { pageRoute } from "#web/frame/page.js";
import { forAdmins } from "#web/shared/staff-access.js";
import { adminPage } from "./admin-frame.js";
import { Caches } from "./caches.js";
import { ContinueSetup, TrialNotice } from "./checklist.js";
import { type Numbers, Overview, Tested } from "./overview.js";
import { Processes } from "./processes.js";

export const overviewRoutes: Route[] = [
  pageRoute(
    { id: "getAdminPage", path: "/admin", access: forAdmins, summary: "The state of the service" },
    async ({ request }, resources) => {
      return overviewPage(request, resources);
    },
  ),

  pageRoute(
    {
      id: "getAdminCheckPage",
      path: "/admin/check",
      access: forAdmins,
      rate: "bulk",
      summary: "Test the mail server and the storage",
    },
    async ({ request }, { config }) => {
      const findings = [...(await runChecks(machineChecks, config)), ...(await runChecks(siteChecks, config))];
      return adminPage({ tab: "home", locale: localeOf(request) }, <Tested findings={findings} />);
    },
  ),
];

export async function overviewPage(request: FastifyRequest, resources: Resources, trial?: StorageTrial): Promise<Page> {
  const { db, config } = resources;
  const { caches, errors, processes } = await readServerReport(resources);
  const seen = findSeenAddress(request.headers, false);
  return adminPage(
    { tab: "home", locale: localeOf(request) },
    <>
      <TrialNotice trial={trial} />
      {!(await isFirstRunDone(db)) && <ContinueSetup />}
      <Overview
        health={await readHealth(resources)}
        numbers={await readNumbers(resources)}
        recentErrors={errors}
        todos={await listTodos(resources)}
        seen={seen?.origin === config.http.url ? undefined : seen}
      />
      <Processes processes={processes} />
      <Caches caches={caches} />
    </>,
  );
}

async function readNumbers(resources: Resources): Promise<Numbers> {
  const { db, clock } = resources;
  const { totalUsed: stored } = await readStorageUse(resources);
  return { ...(await readStatistics(db)), stored, today: await countToday(db, undefined, clock.now()) };
}
