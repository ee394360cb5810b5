// The account page: email, password, linked accounts, data export, deletion.

import { knownProviders, type ProviderName } from "#accounts/providers/known-providers.js";
import type { RemainingCredentials } from "#accounts/users/password-contract.js";
import { lengths } from "#lib/lengths.js";
import type { Row } from "#platform/db/tables.js";
import type { FormProblems } from "#web/context/form.js";
import { useFormat } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { FormCard } from "#web/parts/form-card.js";
import { FreshNeeded } from "#web/parts/fresh-needed.js";
import { TextField } from "#web/parts/text-field.js";
import { texts } from "#words/texts.js";
import { CredentialChoices, type toChoice } from "./credential-choices.js";

export const accountPath = "/settings/account";

export interface AccountState {
  account: Row<"users">;
  linked: readonly Row<"linked_accounts">[];
  usable: readonly ProviderName[];
  isFresh: boolean;
  hasPasskey: boolean;
  /** Without mail no email address can be confirmed. */
  hasMail: boolean;
  /** The total size of the user's version files in bytes; the limit may be infinite. */
  storage: { used: number; limit: number };
  credentials: RemainingCredentials;
}

interface Props {
  state: AccountState;
  /** The problems of the form that was refused. */
  problems?: FormProblems | undefined;
  refused?: "email" | "password" | undefined;
  email?: string | undefined;
  /** The choices in a password form that was refused. */
  typed?: Parameters<typeof toChoice>[0] | undefined;
}

export const AccountSections = ({ state, problems, refused, email, typed }: Props) => {
  const t = useTexts(texts.account.account);
  const format = useFormat();
  return (
    <>
      <EmailSection state={state} email={email} problems={refused === "email" ? problems : undefined} />
      <PasswordSection state={state} typed={typed} problems={refused === "password" ? problems : undefined} />
      <ProvidersSection state={state} />
      <section class="stack">
        <h2>{t.storage}</h2>
        <p>
          {Number.isFinite(state.storage.limit)
            ? t.storageOf(format.bytes(state.storage.used), format.bytes(state.storage.limit))
            : t.storageUsed(format.bytes(state.storage.used))}
        </p>
      </section>
      <section class="stack">
        <h2>{t.data}</h2>
        <p>{t.dataLead}</p>
        <p>
          <ButtonLink kind="quiet" href={`${accountPath}/export`} download>
            {t.export}
          </ButtonLink>
        </p>
      </section>
      <section class="stack">
        <h2>{t.leave}</h2>
        <p>{t.leaveLead}</p>
        <p>
          <ButtonLink kind="danger" href={`${accountPath}/delete`}>
            {t.delete}
          </ButtonLink>
        </p>
      </section>
    </>
  );
};

const EmailSection = ({ state, email, problems }: Omit<Props, "refused" | "typed">) => {
  const t = useTexts(texts.account.account);
  const { account, isFresh, hasMail } = state;
  const isUnconfirmed = hasMail && account.email !== null && account.email_verified === 0;
  const hasPassword = account.password_hash !== null;
  return (
    <section class="stack">
      <h2>{t.email}</h2>
      <p>
        {account.email === null ? t.emailNone : t.emailNow(account.email)} {isUnconfirmed && t.unconfirmed}
      </p>
      {isUnconfirmed && (
        <Form action={`${accountPath}/confirmation`}>
          <Button kind="quiet">{t.confirmAddress}</Button>
        </Form>
      )}
      {hasPassword || isFresh ? (
        <FormCard
          action={`${accountPath}/email`}
          button={t.changeEmail}
          problems={problems}
          labels={{ email: t.newEmail, emailPassword: t.emailPassword }}
        >
          <TextField
            name="email"
            type="email"
            label={t.newEmail}
            value={email}
            lengths={lengths.email}
            autocomplete="email"
            required
            problems={problems}
          />
          {hasPassword && (
            <TextField
              name="emailPassword"
              required
              type="password"
              label={t.emailPassword}
              autocomplete="current-password"
              problems={problems}
            />
          )}
        </FormCard>
      ) : (
        <FreshNeeded next={accountPath} />
      )}
    </section>
  );
};

