// The first page of the moderation desk: the amount of work, and the claims of this moderator.
import type { Static } from "typebox";
import type { getModerationSummary } from "#moderation/desk/contract.js";
import { useFormat } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";

type Summary = Static<(typeof getModerationSummary)["answer"]>;

export const Overview = ({ summary }: { summary: Summary }) => {
  const t = useTexts(texts.moderation.overview);
  const format = useFormat();
  const { queueLength, oldestQueued, medianWaitSeconds, openCases, urgentCases, standingQuarantines } = summary;
  return (
    <>
      <dl class="desk-figures">
        <div>
          <dt>{t.waiting}</dt>
          <dd>
            <a href="/moderation/queue">{format.number(queueLength)}</a>
          </dd>
        </div>
        <div>
          <dt>{t.oldest}</dt>
          <dd>{oldestQueued === null ? "–" : <Time at={oldestQueued} />}</dd>
        </div>
        <div>
          <dt>{t.median}</dt>
          <dd>{medianWaitSeconds === null ? "–" : format.duration(medianWaitSeconds * 1000)}</dd>
        </div>
        <div>
          <dt>{t.cases}</dt>
          <dd>
            <a href="/moderation/reports">{format.number(openCases)}</a>
            {urgentCases > 0 && <span class="pill alpha">{t.urgent(format.number(urgentCases))}</span>}
          </dd>
        </div>
        <div>
          <dt>{t.held}</dt>
          <dd>
            <a href="/moderation/files">{format.number(standingQuarantines)}</a>
          </dd>
        </div>
      </dl>
      {queueLength > 0 && <NextForm />}
      <h2>{t.mine}</h2>
      <Claims claims={summary.claims} />
    </>
  );
};

export const NextForm = () => {
  const t = useTexts(texts.moderation.overview);
  return (
    <Form action="/moderation/queue/next">
      <Button>{t.next}</Button>
    </Form>
  );
};

const Claims = ({ claims }: Pick<Summary, "claims">) => {
  const t = useTexts(texts.moderation.overview);
  const { itemTypes, tabs } = useTexts(texts.moderation.desk);
  const format = useFormat();
  if (claims.length === 0) return <p class="muted">{t.nothingInHand}</p>;
  return (
    <ul class="plain-list">
      {claims.map(({ kind, id, dateExpires }) => (
        <li key={id}>
          <a href={kind === "project" ? `/moderation/queue/${id}` : `/moderation/report/${id}`}>
            {kind === "project" ? itemTypes.project : tabs.reports} <code>{id}</code>
          </a>{" "}
          <span class="muted small">
            {t.until} {format.dateTime(Date.parse(dateExpires))}
          </span>
        </li>
      ))}
    </ul>
  );
};
