// The routes of the page in jobs.tsx.
import Type from "typebox";
import { findJob, isScheduled, listJobs } from "#operations/administration/jobs-read.js";
import { deleteJob, retryJob } from "#operations/administration/jobs-write.js";
import { write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import type { Route } from "#platform/http/endpoint.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { ConfirmForm } from "#web/parts/confirm-form.js";
import { forAdmins } from "#web/shared/staff-access.js";
import { texts, textsIn } from "#words/texts.js";
import { adminPage } from "./admin-frame.js";
import { Jobs, jobName } from "./jobs.js";

const params = Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) });

const form = { access: forAdmins, params, errors: ["wrongState"] } as const;

export const jobRoutes: Route[] = [
  pageRoute(
    { id: "getAdminJobsPage", path: "/admin/jobs", access: forAdmins, summary: "The job queue" },
    async ({ request }, { db }) => {
      return adminPage({ tab: "jobs", locale: localeOf(request) }, <Jobs jobs={await listJobs(db)} />);
    },
  ),

  memberFormRoute(
    { ...form, id: "submitJobRetry", path: "/admin/jobs/:id/retry", summary: "Try a job again" },
    async ({ actor, params: { id }, reply }, resources) => {
      await write(resources, actor, (tx) => retryJob(tx, id));
      return seeOther(reply, "/admin/jobs");
    },
  ),

  pageRoute(
    {
      id: "getJobDeletionPage",
      path: "/admin/jobs/:id/delete",
      access: forAdmins,
      summary: "Ask for confirmation before a job is deleted",
      params,
    },
    async ({ request, params: { id } }, { db }) => {
      const job = await findJob(db, id);
      if (!job || isScheduled(job)) throw fail.notFound();
      const t = textsIn(texts.admin.jobs, localeOf(request));
      return adminPage(
        { tab: "jobs", locale: localeOf(request) },
        <ConfirmForm action={`/admin/jobs/${id}/delete`} button={t.remove} back="/admin/jobs">
          <p>{t.removeLead(jobName(job.kind, t), id)}</p>
        </ConfirmForm>,
      );
    },
  ),

  memberFormRoute(
    { ...form, id: "submitJobDeletion", path: "/admin/jobs/:id/delete", summary: "Delete a job" },
    async ({ actor, params: { id }, reply }, resources) => {
      await write(resources, actor, (tx) => deleteJob(tx, id));
      return seeOther(reply, "/admin/jobs");
    },
  ),
];
