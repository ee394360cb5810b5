// The form to edit the legal pages.
import { type LegalName, legalNames, maxLegalText } from "#operations/legal/texts.js";
import type { FormProblems } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { ConflictNotice, isStale, StampField, stampOf } from "#web/parts/conflict.js";
import { FormCard } from "#web/parts/form-card.js";
import { TextAreaField } from "#web/parts/input-fields.js";
import { texts } from "#words/texts.js";

export interface Props {
  name: LegalName;
  /** Undefined shows the default text as a start. */
  text: string | undefined;
  isOwn: boolean;
  /** Undefined: no text was saved yet. */
  saved: string | undefined;
  problems?: FormProblems;
}

export const LegalForm = ({ name, text, isOwn, saved = "", problems }: Props) => {
  const { admin, titles, defaults, pages } = useTexts(texts.site.legal);
  return (
    <>
      <p class="lead">{admin.lead}</p>
      <nav class="tabs" aria-label={pages}>
        {legalNames.map((each) => (
          <a key={each} href={`/admin/legal?page=${each}`} aria-current={each === name ? "page" : undefined}>
            {titles[each]}
          </a>
        ))}
      </nav>
      <p class="muted small">
        {isOwn ? admin.own : admin.standIn} · <a href={`/legal/${name}`}>{admin.seen}</a>
      </p>
      {isStale(problems) && <ConflictNotice saved={{ text: saved }} typed={{ text }} labels={{ text: admin.text }} />}
      <FormCard
        action="/admin/legal"
        button={admin.save}
        problems={isStale(problems) ? undefined : problems}
        labels={{ text: admin.text }}
      >
        <input type="hidden" name="page" value={name} />
        <StampField stamp={stampOf({ text: saved })} />
        <TextAreaField
          name="text"
          label={admin.text}
          rows={24}
          lengths={[0, maxLegalText]}
          value={text ?? defaults[name]}
          problems={problems}
        />
      </FormCard>
    </>
  );
};
