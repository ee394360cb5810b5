// Statements of a project's author about AI, telemetry and paid features, as facts without a judgment.
import type { Disclosures as Stated, Statement } from "#content/shapes/disclosures.js";
import { useFormat } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";

export const hasStated = (disclosures: Stated): boolean => Object.values(disclosures).some((each) => each !== null);

/** Statements that are missing are left out. */
export const Disclosures = ({ disclosures: { ai, telemetry, paidFeatures } }: { disclosures: Stated }) => {
  const t = useTexts(texts.parts.disclosures);
  const format = useFormat();
  return (
    <dl class="facts">
      {ai && (
        <>
          <dt>{t.ai}</dt>
          <dd>{ai.length === 0 ? t.no.ai : t.used(format.series(ai.map((kind) => t.aiKinds[kind])))}</dd>
        </>
      )}
      {telemetry && (
        <>
          <dt>{t.telemetry}</dt>
          <dd>{telemetry.present ? <Details statement={telemetry} /> : t.no.telemetry}</dd>
        </>
      )}
      {paidFeatures && (
        <>
          <dt>{t.paidFeatures}</dt>
          <dd>{paidFeatures.present ? <Details statement={paidFeatures} /> : t.no.paidFeatures}</dd>
        </>
      )}
    </dl>
  );
};

const Details = ({ statement: { details, url } }: { statement: Statement }) => {
  const t = useTexts(texts.parts.disclosures);
  return (
    <>
      <span dir="auto">{details}</span>
      {url && /^https?:/.test(url) && (
        <>
          {" "}
          <a href={url} rel="ugc nofollow noopener">
            {t.more}
          </a>{" "}
          <span class="muted small">{URL.parse(url)?.host}</span>
        </>
      )}
    </>
  );
};
