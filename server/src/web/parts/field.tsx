// One labelled input with its hint and, after a refused attempt, what is wrong with it.
import { lengths } from "../../lib/lengths.js";
import type { FormProblems } from "../form.js";
import { useTexts } from "../texts.js";
import { formTexts } from "./form-texts.js";

interface Props {
  name: string;
  label: string;
  type?: "text" | "email" | "password";
  autoComplete: string;
  hint?: string;
  value?: string;
  /** Shortest and longest text. */
  lengths?: readonly [number, number];
  problems?: FormProblems;
}

export const Field = ({ name, label, type = "text", autoComplete, hint, value, lengths: limits, problems }: Props) => {
  const wrong = problems?.fields[name];
  const described = [hint && `${name}-hint`, wrong && `${name}-wrong`].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {hint && (
        <span class="hint" id={`${name}-hint`}>
          {hint}
        </span>
      )}
      <input
        // Preact's types know each kind of input, but not a choice of them.
        type={type as "text"}
        id={name}
        name={name}
        required
        value={value}
        minLength={limits?.[0]}
        maxLength={limits?.[1]}
        autocomplete={autoComplete}
        autocapitalize="none"
        spellcheck={false}
        aria-invalid={wrong ? true : undefined}
        aria-describedby={described || undefined}
      />
      {wrong && (
        <span class="wrong" id={`${name}-wrong`}>
          {wrong}
        </span>
      )}
    </div>
  );
};

/** A password that is being chosen. */
export const NewPasswordField = (props: Pick<Props, "name" | "label" | "problems">) => (
  <Field
    {...props}
    type="password"
    hint={useTexts(formTexts).passwordHint}
    autoComplete="new-password"
    lengths={lengths.password}
  />
);