const PasswordSection = ({ state, problems, typed }: Omit<Props, "refused" | "email">) => {
  const t = useTexts(texts.account.account);
  const { account, isFresh, hasPasskey, linked } = state;
  const hasPassword = account.password_hash !== null;
  return (
    <section class="stack">
      <h2>{t.password}</h2>
      {!hasPassword && <p>{t.passwordNone}</p>}
      {hasPassword || isFresh ? (
        <FormCard
          action={`${accountPath}/password`}
          button={hasPassword ? t.changePassword : t.setPassword}
          problems={problems}
          labels={{
            currentPassword: t.currentPassword,
            newPassword: t.newPassword,
            confirmNewPassword: t.confirmNewPassword,
          }}
        >
          {/* Tells password managers the account. */}
          <input type="hidden" name="userName" autocomplete="username" value={account.user_name} />
          {hasPassword && (
            <TextField
              name="currentPassword"
              required
              type="password"
              label={t.currentPassword}
              autocomplete="current-password"
              problems={problems}
            />
          )}
          <TextField
            name="newPassword"
            type="password"
            label={t.newPassword}
            hint={t.newPasswordHint}
            autocomplete="new-password"
            lengths={lengths.password}
            required
            problems={problems}
          />
          <TextField
            name="confirmNewPassword"
            type="password"
            label={t.confirmNewPassword}
            autocomplete="new-password"
            required
            problems={problems}
          />
          <CredentialChoices credentials={state.credentials} typed={typed} />
        </FormCard>
      ) : (
        <FreshNeeded next={accountPath} />
      )}
      {hasPassword &&
        (hasPasskey || linked.length > 0 ? (
          <p>
            <a href={`${accountPath}/remove-password`}>{t.removePassword}</a>
          </p>
        ) : (
          <p class="muted small">{t.lastWay}</p>
        ))}
    </section>
  );
};

const ProvidersSection = ({ state }: Pick<Props, "state">) => {
  const t = useTexts(texts.account.account);
  const { linked, usable, isFresh } = state;
  // A link to a provider that is no longer configured can still be removed.
  const names = [...new Set<string>([...usable, ...linked.map(({ provider }) => provider)])];
  return (
    <section class="stack">
      <h2>{t.providers}</h2>
      {names.length === 0 && <p class="muted">{t.providersNone}</p>}
      {names.length > 0 && !isFresh && <FreshNeeded next={accountPath} />}
      <ul class="rows">
        {names.map((name) => (
          <ProviderRow key={name} name={name} state={state} />
        ))}
      </ul>
    </section>
  );
};

const ProviderRow = ({ name, state }: { name: string; state: AccountState }) => {
  const t = useTexts(texts.account.account);
  const { account, linked, usable, isFresh, hasPasskey } = state;
  const title = (knownProviders as Record<string, { title: string }>)[name]?.title ?? name;
  const link = linked.find(({ provider }) => provider === name);
  const others = linked.filter((each) => each !== link && (usable as readonly string[]).includes(each.provider));
  const canUnlink = account.password_hash !== null || others.length > 0 || hasPasskey;
  return (
    <li class="card stack">
      <h3>{title}</h3>
      <p>{link ? t.linked(link.provider_email ?? "") : t.notLinked}</p>
      {!link && isFresh && (
        <p>
          <ButtonLink kind="quiet" small rel="nofollow" href={`/api/auth/link/${name}?redirect=true`}>
            {t.link(title)}
          </ButtonLink>
        </p>
      )}
      {link && !canUnlink && <p class="muted small">{t.lastWay}</p>}
      {link && canUnlink && (
        <Form action={`${accountPath}/unlink`}>
          <input type="hidden" name="provider" value={name} />
          <Button kind="quiet" small>
            {t.unlink(title)}
          </Button>
        </Form>
      )}
    </li>
  );
};
