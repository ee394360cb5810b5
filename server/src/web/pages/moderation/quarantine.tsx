// The page before a version or file is quarantined: the effects, the affected versions, and the reason.
import { lengths } from "#lib/lengths.js";
import type { HeldVersion } from "#moderation/quarantine/shapes.js";
import type { FormProblems } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { ConfirmForm } from "#web/parts/confirm-form.js";
import { CheckboxField } from "#web/parts/input-fields.js";
import { TextField } from "#web/parts/text-field.js";
import { texts } from "#words/texts.js";
import { Versions } from "./files.js";

export interface Target {
  versionId: string;
  sha512: string;
  /** The case that led here. */
  case: string;
}

export const plainId = /^[\w-]{1,64}$/;

export const backOf = (target: Target): string =>
  plainId.test(target.case)
    ? `/moderation/report/${target.case}`
    : target.sha512 === ""
      ? "/moderation/files"
      : `/moderation/files?hash=${target.sha512}`;

interface Props {
  target: Target;
  versions: readonly HeldVersion[];
  reason: string;
  deny?: boolean;
  problems?: FormProblems;
}

export const Confirm = ({ target, versions, reason, deny = false, problems }: Props) => {
  const t = useTexts(texts.moderation.file);
  const words = useTexts(texts.moderation.desk);
  return (
    <>
      <p class="lead">{t.quarantineLead}</p>
      <p>{t.affected(versions.length)}</p>
      {versions.length > 0 && <Versions versions={versions} />}
      <ConfirmForm action="/moderation/quarantine" button={t.quarantine} back={backOf(target)} problems={problems}>
        {Object.entries(target).map(([name, value]) =>
          value === "" ? null : <input key={name} type="hidden" name={name} value={value} />,
        )}
        <TextField
          name="reason"
          required
          label={words.reason}
          hint={t.reasonHint}
          value={reason}
          lengths={lengths.moderationReason}
          problems={problems}
        />
        {target.sha512 !== "" && <CheckboxField name="deny" label={t.alsoDeny} checked={deny} />}
      </ConfirmForm>
    </>
  );
};
