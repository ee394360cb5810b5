// The routes of the page in storage.tsx.
import { readStorageUse } from "#discovery/statistics/read.js";
import { forecast, readStorageState } from "#operations/administration/storage-forecast.js";
import { listLargestProjects } from "#operations/administration/storage-read.js";
import { findVerification, startVerification } from "#operations/administration/verification-run.js";
import { write } from "#platform/changes/write.js";
import type { Route } from "#platform/http/endpoint.js";
import { formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { forAdmins } from "#web/shared/staff-access.js";
import { adminPage } from "./admin-frame.js";
import { Forecast } from "./forecast.js";
import { Storage } from "./storage.js";
import { Verification } from "./verification.js";

const dayMs = 24 * 60 * 60 * 1000;

export const storageRoutes: Route[] = [
  pageRoute(
    {
      id: "getAdminStoragePage",
      path: "/admin/storage",
      access: forAdmins,
      rate: "bulk",
      summary: "Storage use",
    },
    async ({ request }, resources) => {
      const use = await readStorageUse(resources);
      const largest = await listLargestProjects(resources.db);
      const run = await findVerification(resources.db);
      const state = await readStorageState(resources);
      const now = resources.clock.now();
      const reserve = resources.config.limits.freeDiskBytes;
      const found = forecast(state, { now, reserve });
      return adminPage(
        { tab: "storage", locale: localeOf(request) },
        <>
          <Storage use={use} largest={largest} />
          <Forecast state={state} found={found} until={now + (found?.days ?? 0) * dayMs} reserve={reserve} />
          <Verification run={run} />
        </>,
      );
    },
  ),

  memberFormRoute(
    {
      id: "submitVerification",
      path: "/admin/storage/verify",
      access: forAdmins,
      summary: "Start the verification of all stored data",
      body: formFields("deep"),
    },
    async ({ actor, body, reply }, resources) => {
      await write(resources, actor, (tx) => startVerification(tx, body.deep !== undefined));
      return seeOther(reply, "/admin/storage#verification");
    },
  ),
];
