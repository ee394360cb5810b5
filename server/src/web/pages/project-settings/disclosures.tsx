// Statements of the author about AI, telemetry and paid features. Each is optional: not stated is different from "no".
import Type, { type Static } from "typebox";
import { aiKinds, type Disclosures, type statementNames } from "#content/shapes/disclosures.js";
import type { Children } from "#lib/jsx-runtime.js";
import { lengths } from "#lib/lengths.js";
import { type FormProblems, formFields, formLists, listOf } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { Choices } from "#web/parts/choices.js";
import { TextField } from "#web/parts/text-field.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { texts } from "#words/texts.js";
import { SettingsForm } from "./settings-form.js";

export const below = "/settings/disclosures";

type StatementName = (typeof statementNames)[number];

export const fieldOf = <N extends StatementName, P extends "details" | "url">(name: N, part: P) =>
  `${name}-${part}` as const;

const texted = ["ai", "telemetry", "paidFeatures", "next"] as const;
const detailed = ["telemetry-details", "telemetry-url", "paidFeatures-details", "paidFeatures-url"] as const;

export const body = Type.Object({
  ...formFields(...texted, ...detailed).properties,
  ...formLists("aiKinds").properties,
});

export type Typed = Static<typeof body>;

/** The form as it shows what is saved. */
function toTyped({ ai, telemetry, paidFeatures }: Disclosures): Typed {
  const answerOf = (isStated: boolean, isPresent: boolean) => (isStated ? (isPresent ? "yes" : "no") : "");
  return {
    ai: answerOf(ai !== null, ai !== null && ai.length > 0),
    aiKinds: ai ?? [],
    telemetry: answerOf(telemetry !== null, telemetry?.present === true),
    "telemetry-details": telemetry?.details ?? "",
    "telemetry-url": telemetry?.url ?? "",
    paidFeatures: answerOf(paidFeatures !== null, paidFeatures?.present === true),
    "paidFeatures-details": paidFeatures?.details ?? "",
    "paidFeatures-url": paidFeatures?.url ?? "",
  };
}

interface Props {
  view: SettingsView;
  typed?: Typed;
  problems?: FormProblems;
}

export const DisclosureForm = ({ view, typed, problems }: Props) => {
  const t = useTexts(texts.projectSettings.disclosures);
  const { aiKinds: kindNames } = useTexts(texts.parts.disclosures);
  const shown = typed ?? toTyped(view.project.disclosures);
  const labels = {
    aiKinds: t.usedFor,
    "telemetry-details": t.details.telemetry,
    "telemetry-url": t.urls.telemetry,
    "paidFeatures-details": t.details.paidFeatures,
    "paidFeatures-url": t.urls.paidFeatures,
  };
  return (
    <SettingsForm {...{ view, below, labels, problems }} lead={t.lead} save={t.save}>
      <Subject name="ai" answer={shown.ai}>
        <Choices
          name="aiKinds"
          legend={t.usedFor}
          options={aiKinds.map((value) => ({ value, text: kindNames[value] }))}
          chosen={listOf(shown.aiKinds)}
          problems={problems}
        />
      </Subject>
      {(["telemetry", "paidFeatures"] as const).map((name) => (
        <Subject key={name} name={name} answer={shown[name]}>
          <TextField
            name={fieldOf(name, "details")}
            label={t.details[name]}
            hint={t.hints[name]}
            value={shown[fieldOf(name, "details")] ?? ""}
            lengths={[0, lengths.disclosure[1]]}
            problems={problems}
          />
          <TextField
            name={fieldOf(name, "url")}
            label={t.urls[name]}
            value={shown[fieldOf(name, "url")] ?? ""}
            lengths={lengths.link}
            problems={problems}
          />
        </Subject>
      ))}
    </SettingsForm>
  );
};

interface SubjectProps {
  name: "ai" | StatementName;
  answer: string | undefined;
  /** The fields that belong to "yes"; the style sheet hides them with the other answers. */
  children: Children;
}

const Subject = ({ name, answer = "", children }: SubjectProps) => {
  const t = useTexts(texts.projectSettings.disclosures);
  return (
    <fieldset class="form disclosure">
      <legend>{t.subjects[name]}</legend>
      <div>
        {(["", "no", "yes"] as const).map((value) => (
          <label key={value} class="check">
            <input type="radio" name={name} value={value} checked={answer === value} />{" "}
            <span>{value === "" ? t.notStated : t[value][name]}</span>
          </label>
        ))}
      </div>
      <div class="form disclosed">{children}</div>
    </fieldset>
  );
};
