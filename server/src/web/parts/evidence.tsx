// The pictures that came with a report, as links to the whole ones.

import type { Evidence as EvidencePicture } from "#moderation/reports/evidence.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";

/** As wide as a card allows; the whole picture is a click away. */
const widest = 210;

export const Evidence = ({ pictures }: { pictures: readonly EvidencePicture[] }) => {
  const t = useTexts(texts.parts.evidence);
  if (pictures.length === 0) return null;
  return (
    <ul class="plain-list desk-pictures" aria-label={t.title}>
      {pictures.map(({ id, report_id, width, height }, at) => (
        <li key={id}>
          <a href={`/dashboard/report/${report_id}/picture/${id}`}>
            <img
              src={`/dashboard/report/${report_id}/picture/${id}`}
              alt={t.picture(at + 1)}
              width={Math.min(widest, width)}
              height={Math.round((height * Math.min(widest, width)) / width)}
              loading="lazy"
            />
          </a>
        </li>
      ))}
    </ul>
  );
};
