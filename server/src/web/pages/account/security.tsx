// The page about the second factor and passkeys, and its steps.

import type { Row } from "#platform/db/tables.js";
import type { FormProblems } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { ConfirmForm } from "#web/parts/confirm-form.js";
import { CopyButton } from "#web/parts/copy-button.js";
import { Form } from "#web/parts/form.js";
import { FormCard } from "#web/parts/form-card.js";
import { FreshNeeded } from "#web/parts/fresh-needed.js";
import { TextField } from "#web/parts/text-field.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";
import { QrCode } from "./qr-code.js";

export const securityPath = "/settings/security";

interface Props {
  isOn: boolean;
  codesLeft: number;
  passkeys: readonly Row<"passkeys">[];
  canHavePasskeys: boolean;
  isFresh: boolean;
  hasPassword: boolean;
}

export const SecuritySections = (props: Props) => (
  <>
    {!props.isFresh && <FreshNeeded next={securityPath} />}
    <AppSection {...props} />
    <PasskeySection {...props} />
  </>
);

const AppSection = ({ isOn, codesLeft, isFresh }: Props) => {
  const t = useTexts(texts.account.security);
  return (
    <section class="stack">
      <h2>{t.app}</h2>
      <p>
        {isOn ? t.appOn : t.appOff} {isOn && t.codesLeft(codesLeft)}
      </p>
      {isFresh && !isOn && (
        <Form action={`${securityPath}/totp/begin`}>
          <Button>{t.setUp}</Button>
        </Form>
      )}
      {isFresh && isOn && (
        <p class="actions">
          <ButtonLink kind="quiet" href={`${securityPath}/codes`}>
            {t.renew}
          </ButtonLink>
          <ButtonLink kind="quiet" href={`${securityPath}/totp/off`}>
            {t.turnOff}
          </ButtonLink>
        </p>
      )}
    </section>
  );
};

const PasskeySection = ({ passkeys, canHavePasskeys, isFresh }: Props) => {
  const t = useTexts(texts.account.security);
  return (
    <section class="stack">
      <h2>{t.passkeys}</h2>
      <p>{t.passkeysLead}</p>
      {passkeys.length === 0 && <p class="muted">{t.passkeysNone}</p>}
      <ul class="rows">
        {passkeys.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} isFresh={isFresh} />
        ))}
      </ul>
      {!canHavePasskeys && <p class="muted">{t.passkeysNeedName}</p>}
      {canHavePasskeys && isFresh && (
        <>
          <noscript>
            <p class="muted">{t.passkeysNeedScript}</p>
          </noscript>
          <Form method="get" class="form card" hidden data-passkey-add>
            <TextField
              name="passkeyName"
              label={t.passkeyName}
              hint={t.passkeyNameHint}
              value={t.defaultName}
              lengths={[0, 64]}
              required
            />
            <Button>{t.addPasskey}</Button>
            <p class="wrong" role="status" data-failed={t.addFailed} />
          </Form>
        </>
      )}
    </section>
  );
};

const PasskeyRow = ({ passkey, isFresh }: { passkey: Row<"passkeys">; isFresh: boolean }) => {
  const t = useTexts(texts.account.security);
  return (
    <li class="card stack">
      <h3>
        <bdi>{passkey.name}</bdi>
      </h3>
      <dl class="facts">
        <dt>{t.made}</dt>
        <dd>
          <Time at={passkey.date_created} />
        </dd>
        <dt>{t.lastUsed}</dt>
        <dd>{passkey.date_last_used === null ? t.never : <Time at={passkey.date_last_used} />}</dd>
      </dl>
      {isFresh && (
        <Form action={`${securityPath}/passkeys/${passkey.id}/remove`}>
          <Button kind="quiet" small aria-label={`${t.remove}: ${passkey.name}`}>
            {t.remove}
          </Button>
        </Form>
      )}
    </li>
  );
};

export const TotpSetup = ({ secret, link, problems }: { secret: string; link: string; problems?: FormProblems }) => {
  const t = useTexts(texts.account.security);
  return (
    <>
      <div class="card stack">
        <p>{t.scan}</p>
        <QrCode text={link} />
        <p>
          <a href={link}>{t.openInApp}</a>
        </p>
        <p>{t.bySecret}</p>
        <p class="secret">
          <code>{secret}</code> <CopyButton text={secret} />
        </p>
      </div>
      <FormCard action={`${securityPath}/totp`} button={t.confirm} problems={problems} labels={{ code: t.code }}>
        <TextField
          name="code"
          required
          verbatim
          label={t.code}
          hint={t.codeHint}
          autocomplete="one-time-code"
          problems={problems}
        />
      </FormCard>
    </>
  );
};

export const RecoveryCodes = ({ codes }: { codes: readonly string[] }) => {
  const t = useTexts(texts.account.security);
  return (
    <div class="card stack">
      <ul class="secrets">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <p class="actions">
        <CopyButton text={codes.join("\n")} />
        <ButtonLink href={securityPath}>{t.stored}</ButtonLink>
      </p>
    </div>
  );
};

const proveActions = { renew: `${securityPath}/codes`, turnOff: `${securityPath}/totp/off` };

export const ProveWithCode = ({ act, problems }: { act: "renew" | "turnOff"; problems?: FormProblems | undefined }) => {
  const t = useTexts(texts.account.security);
  return (
    <ConfirmForm
      action={proveActions[act]}
      button={t[act]}
      back={securityPath}
      problems={problems}
      labels={{ code: t.proof }}
    >
      <TextField
        name="code"
        required
        verbatim
        label={t.proof}
        hint={t.proofHint}
        autocomplete="one-time-code"
        problems={problems}
      />
    </ConfirmForm>
  );
};
