// The job queue: waiting and failed jobs with the reason; retrying and deleting them.
import { isScheduled, type JobRow, type JobState, stateOf } from "#operations/administration/jobs-read.js";
import type { JobKind } from "#platform/changes/job-kinds.js";
import { useFormat, useFrame } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";

const pills: Record<JobState, string> = { parked: "alpha", failing: "beta", running: "release", waiting: "dev" };

export const Jobs = ({ jobs }: { jobs: readonly JobRow[] }) => {
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

/** A job of an earlier release has only its technical name. */
export const jobName = (kind: string, { kinds }: { kinds: Readonly<Record<JobKind, string>> }): string =>
  Object.hasOwn(kinds, kind) ? kinds[kind as JobKind] : kind;

/** The payload is not shown, because it may contain an email address. */
const Job = ({ job }: { job: JobRow }) => {
  const t = useTexts(texts.admin.jobs);
  const { now } = useFrame();
  const format = useFormat();
  const state = stateOf(job, now);
  const start = job.attempts === 0 ? t.run : t.retry;
  return (
    <tr>
      <th scope="row">
        {jobName(job.kind, t)}{" "}
        <span class="muted small">
          <code>{job.kind}</code> {job.id}
        </span>
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
              <Button kind="quiet" small aria-label={t.of(start, job.id)}>
                {start}
              </Button>
            </Form>
            {!isScheduled(job) && (
              <ButtonLink kind="quiet" small href={`/admin/jobs/${job.id}/delete`} aria-label={t.of(t.remove, job.id)}>
                {t.remove}
              </ButtonLink>
            )}
          </div>
        )}
      </td>
    </tr>
  );
};
