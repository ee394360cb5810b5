// The routes of the page in backups.tsx.
import type { OutgoingHttpHeaders } from "node:http";
import Type from "typebox";
import { isFresh } from "#accounts/users/policy.js";
import { streamArchive } from "#content/bundles/stream-archive.js";
import { archiveSize } from "#content/bundles/zip.js";
import { momentForm } from "#operations/backup/layout.js";
import { hasMoment, listMoments, listSources, removeMoment } from "#operations/backup/moments.js";
import { startBackup } from "#operations/backup/run.js";
import { findBackupRun, isBackingUp } from "#operations/backup/run-record.js";
import { write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import type { Route } from "#platform/http/endpoint.js";
import { seeOther, signInAgainPath } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { Notice } from "#web/parts/notice.js";
import { forAdmins } from "#web/shared/staff-access.js";
import { texts, textsIn } from "#words/texts.js";
import { adminPage } from "./admin-frame.js";
import { BackupIntro, Backups, backupPath } from "./backups.js";
import { Section } from "./web-settings.js";
import { loadSection, saveSection, settingsBody } from "./web-settings.route.js";

const params = Type.Object({ moment: Type.String({ maxLength: 32 }) });

export const backupRoutes: Route[] = [
  pageRoute(
    {
      id: "getBackupsPage",
      path: backupPath,
      access: forAdmins,
      rate: "bulk",
      summary: "The backups of the site",
      query: Type.Object({ did: Type.Optional(Type.String({ maxLength: 16 })) }),
    },
    async ({ viewer, request, query }, resources) => {
      const { db, clock, config } = resources;
      const t = textsIn(texts.operator.backup, localeOf(request));
      const done = query.did === "started" ? t.started : query.did === "deleted" ? t.deleted : undefined;
      const intro = (
        <>
          {done && <Notice title={done} />}
          <BackupIntro config={config} run={await findBackupRun(db)} isRunning={await isBackingUp(db)} />
        </>
      );
      return adminPage(
        { tab: "settings", locale: localeOf(request) },
        <>
          <Section view={await loadSection(resources, "backup")} isSaved={query.did === "saved"} intro={intro} />
          <Backups
            config={config}
            moments={await listMoments(config.backup.dir)}
            isFresh={isFresh(viewer, clock.now())}
          />
        </>,
      );
    },
  ),

  memberFormRoute(
    {
      id: "submitBackupSettings",
      path: backupPath,
      access: forAdmins,
      summary: "Change when backups are made",
      body: settingsBody,
    },
    async (call, resources) => saveSection(call, resources, "backup"),
  ),

  memberFormRoute(
    { id: "submitBackup", path: `${backupPath}/run`, access: forAdmins, summary: "Start a backup" },
    async ({ actor, reply }, resources) => {
      await write(resources, actor, startBackup);
      return seeOther(reply, `${backupPath}?did=started`);
    },
  ),

  memberFormRoute(
    {
      id: "submitBackupDownload",
      path: `${backupPath}/:moment/download`,
      access: forAdmins,
      rate: "bulk",
      summary: "Download a backup as an archive",
      params,
    },
    async ({ viewer, actor, reply, params: { moment } }, resources) => {
      const { config, clock, log, readiness } = resources;
      const { dir } = config.backup;
      if (!(await hasMoment(dir, moment))) throw fail.notFound();
      if (!isFresh(viewer, clock.now())) return seeOther(reply, signInAgainPath(backupPath));
      const sources = await listSources(dir, moment);
      // It is recorded before the first byte: an interrupted download may have shown much.
      await write(resources, actor, async (tx) => tx.audit("backup.download", { kind: "backup", id: moment }, {}));
      reply.headers({
        "content-type": "application/zip",
        "content-disposition": `attachment; filename="modshelf-${moment}.zip"`,
        "content-length": archiveSize(sources),
        "cache-control": "private, no-store",
      });
      if (readiness.isStopping) reply.header("connection", "close");
      reply.hijack();
      reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
      await streamArchive(reply.raw, sources).catch((error) =>
        log.warn({ err: error, moment }, "The download of a backup was interrupted"),
      );
      return reply;
    },
  ),

  memberFormRoute(
    {
      id: "submitBackupDeletion",
      path: `${backupPath}/:moment/delete`,
      access: forAdmins,
      summary: "Delete a backup",
      params,
    },
    async ({ viewer, actor, reply, params: { moment } }, resources) => {
      const { config, clock } = resources;
      const { dir } = config.backup;
      const known = (await listMoments(dir)).some(({ name }) => name === moment);
      if (!known || !momentForm.test(moment)) throw fail.notFound();
      if (!isFresh(viewer, clock.now())) return seeOther(reply, signInAgainPath(backupPath));
      await removeMoment(dir, moment);
      await write(resources, actor, async (tx) => {
        tx.audit("backup.delete", { kind: "backup", id: moment }, {});
        tx.enqueue("sweep-backups", {}, { dedupeKey: "backup sweep" });
      });
      return seeOther(reply, `${backupPath}?did=deleted`);
    },
  ),
];
