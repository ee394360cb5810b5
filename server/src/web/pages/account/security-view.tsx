// The page about the second factor and passkeys, and its steps.

import type { Row } from "#platform/db/tables.js";
import type { FormProblems } from "#web/form.js";
import { ConfirmForm } from "#web/parts/confirm-form.js";
import { CopyButton } from "#web/parts/copy-button.js";
import { Field } from "#web/parts/field.js";
import { PostForm } from "#web/parts/post-form.js";
import { Time } from "#web/parts/time.js";
import { useTexts } from "#web/texts.js";
import { texts } from "#words/texts.js";
import { QrCode } from "./qr-code.js";
import { FreshNeeded } from "./settings-frame.js";
import { TextField } from "./text-field.js";

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
        <form method="post" action={`${securityPath}/totp/begin`}>
          <button class="button" type="submit">
            {t.setUp}
          </button>
        </form>
      )}
      {isFresh && isOn && (
        <p class="actions">
          <a class="button quiet" href={`${securityPath}/codes`}>
            {t.renew}
          </a>
          <a class="button quiet" href={`${securityPath}/totp/off`}>
            {t.turnOff}
          </a>
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
          <form class="form card" hidden data-passkey-add>
            <TextField
              name="passkeyName"
              label={t.passkeyName}
              hint={t.passkeyNameHint}
              value={t.defaultName}
              maxLength={64}
              required
            />
            <button class="button" type="submit">
              {t.addPasskey}
            </button>
            <p class="wrong" role="status" data-failed={t.addFailed} />
          </form>
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
        <form method="post" action={`${securityPath}/passkeys/${passkey.id}/remove`}>
          <button class="button quiet small" type="submit" aria-label={`${t.remove}: ${passkey.name}`}>
            {t.remove}
          </button>
        </form>
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
      <PostForm action={`${securityPath}/totp`} button={t.confirm} problems={problems} labels={{ code: t.code }}>
        <Field name="code" label={t.code} hint={t.codeHint} autoComplete="one-time-code" problems={problems} />
      </PostForm>
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
        <a class="button" href={securityPath}>
          {t.stored}
        </a>
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
      <Field name="code" label={t.proof} hint={t.proofHint} autoComplete="one-time-code" problems={problems} />
    </ConfirmForm>
  );
};
