// The first page of the administration: health, figures, and things to do.
import type { Statistics } from "#discovery/statistics/contract.js";
import { capitalized } from "#lib/capitalized.js";
import { version } from "#lib/version.js";
import type { Health, Todo } from "#operations/administration/health.js";
import type { SeenAddress } from "#operations/administration/seen-address.js";
import type { Condition, Named } from "#operations/checks/check.js";
import type { RecentError } from "#platform/http/recent-errors.js";
import { useFormat, useFrame } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { ButtonLink } from "#web/parts/button.js";
import { WithCode } from "#web/parts/with-code.js";
import { type Locale, wordsIn } from "#words/languages.js";
import { sayIn } from "#words/said.js";
import { texts } from "#words/texts.js";
import { Checklist } from "./checklist.js";
import { RecentErrors } from "./recent-errors.js";

export type Numbers = Statistics & { stored: number; today: number };

interface Row {
  name: string;
  level: Named<Condition>["level"];
  detail: string;
  todo?: string | undefined;
}

const shapes = { ok: ["✓", "release"], warning: ["▲", "beta"], problem: ["✕", "alpha"] } as const;

/** A job that waits longer suggests that no worker runs. */
const lateMs = 5 * 60 * 1000;

const clockMs = 2000;

const Rows = ({ rows }: { rows: readonly Row[] }) => {
  const t = useTexts(texts.admin.overview);
  return (
    <div class="desk-table">
      <table>
        <thead>
          <tr>
            <th>{t.what}</th>
            <th>{t.state}</th>
            <th>{t.detail}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, level, detail, todo }, at) => (
            <tr key={`${name}-${at}`}>
              <th scope="row">{name}</th>
              <td data-label={t.state}>
                <span class={`pill ${shapes[level][1]}`}>
                  <span aria-hidden="true">{shapes[level][0]}</span> {t.levels[level]}
                </span>
              </td>
              <td data-label={t.detail}>
                <WithCode text={detail} />{" "}
                {todo && (
                  <b>
                    → <WithCode text={todo} />
                  </b>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

const toRows = (findings: readonly Named<Condition>[], locale: Locale): Row[] =>
  findings.map(({ check, level, message, todo }) => ({
    name: capitalized((wordsIn(locale).checks as Record<string, string>)[check] ?? check),
    level,
    detail: sayIn(locale, message),
    todo: todo && sayIn(locale, todo),
  }));

interface Props {
  health: Health;
  numbers: Numbers;
  recentErrors: readonly RecentError[];
  todos: readonly Todo[];
  /** The URL that requests arrive at, if it differs from the configured one. */
  seen: SeenAddress | undefined;
}

export const Overview = ({ health, numbers, recentErrors, todos, seen }: Props) => {
  const t = useTexts(texts.admin.overview);
  const format = useFormat();
  const { locale, siteUrl } = useFrame();
  const { queue, clockOffMs, hasMail } = health;
  const rows: Row[] = [
    ...health.components.map(({ name, isOk }) => ({
      name: t.components[name],
      level: isOk ? ("ok" as const) : ("problem" as const),
      detail: isOk ? t.works : t.fails,
    })),
    { name: t.mail, level: hasMail ? "ok" : "warning", detail: hasMail ? t.mailOn : t.mailOff },
    {
      name: t.queue,
      level: queue.parked > 0 || queue.lateMs > lateMs ? "warning" : "ok",
      detail:
        queue.lateMs > lateMs
          ? t.queueText(queue.waiting, queue.parked, format.duration(queue.lateMs))
          : t.queueCalm(queue.waiting, queue.parked),
    },
    {
      name: t.clock,
      level: Math.abs(clockOffMs) > clockMs ? "warning" : "ok",
      detail: t.clockText(format.number(clockOffMs)),
    },
    ...(seen
      ? [
          {
            name: t.seenAddress,
            level: "warning" as const,
            detail: t.seenText(
              siteUrl,
              seen.origin,
              seen.headers.map(({ name, value }) => `${name}: ${value}`).join("; "),
            ),
            todo: t.seenTodo(seen.origin),
          },
        ]
      : []),
    ...toRows(health.findings, locale),
  ];
  const isReady = todos.every(({ isDone }) => isDone);
  const toDo = (
    <>
      <h2>{t.todo}</h2>
      <Checklist todos={todos} />
    </>
  );
  return (
    <>
      {!isReady && toDo}
      <h2>{t.health}</h2>
      <Rows rows={rows} />
      <p>
        <ButtonLink kind="quiet" href="/admin/check">
          {t.test}
        </ButtonLink>
      </p>
      <h2>{t.numbers}</h2>
      <dl class="desk-figures">
        {(["users", "authors", "projects", "versions", "files"] as const).map((name) => (
          <div key={name}>
            <dt>{t[name]}</dt>
            <dd>{format.number(numbers[name])}</dd>
          </div>
        ))}
        <div>
          <dt>{t.stored}</dt>
          <dd>{format.bytes(numbers.stored)}</dd>
        </div>
        <div>
          <dt>{t.downloadsToday}</dt>
          <dd>{format.number(numbers.today)}</dd>
        </div>
        <div>
          <dt>{t.version}</dt>
          <dd>{version}</dd>
        </div>
      </dl>
      <h2>{t.troubles}</h2>
      <RecentErrors errors={recentErrors} />
      {isReady && toDo}
    </>
  );
};

export const Tested = ({ findings }: { findings: readonly Named<Condition>[] }) => {
  const t = useTexts(texts.admin.overview);
  return (
    <>
      <h2>{t.tested}</h2>
      <Rows rows={toRows(findings, useFrame().locale)} />
    </>
  );
};
