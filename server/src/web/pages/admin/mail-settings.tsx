// The mail server: its settings as a form, or as facts if they cannot be edited, and a test message.
import type { DescribedSetting } from "#config/config.js";
import type { MailTrial } from "#operations/administration/mail-trial.js";
import { type SmtpAddress, securities } from "#platform/mail/smtp-address.js";
import type { FormProblems } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { FormCard } from "#web/parts/form-card.js";
import { FreshNeeded } from "#web/parts/fresh-needed.js";
import { SelectField } from "#web/parts/input-fields.js";
import { Notice } from "#web/parts/notice.js";
import { lockedSource } from "#web/parts/setting-field.js";
import { TextField } from "#web/parts/text-field.js";
import { texts } from "#words/texts.js";
import { FixedValue } from "./fixed-value.js";
import { SettingsTabs } from "./settings-tabs.js";

export const mailPath = "/admin/settings/mail";
export const fieldNames = ["host", "port", "security", "user", "password", "from"] as const;
export type MailFields = Partial<Record<(typeof fieldNames)[number], string>>;

export interface MailView {
  /** The server in effect; its password is never part of the view. */
  server: Omit<SmtpAddress, "password"> | undefined;
  hasPassword: boolean;
  from: string;
  url: DescribedSetting;
  sender: DescribedSetting;
  stamp: string;
  isFresh: boolean;
  /** The email address of the caller. */
  address: string | null;
}

export interface MailState {
  isSaved?: boolean;
  typed?: MailFields;
  problems?: FormProblems | undefined;
  trial?: MailTrial;
}

export const MailSettings = ({ view, isSaved, typed, problems, trial }: { view: MailView } & MailState) => {
  const t = useTexts(texts.operator.mail);
  const web = useTexts(texts.admin.webSettings);
  const isStale = problems?.fields.stamp !== undefined;
  return (
    <>
      <SettingsTabs />
      <div class="stack desk-form">
        <h2>{web.sections.mail}</h2>
        {trial && <TrialNotice trial={trial} />}
        {isSaved ? (
          <Notice title={web.saved} />
        ) : (
          <>
            <p class="lead">{t.lead}</p>
            <p class="muted small">{web.lead}</p>
          </>
        )}
        {isStale && <Notice kind="warning" title={web.meanwhile} />}
        {!view.server && (
          <Notice kind="warning" title={t.none}>
            <p>{t.noneText}</p>
            <p>{t.consequence}</p>
          </Notice>
        )}
        {!view.isFresh && <FreshNeeded next={mailPath} />}
        {view.isFresh && !lockedSource(view.url) ? (
          <ServerForm view={view} typed={typed} problems={isStale ? undefined : problems} />
        ) : (
          view.server && <Facts view={view} />
        )}
        {view.server && view.isFresh && <TestForm address={view.address} />}
        {view.server && view.isFresh && !lockedSource(view.url) && (
          <FormCard action={`${mailPath}/remove`} button={t.remove} fields={{ stamp: view.stamp }} isDangerous>
            <p>{t.removeText}</p>
          </FormCard>
        )}
      </div>
    </>
  );
};

const ServerForm = ({ view, typed, problems }: Pick<MailState, "typed" | "problems"> & { view: MailView }) => {
  const t = useTexts(texts.operator.mail);
  const web = useTexts(texts.admin.webSettings);
  const { server, hasPassword, sender } = view;
  const labels = Object.fromEntries(fieldNames.map((name) => [name, t[name]]));
  const value = (name: Exclude<keyof MailFields, "password" | "from">) => typed?.[name] ?? server?.[name] ?? "";
  return (
    <FormCard action={mailPath} button={web.save} fields={{ stamp: view.stamp }} problems={problems} labels={labels}>
      <TextField
        {...{ name: "host", label: t.host, hint: t.hostHint, problems }}
        value={value("host")}
        lengths={[1, 253]}
        required
        verbatim
      />
      <SelectField
        {...{ name: "security", label: t.security, problems }}
        value={value("security") || "starttls"}
        options={securities.map((security) => ({ value: security, text: t.securities[security] }))}
      />
      <TextField
        {...{ name: "port", label: t.port, hint: t.portHint, problems }}
        value={value("port")}
        lengths={[0, 5]}
        verbatim
      />
      <TextField
        {...{ name: "user", label: t.user, hint: t.userHint, problems }}
        value={value("user")}
        lengths={[0, 512]}
        verbatim
      />
      <TextField
        {...{ name: "password", label: t.password, problems }}
        type="password"
        hint={hasPassword ? t.passwordSet : t.passwordNone}
        lengths={[0, 512]}
        autocomplete="new-password"
      />
      {lockedSource(sender) ? (
        <FixedValue label={t.from} value={<code>{sender.value}</code>} described={sender} />
      ) : (
        <TextField
          {...{ name: "from", label: t.from, hint: t.fromHint, problems }}
          value={typed?.from ?? view.from}
          lengths={[3, 320]}
          required
          verbatim
        />
      )}
    </FormCard>
  );
};

const Facts = ({ view: { server, hasPassword, from, url, sender } }: { view: MailView }) => {
  const t = useTexts(texts.operator.mail);
  return (
    <div class="form card">
      <FixedValue label={t.host} value={<code>{server!.host}</code>} described={url} />
      <FixedValue label={t.security} value={t.securities[server!.security]} described={undefined} />
      <FixedValue label={t.port} value={server!.port} described={undefined} />
      <FixedValue label={t.user} value={server!.user && <code>{server!.user}</code>} described={undefined} />
      <FixedValue label={t.password} value={hasPassword ? t.isSet : ""} described={undefined} />
      <FixedValue label={t.from} value={<code>{from}</code>} described={sender} />
    </div>
  );
};

const TestForm = ({ address }: Pick<MailView, "address">) => {
  const t = useTexts(texts.operator.mail);
  return (
    <section class="stack">
      <h3>{t.test}</h3>
      {address === null ? (
        <p>{t.noAddress}</p>
      ) : (
        <>
          <p>{t.testLead(address)}</p>
          <Form action={`${mailPath}/test`}>
            <Button kind="quiet">{t.testButton}</Button>
          </Form>
        </>
      )}
    </section>
  );
};

const TrialNotice = ({ trial: { outcome, reply } }: { trial: MailTrial }) => {
  const t = useTexts(texts.operator.mail);
  return (
    <div role="status">
      <Notice {...(outcome !== "accepted" && { kind: "problem" as const })} title={t.outcomes[outcome]}>
        <p>{t.advice[outcome]}</p>
        {reply && (
          <p>
            {t.reply} <code dir="auto">{reply}</code>
          </p>
        )}
      </Notice>
    </div>
  );
};
