// Anyone who finds a leaked token can revoke it here: having it is enough proof for that.
import { useTexts } from "#web/context/texts.js";
import { FormCard } from "#web/parts/form-card.js";
import { Notice } from "#web/parts/notice.js";
import { TextField } from "#web/parts/text-field.js";
import { texts } from "#words/texts.js";

export const path = "/auth/leaked-token";

export const TokenForm = () => {
  const t = useTexts(texts.account.leakedToken);
  return (
    <FormCard action={path} button={t.button}>
      <TextField name="token" label={t.token} hint={t.hint} lengths={[0, 200]} required />
    </FormCard>
  );
};

export const Unknown = () => {
  const t = useTexts(texts.account.leakedToken);
  return (
    <Notice kind="problem" title={t.unknown}>
      <p>{t.unknownHint}</p>
    </Notice>
  );
};
