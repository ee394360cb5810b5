// Removing the password, deleting the account, and exporting the user's data before that.
import type { RemainingCredentials } from "#accounts/users/password-contract.js";
import type { FormProblems } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { ConfirmForm } from "#web/parts/confirm-form.js";
import { TextField } from "#web/parts/text-field.js";
import { texts } from "#words/texts.js";
import { accountPath } from "./account.js";
import { CredentialChoices } from "./credential-choices.js";

export const removePath = `${accountPath}/remove-password`;

export const deletePath = `${accountPath}/delete`;

interface RemoveProps {
  credentials: RemainingCredentials;
  problems?: FormProblems | undefined;
}

export const RemovePassword = ({ credentials, problems }: RemoveProps) => {
  const t = useTexts(texts.account.account);
  return (
    <ConfirmForm action={removePath} button={t.removePassword} back={accountPath} problems={problems}>
      <TextField
        name="password"
        required
        type="password"
        label={t.currentPassword}
        autocomplete="current-password"
        problems={problems}
      />
      <CredentialChoices credentials={credentials} onlyTokens />
    </ConfirmForm>
  );
};

export interface DeleteProps {
  userName: string;
  hasPassword: boolean;
  owned: number;
  problems?: FormProblems;
}

export const DeleteAccount = ({ userName, hasPassword, owned, problems }: DeleteProps) => {
  const t = useTexts(texts.account.account);
  return (
    <ConfirmForm action={deletePath} button={t.deleteButton} back={accountPath} word={userName} problems={problems}>
      <p>{t.deleteWhat}</p>
      {owned > 0 && (
        <p>
          <strong>{t.projectsOwned(owned)}</strong>
        </p>
      )}
      {hasPassword && (
        <TextField
          name="password"
          required
          type="password"
          label={t.currentPassword}
          autocomplete="current-password"
          problems={problems}
        />
      )}
    </ConfirmForm>
  );
};
