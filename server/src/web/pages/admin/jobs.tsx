// The job queue: what waits, what failed and why; trying again and giving up.
import Type from "typebox";
import { findJob, type JobRow, type JobState, listJobs, stateOf } from "#operations/administration/jobs-read.js";
import { deleteJob, retryJob } from "#operations/administration/jobs-write.js";
import { write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import type { Route } from "#platform/http/endpoint.js";
import { useFormat, useFrame } from "#web/frame.js";
import { memberFormRoute, pageRoute } from "#web/page.js";
import { adminsOnly, deskFormAccess } from "#web/pages/moderation/doors.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { ConfirmForm } from "#web/parts/confirm-form.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { Time } from "#web/parts/time.js";
import { seeOther } from "#web/paths.js";
import { localeOf } from "#web/preferences.js";
import { defineTexts, textsIn, useTexts } from "#web/texts.js";
import { adminAccess, adminPage } from "./admin-frame.js";

const texts = defineTexts({
  en: {
    empty: "Nothing is waiting",
    emptyText: "Mails, webhooks and other work in the background appear here until they are done.",
    home: "Back to the overview",
    kind: "Kind",
    state: "State",
    due: "Due",
    attempts: "Tries",
    error: "Last error",
    act: "What to do",
    states: { parked: "given up", failing: "failing", running: "running", waiting: "waiting" },
    retry: "Try again now",
    remove: "Delete",
    removeLead: (kind: string, id: number) => `Job ${id} (${kind}) will never be done.`,
    of: (text: string, id: number) => `${text}: job ${id}`,
  },
  de: {
    empty: "Nichts wartet",
    emptyText: "Mails, Webhooks und andere Arbeit im Hintergrund stehen hier, bis sie erledigt sind.",
    home: "Zurück zum Überblick",
    kind: "Art",
    state: "Zustand",
    due: "Fällig",
    attempts: "Versuche",
    error: "Letzter Fehler",
    act: "Was tun",
    states: { parked: "aufgegeben", failing: "schlägt fehl", running: "läuft", waiting: "wartet" },
    retry: "Jetzt noch einmal",
    remove: "Löschen",
    removeLead: (kind, id) => `Auftrag ${id} (${kind}) wird nie erledigt.`,
    of: (text, id) => `${text}: Auftrag ${id}`,
  },
});

const params = Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) });
const form = { access: deskFormAccess, params, errors: ["wrongState"] } as const;

export const jobRoutes: Route[] = [
  pageRoute(
    { id: "getAdminJobsPage", path: "/admin/jobs", access: adminAccess, summary: "The job queue" },
    async ({ viewer, request }, { db }) => {
      adminsOnly(viewer);
      return adminPage({ tab: "jobs", locale: localeOf(request) }, <Jobs jobs={await listJobs(db)} />);
    },
  ),

  memberFormRoute(
    { ...form, id: "submitJobRetry", path: "/admin/jobs/:id/retry", summary: "Try a job again" },
    async ({ viewer, actor, params: { id }, reply }, resources) => {
      adminsOnly(viewer);
      await write(resources, actor, (tx) => retryJob(tx, id));
      return seeOther(reply, "/admin/jobs");
    },
  ),

  pageRoute(
    {
      id: "getJobDeletionPage",
      path: "/admin/jobs/:id/delete",
      access: adminAccess,
      summary: "Before a job is deleted",
      params,
    },
    async ({ viewer, request, params: { id } }, { db }) => {
      adminsOnly(viewer);
      const job = await findJob(db, id);
      if (!job) throw fail.notFound();
      const t = textsIn(texts, localeOf(request));
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
    async ({ viewer, actor, params: { id }, reply }, resources) => {
      adminsOnly(viewer);
      await write(resources, actor, (tx) => deleteJob(tx, id));
      return seeOther(reply, "/admin/jobs");
    },
  ),
];

const pills: Record<JobState, string> = { parked: "alpha", failing: "beta", running: "release", waiting: "dev" };

const Jobs = ({ jobs }: { jobs: readonly JobRow[] }) => {
  const t = useTexts(texts);
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
  const t = useTexts(texts);
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
