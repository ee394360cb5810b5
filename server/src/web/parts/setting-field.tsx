// A setting of the site as a field of a form, or as a fact if the environment or the config file sets it.

import type { DescribedSetting } from "#config/config.js";
import type { ListedSetting } from "#config/table.js";
import { lastReportType, reportTypes } from "#lib/report-types.js";
import { type FormProblems, listOf } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { languages, locales } from "#words/languages.js";
import { texts } from "#words/texts.js";
import { Choices } from "./choices.js";
import { SelectField, TextAreaField } from "./input-fields.js";
import { TextField } from "./text-field.js";

type Kind =
  | { choices: readonly (Choice | readonly [value: string, name: Choice])[] }
  | "language"
  | "lines"
  | "reasons"
  | "text";
type Choice = keyof (typeof texts.admin.webSettings)["en"]["choices"];

/** Settings that are not a single line of text. */
const kinds: Record<string, Kind> = {
  MODSHELF_LANGUAGE: "language",
  MODSHELF_THEME: { choices: ["auto", "light", "dark"] },
  MODSHELF_REGISTRATION: { choices: ["open", "closed"] },
  MODSHELF_REVIEW: { choices: ["on", "first", "off"] },
  MODSHELF_GUEST_REPORTS: {
    choices: [
      ["on", "guestsToo"],
      ["off", "membersOnly"],
    ],
  },
  MODSHELF_SCANNER_UNAVAILABLE: { choices: ["hold", ["publish", "publishUnscanned"]] },
  MODSHELF_RATE_LIMITS: {
    choices: [
      ["on", "limited"],
      ["off", "unlimited"],
    ],
  },
  MODSHELF_BACKUP_SCHEDULE: { choices: [["off", "byHand"], "daily", "weekly"] },
  MODSHELF_FOOTER_LINKS: "lines",
  MODSHELF_LAUNCHER_LINKS: "lines",
  MODSHELF_REPORT_REASONS_OFF: "reasons",
};

const kindOf = ({ name }: ListedSetting): Kind => kinds[name] ?? "text";

/** The value of a form field as text of the config file; empty for the default. */
export function toSettingText(setting: ListedSetting, given: string | readonly string[] | undefined): string {
  const kind = kindOf(setting);
  const parts = listOf(given).flatMap((part) => (kind === "lines" ? part.split(/\r?\n/) : part));
  const text = parts
    .map((part) => part.trim().replace(/,$/, ""))
    .filter(Boolean)
    .join(kind === "lines" ? ", " : ",");
  return text === setting.default ? "" : text;
}

/** The source that overrides the value of the website. */
export const lockedSource = ({ source }: DescribedSetting): "environment" | "file" | undefined =>
  source === "environment" || source === "file" ? source : undefined;

interface Props {
  setting: ListedSetting;
  described: DescribedSetting;
  /** The typed text, if the form is shown again. */
  typed?: string | undefined;
  problems?: FormProblems | undefined;
}

export const SettingField = ({ setting, described, typed, problems }: Props) => {
  const t = useTexts(texts.admin.webSettings);
  const { stop } = useTexts(texts.parts.common);
  const { reportTypes: reasonNames } = useTexts(texts.moderation.desk);
  const { name } = setting;
  const { bounds } = setting.parse;
  const label = (t.labels as Record<string, string>)[name] ?? name;
  const hint = (t.hints as Record<string, string>)[name];
  const kind = kindOf(setting);
  const source = lockedSource(described);
  const shown = typed ?? described.value;
  if (source)
    return (
      <div class="field">
        <b>{label}</b>
        <span>
          <code>{described.value || "–"}</code> <span class="muted small">{t.locked(name, t.sources[source])}</span>
        </span>
      </div>
    );
  if (kind === "lines")
    return (
      <TextAreaField
        name={name}
        label={label}
        hint={hint}
        rows={4}
        value={shown.split(/,\s*/).join("\n")}
        problems={problems}
      />
    );
  if (kind === "reasons")
    return (
      <Choices
        name={name}
        legend={label}
        hint={hint}
        options={reportTypes
          .filter((type) => type !== lastReportType)
          .map((type) => ({ value: type, text: reasonNames[type] }))}
        chosen={shown.split(/,\s*/)}
        problems={problems}
      />
    );
  if (kind === "language")
    return (
      <SelectField
        {...{ name, label, hint, problems }}
        value={shown}
        options={locales.map((value) => ({ value, text: languages[value].name }))}
      />
    );
  if (typeof kind === "object")
    return (
      <SelectField
        name={name}
        label={label}
        hint={hint}
        value={shown}
        problems={problems}
        options={kind.choices.map((choice) => {
          const [value, name] = typeof choice === "string" ? [choice, choice] : choice;
          return { value, text: t.choices[name] };
        })}
      />
    );
  return (
    <TextField
      {...{ name, label, problems }}
      hint={
        [
          hint,
          bounds
            ? t.bounds(setting.default ?? "–", ...bounds)
            : !hint && setting.default
              ? t.emptyIs(setting.default)
              : undefined,
        ]
          .filter(Boolean)
          .join(stop) || undefined
      }
      value={shown}
      lengths={[0, 200]}
    />
  );
};
