// The fields of a token: name, scopes, lifetime.
import { type Scope, staffScope } from "#lib/scopes.js";
import type { FormProblems } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { SelectField } from "#web/parts/input-fields.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";
import { TextField } from "#web/parts/text-field.js";
import { lifetimes } from "#web/shared/token-lifetimes.js";
import { texts } from "#words/texts.js";
import { presetNames, scopeField, scopeGroups, splitScope } from "./token-scopes.js";

export interface TokenFields {
  name?: string | undefined;
  preset?: string | undefined;
  days?: string | undefined;
  date?: string | undefined;
  /** The project that it is bound to; empty for all. */
  project?: string | undefined;
  scopes: readonly Scope[];
}

interface Props {
  action: string;
  button: string;
  fields: TokenFields;
  problems?: FormProblems | undefined;
  /** An existing token shows its scopes instead of presets. */
  isNew: boolean;
  /** The projects that it can be bound to. */
  projects?: readonly { id: string; name: string }[];
  /** Whether the scope `staff` is offered. */
  isStaff: boolean;
}

export const TokenForm = ({ action, button, fields, problems, isNew, projects = [], isStaff }: Props) => {
  const t = useTexts(texts.account.token);
  return (
    <div class="stack">
      {problems && (
        <ProblemSummary
          problems={problems}
          labels={{ name: t.name, project: t.project, scopes: t.scopes, days: t.expiry, date: t.date }}
        />
      )}
      <Form class="form card" action={action}>
        <TextField
          name="name"
          label={t.name}
          hint={t.nameHint}
          value={fields.name}
          lengths={[0, 64]}
          required
          problems={problems}
        />
        {isNew && <Presets chosen={fields.preset ?? "ci"} />}
        {isNew && projects.length > 0 && (
          <SelectField
            name="project"
            label={t.project}
            hint={t.projectHint}
            value={fields.project ?? ""}
            options={[
              { value: "", text: t.allProjects },
              ...projects.map(({ id, name }) => ({ value: id, text: name })),
            ]}
            problems={problems}
          />
        )}
        <Scopes
          scopes={fields.scopes}
          isOpen={!isNew || fields.preset === "custom"}
          hint={isNew ? t.scopesHint : undefined}
          isStaff={isStaff}
          problems={problems}
        />
        {isNew && (
          <SelectField
            name="days"
            label={t.expiry}
            value={fields.days ?? "90"}
            options={[
              ...lifetimes.map((value) => ({ value, text: t.days(Number(value)) as string })),
              { value: "date", text: t.onDate },
            ]}
            problems={problems}
          />
        )}
        <TextField
          name="date"
          type="date"
          label={isNew ? t.date : t.expiry}
          hint={isNew ? t.dateHint : undefined}
          value={fields.date}
          problems={problems}
        />
        <Button>{button}</Button>
      </Form>
    </div>
  );
};

const Presets = ({ chosen }: { chosen: string }) => {
  const t = useTexts(texts.account.scope);
  const words = useTexts(texts.account.token);
  return (
    <fieldset class="plain-list">
      <legend>{words.purpose}</legend>
      {presetNames.map((name) => (
        <label key={name} class="check">
          <input type="radio" name="preset" value={name} checked={name === chosen} />
          <span>
            {t.presets[name]} <span class="muted small">{t.presetHints[name]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
};

const Scopes = ({
  scopes,
  isOpen,
  hint,
  isStaff,
  problems,
}: {
  scopes: readonly Scope[];
  isOpen: boolean;
  hint: string | undefined;
  isStaff: boolean;
  problems?: FormProblems | undefined;
}) => {
  const t = useTexts(texts.account.scope);
  const words = useTexts(texts.account.token);
  return (
    <details id="scopes" open={isOpen}>
      <summary>{words.scopes}</summary>
      {hint && <p class="muted small">{hint}</p>}
      <div class="choices">
        {scopeGroups.map(([group, members]) => (
          <fieldset key={group}>
            <legend>{t.groups[group]}</legend>
            {members.map((scope) => (
              <label key={scope} class="check" title={scope}>
                <input type="checkbox" name={scopeField(scope)} checked={scopes.includes(scope)} />{" "}
                {t.verbs[splitScope(scope).verb]}
              </label>
            ))}
          </fieldset>
        ))}
        {isStaff && (
          <fieldset>
            <legend>{t.staff}</legend>
            <label class="check" title={staffScope}>
              <input type="checkbox" name={scopeField(staffScope)} checked={scopes.includes(staffScope)} />
              <span>
                {t.powers} <span class="muted small">{t.powersHint}</span>
              </span>
            </label>
          </fieldset>
        )}
      </div>
      {problems?.fields.scopes && <p class="wrong">{problems.fields.scopes}</p>}
    </details>
  );
};
