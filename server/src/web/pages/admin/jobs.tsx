// The job queue: what waits, what failed and why; trying again and giving up.

import Type from "typebox";
import { findJob, type JobRow, type JobState, listJobs, stateOf } from "#operations/administration/jobs-read.js";
import { deleteJob, retryJob } from "#operations/administration/jobs-write.js";
import { write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import type { Route } from "#platform/http/endpoint.js";
import { useFormat, useFrame } from "#web/context/frame.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { useTexts } from "#web/context/texts.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { ConfirmForm } from "#web/parts/confirm-form.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { Time } from "#web/parts/time.js";
import { forAdmins } from "#web/shared/staff-access.js";
import { texts, textsIn } from "#words/texts.js";
import { adminPage } from "./admin-frame.js";

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
      summary: "Before a job is deleted",
      params,
    },
    async ({ request, params: { id } }, { db }) => {
      const job = await findJob(db, id);
      if (!job) throw fail.notFound();
      const t = textsIn(texts.admin.jobs, localeOf(request));
      return adminPage(
        { tab: "jobs", locale: localeOf(request) },
        <ConfirmForm action={`/admin/jobs/${id}/delete`} button={t.remove} back="/admin/jobs">
          <p>{t.removeLead(job.kind, id)}</p>
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

const pills: Record<JobState, string> = { parked: "alpha", failing: "beta", running: "release", waiting: "dev" };

const Jobs = ({ jobs }: { jobs: readonly JobRow[] }) => {
  const t = useTexts(texts.admin.jobs);
  if (jobs.length === 0)
    return (
      <EmptyState title={t.empty} action={{ href: "/admin", text: t.home }}>
        <p>{t.emptyText}</p>
      </EmptyState>
    );
  return (
    <div class="desk-table">
      <table>
        <thead>
          <tr>
            <th>{t.kind}</th>
            <th>{t.state}</th>
            <th>{t.due}</th>
            <th>{t.attempts}</th>
            <th>{t.error}</th>
            <th>{t.act}</th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <Job key={job.id} job={job} />
          ))}
        </tbody>
      </table>
    </div>
  );
};

/** What it is told stays out of sight: it may hold an address. */
const Job = ({ job }: { job: JobRow }) => {
  const t = useTexts(texts.admin.jobs);
  const { now } = useFrame();
  const format = useFormat();
  const state = stateOf(job, now);
  return (
    <tr>
      <th scope="row">
        <code>{job.kind}</code> <span class="muted">{job.id}</span>
      </th>
      <td data-label={t.state}>
        <span class={`pill ${pills[state]}`}>{t.states[state]}</span>
      </td>
      <td data-label={t.due}>{job.run_after > now ? format.dateTime(job.run_after) : <Time at={job.run_after} />}</td>
      <td data-label={t.attempts}>{job.attempts}</td>
      <td data-label={t.error} dir="auto">
        {job.last_error ?? "–"}
      </td>
      <td>
        {state !== "running" && (
          <div class="actions">
            <Form action={`/admin/jobs/${job.id}/retry`}>
              <Button kind="quiet" small aria-label={t.of(t.retry, job.id)}>
                {t.retry}
              </Button>
            </Form>
            <ButtonLink kind="quiet" small href={`/admin/jobs/${job.id}/delete`} aria-label={t.of(t.remove, job.id)}>
              {t.remove}
            </ButtonLink>
          </div>
        )}
      </td>
    </tr>
  );
};
