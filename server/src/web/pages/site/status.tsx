// The state of the service and its waiting times, for people. Programs use /readyz.
import { useFormat } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { Icon } from "#web/parts/icon.js";
import { Notice } from "#web/parts/notice.js";
import { texts } from "#words/texts.js";

export interface Waits {
  waiting: number;
  medianMs: number | null;
  jobs: number;
  oldestJobMs: number | null;
  parked: number;
}

interface Props {
  isReady: boolean;
  components: Record<string, string>;
  waits: Waits | undefined;
}

export const Status = ({ isReady, components, waits }: Props) => {
  const t = useTexts(texts.site.about);
  const partNames: Record<string, string> = t.part;
  const stateNames: Record<string, string> = t.states;
  return (
    <div class="stack plain-page">
      <h1>{t.status}</h1>
      <Notice title={isReady ? t.allWell : t.trouble} {...(!isReady && { kind: "problem" })} />
      <h2>{t.parts}</h2>
      <dl class="plain-facts">
        {Object.entries(components).map(([name, state]) => (
          <div key={name}>
            <dt>{partNames[name] ?? name}</dt>
            <dd>
              <Icon name={state === "ok" ? "check" : "warning"} /> {stateNames[state] ?? state}
            </dd>
          </div>
        ))}
      </dl>
      {waits && <WaitFacts waits={waits} />}
      <p class="muted small">
        {t.machines} <a href="/readyz">/readyz</a>
      </p>
    </div>
  );
};

const WaitFacts = ({ waits }: { waits: Waits }) => {
  const t = useTexts(texts.site.about);
  const format = useFormat();
  return (
    <>
      <h2>{t.waits}</h2>
      <dl class="plain-facts">
        <div>
          <dt>{t.review}</dt>
          <dd>{format.number(waits.waiting)}</dd>
        </div>
        <div>
          <dt>{t.median}</dt>
          <dd>{waits.medianMs === null ? t.noMedian : format.duration(waits.medianMs)}</dd>
        </div>
        <div>
          <dt>{t.jobs}</dt>
          <dd>{format.number(waits.jobs)}</dd>
        </div>
        {waits.oldestJobMs !== null && (
          <div>
            <dt>{t.oldest}</dt>
            <dd>{format.duration(waits.oldestJobMs)}</dd>
          </div>
        )}
        {waits.parked > 0 && (
          <div>
            <dt>{t.parked}</dt>
            <dd>{format.number(waits.parked)}</dd>
          </div>
        )}
      </dl>
    </>
  );
};
