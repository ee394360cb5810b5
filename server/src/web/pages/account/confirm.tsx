// Confirming one's identity on a page of its own, before reading a page; forms ask for it themselves
// (web/frame/confirmation.tsx).
import Type from "typebox";
import type { Proofs } from "#accounts/sessions/confirming.js";
import type { FormProblems } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { hasFields, OtherWay, ProofFields } from "#web/frame/confirmation.js";
import { FormCard } from "#web/parts/form-card.js";
import { texts } from "#words/texts.js";

export const path = "/auth/confirm";

export const next = Type.Optional(Type.String());

export interface Props {
  proofs: Proofs;
  next: string;
  problems?: FormProblems;
}

export const Confirm = ({ proofs, next: to, problems }: Props) => {
  const t = useTexts(texts.frame.confirmation);
  const fields = <ProofFields proofs={proofs} next={to} problems={problems} />;
  return (
    <div class="stack narrow">
      <h1>{t.title}</h1>
      <p class="lead">{t.lead}</p>
      {hasFields(proofs) && (
        <FormCard action={path} button={t.confirm} problems={problems} labels={{ code: t.code, password: t.password }}>
          <input type="hidden" name="next" value={to} />
          {fields}
        </FormCard>
      )}
      {!hasFields(proofs) &&
        (proofs.passkey ? <div class="card">{fields}</div> : <OtherWay proofs={proofs} next={to} />)}
    </div>
  );
};
