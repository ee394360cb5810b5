// The routes of the page in scanner.tsx. Its settings need a recent sign-in: the scanner gets every new file.
import Type from "typebox";
import { isFresh } from "#accounts/users/policy.js";
import { enqueueScans } from "#content/scans/scan.js";
import { listWaitingFiles, readScanFigures } from "#moderation/scans/read.js";
import { findScanRun, startScanRun, stopScanRun } from "#moderation/scans/rescan.js";
import { type ScannerTrial, tryScanner } from "#operations/administration/scanner-trial.js";
import { write } from "#platform/changes/write.js";
import { Failure, fail } from "#platform/errors.js";
import type { Call, Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import type { Page } from "#web/frame/layout.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { Notice } from "#web/parts/notice.js";
import { forAdmins } from "#web/shared/staff-access.js";
import { texts, textsIn } from "#words/texts.js";
import { adminPage } from "./admin-frame.js";
import { ScannerIntro, ScannerState, scannerPath } from "./scanner.js";
import { Section } from "./web-settings.js";
import { loadSection, saveSection, settingsBody } from "./web-settings.route.js";

export const scannerRoutes: Route[] = [
  pageRoute(
    {
      id: "getScannerPage",
      path: scannerPath,
      access: forAdmins,
      rate: "search",
      summary: "The malware scanner of the site",
      query: Type.Object({ did: Type.Optional(Type.String({ maxLength: 16 })) }),
    },
    async (call, resources) => scannerPage(call, resources, { did: call.query.did }),
  ),

  memberFormRoute(
    {
      id: "submitScannerSettings",
      path: scannerPath,
      access: forAdmins,
      summary: "Change the malware scanner",
      body: settingsBody,
    },
    async (call, resources) => {
      if (!isFresh(call.viewer, resources.clock.now())) return scannerPage(call, resources, {});
      const saved = await saveSection(call, resources, "scanner");
      // Files that wait are treated as the new settings say.
      await write(resources, call.actor, async (tx) => enqueueScans(tx, { isUrgent: true }));
      return saved;
    },
  ),

  memberFormRoute(
    {
      id: "submitScannerTest",
      path: `${scannerPath}/test`,
      access: forAdmins,
      summary: "Test the malware scanner",
      errors: ["rateLimited"],
    },
    async (call, resources) => {
      const { clock, limiter, scanner } = resources;
      if (!isFresh(call.viewer, clock.now())) return scannerPage(call, resources, {});
      const quota = await limiter.take("mail", `scanner tests of ${call.viewer.user.id}`);
      if (!quota.allowed)
        throw new Failure("rateLimited", 429, fail.rateLimited(quota.retryAfterSeconds).said, {
          headers: { "retry-after": String(quota.retryAfterSeconds) },
        });
      return scannerPage(call, resources, { trial: await tryScanner(scanner) });
    },
  ),

  memberFormRoute(
    {
      id: "submitScanRun",
      path: `${scannerPath}/all`,
      access: forAdmins,
      summary: "Scan all stored files again",
      errors: ["wrongState"],
    },
    async ({ actor, reply }, resources) => {
      await write(resources, actor, startScanRun);
      return seeOther(reply, `${scannerPath}?did=started`);
    },
  ),

  memberFormRoute(
    {
      id: "submitScanStop",
      path: `${scannerPath}/stop`,
      access: forAdmins,
      summary: "Stop the scan of all files",
      errors: ["wrongState"],
    },
    async ({ actor, reply }, resources) => {
      await write(resources, actor, stopScanRun);
      return seeOther(reply, `${scannerPath}?did=stopped`);
    },
  ),
];

async function scannerPage(
  { viewer, request }: Pick<Call, "request"> & { viewer: SignedIn },
  resources: Resources,
  { did, trial }: { did?: string | undefined; trial?: ScannerTrial },
): Promise<Page> {
  const { db, clock, scanner } = resources;
  const t = textsIn(texts.operator.scanner, localeOf(request));
  const fresh = isFresh(viewer, clock.now());
  const version = scanner.enabled ? await scanner.readVersion().catch(() => undefined) : undefined;
  const done = did === "started" ? t.started : did === "stopped" ? t.stopped : undefined;
  const state = { isOn: scanner.enabled, isFresh: fresh };
  const intro = (
    <>
      {done && <Notice title={done} />}
      <ScannerIntro {...state} version={version} trial={trial} />
    </>
  );
  return adminPage(
    { tab: "settings", locale: localeOf(request), status: request.method === "POST" && !fresh ? 403 : 200 },
    <>
      <Section
        view={await loadSection(resources, "scanner")}
        isSaved={did === "saved"}
        intro={intro}
        isFixed={!fresh}
      />
      <ScannerState
        {...state}
        figures={await readScanFigures(db, clock.now())}
        waiting={await listWaitingFiles(db)}
        run={await findScanRun(db)}
      />
    </>,
  );
}
