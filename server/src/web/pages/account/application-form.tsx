// The fields of an application.
import { maxRedirectUris } from "#accounts/applications/redirect-uris.js";
import { lengths } from "#lib/lengths.js";
import { applicationScopes, type Scope } from "#lib/scopes.js";
import type { FormProblems } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { FormCard } from "#web/parts/form-card.js";
import { TextAreaField } from "#web/parts/input-fields.js";
import { TextField } from "#web/parts/text-field.js";
import { texts } from "#words/texts.js";
import { scopeField, scopeGroups } from "./token-scopes.js";

export interface ApplicationFormProps {
  action: string;
  button: string;
  fields: {
    name?: string | undefined;
    description?: string | undefined;
    homepage?: string | undefined;
    /** One in each line. */
    redirectUris?: string | undefined;
    scopes: readonly Scope[];
    /** Only for a new application. */
    type?: string | undefined;
  };
  problems?: FormProblems | undefined;
  isNew?: true;
}

export const ApplicationForm = ({ action, button, fields, problems, isNew }: ApplicationFormProps) => {
  const t = useTexts(texts.applications.own);
  const labels = {
    ...{ name: t.name, description: t.description, homepage: t.homepage },
    ...{ redirectUris: t.redirectUris, scopes: t.scopes },
  };
  return (
    <FormCard action={action} button={button} problems={problems} labels={labels}>
      <TextField
        {...{ name: "name", label: t.name, hint: t.nameHint, value: fields.name, problems }}
        lengths={lengths.applicationName}
        required
      />
      <TextField
        {...{ name: "description", label: t.description, hint: t.descriptionHint, value: fields.description, problems }}
        lengths={lengths.applicationDescription}
      />
      <TextField
        {...{ name: "homepage", label: t.homepage, hint: t.homepageHint, value: fields.homepage, problems }}
        lengths={lengths.homepage}
        required
        verbatim
      />
      <TextAreaField
        {...{ name: "redirectUris", label: t.redirectUris, hint: t.redirectUrisHint, value: fields.redirectUris }}
        problems={problems}
        rows={3}
        lengths={[0, maxRedirectUris * 260]}
        required
      />
      {isNew && <Types chosen={fields.type ?? "public"} />}
      <Scopes scopes={fields.scopes} problems={problems} />
    </FormCard>
  );
};

const Types = ({ chosen }: { chosen: string }) => {
  const t = useTexts(texts.applications.own);
  const types = [
    ["public", t.isPublic, t.isPublicHint],
    ["confidential", t.isConfidential, t.isConfidentialHint],
  ] as const;
  return (
    <fieldset class="plain-list">
      <legend>{t.type}</legend>
      {types.map(([value, text, hint]) => (
        <label key={value} class="check">
          <input type="radio" name="type" value={value} checked={value === chosen} />
          <span>
            {text} <span class="muted small">{hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
};

const Scopes = ({ scopes, problems }: { scopes: readonly Scope[]; problems?: FormProblems | undefined }) => {
  const t = useTexts(texts.applications.own);
  const { groups } = useTexts(texts.account.scope);
  const sentences: Partial<Record<Scope, string>> = useTexts(texts.applications.scopes);
  return (
    <div id="scopes" class="field">
      <strong>{t.scopes}</strong>
      <span class="hint">{t.scopesHint}</span>
      <div class="choices">
        {scopeGroups.map(([group, members]) => (
          <fieldset key={group}>
            <legend>{groups[group]}</legend>
            {members
              .filter((scope) => (applicationScopes as readonly Scope[]).includes(scope))
              .map((scope) => (
                <label key={scope} class="check" title={scope}>
                  <input type="checkbox" name={scopeField(scope)} checked={scopes.includes(scope)} />
                  <span>{sentences[scope]}</span>
                </label>
              ))}
          </fieldset>
        ))}
      </div>
      {problems?.fields.scopes && <p class="wrong">{problems.fields.scopes}</p>}
    </div>
  );
};
