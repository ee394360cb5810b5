// The sign-in providers: a list of all, and for each a page with its client, the URL to register there, and a switch.
import type { DescribedSetting } from "#config/config.js";
import type { FormProblems } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { ButtonLink } from "#web/parts/button.js";
import { CopyButton } from "#web/parts/copy-button.js";
import { FormCard } from "#web/parts/form-card.js";
import { FreshNeeded } from "#web/parts/fresh-needed.js";
import { CheckboxField } from "#web/parts/input-fields.js";
import { Notice } from "#web/parts/notice.js";
import { lockedSource } from "#web/parts/setting-field.js";
import { TextField } from "#web/parts/text-field.js";
import { texts } from "#words/texts.js";
import { FixedValue } from "./fixed-value.js";
import { SettingsTabs } from "./settings-tabs.js";

export const providersPath = "/admin/settings/sign-in";
export const fieldNames = ["clientId", "clientSecret", "url", "isOn"] as const;
export type ProviderFields = Partial<Record<(typeof fieldNames)[number], string>>;

export interface ListedProvider {
  name: string;
  title: string;
  state: "on" | "off" | "missing";
}

export const ProviderList = ({ providers }: { providers: readonly ListedProvider[] }) => {
  const t = useTexts(texts.operator.signIn);
  const web = useTexts(texts.admin.webSettings);
  return (
    <>
      <SettingsTabs />
      <div class="stack desk-form">
        <h2>{web.sections["sign-in"]}</h2>
        <p class="lead">{t.lead}</p>
        <ul class="plain-list desk-providers">
          {providers.map(({ name, title, state }) => {
            const action = state === "missing" ? t.setUp : t.edit;
            return (
              <li key={name}>
                <b>{title}</b>
                <span>
                  <span class={state === "on" ? "pill release" : "pill"}>{t.states[state]}</span>
                </span>
                <ButtonLink kind="quiet" small href={`${providersPath}/${name}`} aria-label={t.of(action, title)}>
                  {action}
                </ButtonLink>
              </li>
            );
          })}
        </ul>
      </div>
    </>
  );
};

export interface ProviderView extends ListedProvider {
  /** Where applications are registered there. */
  console: string;
  redirectUrl: string;
  clientId: DescribedSetting;
  clientSecret: DescribedSetting;
  /** Only GitLab has one. */
  url: DescribedSetting | undefined;
  off: DescribedSetting;
  stamp: string;
  isFresh: boolean;
}

export interface ProviderState {
  isSaved?: boolean;
  typed?: ProviderFields;
  problems?: FormProblems | undefined;
}

export const ProviderSettings = ({ view, isSaved, typed, problems }: { view: ProviderView } & ProviderState) => {
  const { stop } = useTexts(texts.parts.common);
  const t = useTexts(texts.operator.signIn);
  const web = useTexts(texts.admin.webSettings);
  const { name, title, state } = view;
  const isStale = problems?.fields.stamp !== undefined;
  return (
    <>
      <SettingsTabs />
      <div class="stack desk-form">
        <p>
          <a href={providersPath}>← {t.back}</a>
        </p>
        <h2>
          {title} <span class={state === "on" ? "pill release" : "pill"}>{t.states[state]}</span>
        </h2>
        {isSaved && <Notice title={web.saved} />}
        {isStale && <Notice kind="warning" title={web.meanwhile} />}
        <p>
          <a href={view.console} rel="noreferrer">
            {t.register(title)}
          </a>
          {stop}
          {t.registerText} {name === "gitlab" && t.gitlabScopes}
        </p>
        <div class="field">
          <b>{t.redirect}</b>
          <span>
            <code>{view.redirectUrl}</code> <CopyButton text={view.redirectUrl} />
          </span>
        </div>
        {view.isFresh ? (
          <ClientForm view={view} typed={typed} problems={isStale ? undefined : problems} />
        ) : (
          <FreshNeeded next={`${providersPath}/${name}`} />
        )}
        {state === "on" && (
          <section class="stack">
            <p>{t.tryText(title)}</p>
            <p>
              <ButtonLink
                kind="quiet"
                href={`/api/auth/signin/${name}?redirect=true&next=${encodeURIComponent(`${providersPath}/${name}`)}`}
              >
                {t.tryIt}
              </ButtonLink>
            </p>
          </section>
        )}
        {state !== "missing" && view.isFresh && !lockedSource(view.clientId) && (
          <FormCard
            action={`${providersPath}/${name}/remove`}
            button={t.remove}
            fields={{ stamp: view.stamp }}
            isDangerous
          >
            <p>{t.removeText}</p>
          </FormCard>
        )}
      </div>
    </>
  );
};

const ClientForm = ({ view, typed, problems }: { view: ProviderView } & Omit<ProviderState, "isSaved">) => {
  const t = useTexts(texts.operator.signIn);
  const web = useTexts(texts.admin.webSettings);
  const { title, state, clientId, clientSecret, url, off } = view;
  const isSet = state !== "missing";
  const isOn = t.isOn(title);
  const labels = { url: t.url, clientId: t.clientId, clientSecret: t.clientSecret, isOn };
  return (
    <FormCard
      action={`${providersPath}/${view.name}`}
      button={web.save}
      fields={{ stamp: view.stamp }}
      problems={problems}
      labels={labels}
    >
      {url &&
        (lockedSource(url) ? (
          <FixedValue label={t.url} value={<code>{url.value}</code>} described={url} />
        ) : (
          <TextField {...{ name: "url", label: t.url, problems }} value={typed?.url ?? url.value} verbatim />
        ))}
      {lockedSource(clientId) ? (
        <>
          <FixedValue label={t.clientId} value={<code>{clientId.value}</code>} described={clientId} />
          <FixedValue label={t.clientSecret} value={t.isSet} described={clientSecret} />
        </>
      ) : (
        <>
          <TextField
            {...{ name: "clientId", label: t.clientId, problems }}
            value={typed?.clientId ?? clientId.value}
            lengths={[1, 512]}
            required
            verbatim
          />
          <TextField
            {...{ name: "clientSecret", label: t.clientSecret, problems }}
            type="password"
            hint={isSet ? t.secretSet : t.secretNone}
            lengths={[0, 512]}
            autocomplete="new-password"
          />
        </>
      )}
      {lockedSource(off) ? (
        <FixedValue label={isOn} value={t.states[state]} described={off} />
      ) : (
        <CheckboxField
          {...{ name: "isOn", label: isOn, hint: t.isOnHint, problems }}
          checked={typed ? typed.isOn === "on" : state !== "off"}
        />
      )}
    </FormCard>
  );
};
