// The target of mailed links that confirm an action: adding a password, deleting the account. Opening the page changes
// nothing, because mail programs open links before people do.
import type { FormProblems } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { FormCard } from "#web/parts/form-card.js";
import { texts } from "#words/texts.js";

export const path = "/auth/confirm-action";

export type Kind = "password" | "deletion";

export const ConfirmAction = ({ kind, code, problems }: { kind: Kind; code: string; problems?: FormProblems }) => {
  const t = useTexts(texts.account.confirmAction);
  return (
    <FormCard
      action={path}
      button={t[`${kind}Button`]}
      fields={{ code }}
      isDangerous={kind === "deletion"}
      otherButton={
        <Button kind="quiet" name="cancel" value="yes">
          {t.cancel}
        </Button>
      }
      problems={problems}
    />
  );
};
