// What every kind of field has around it: a label, a hint, and what is wrong with what was typed.
import type { ComponentChildren } from "preact";
import type { FormProblems } from "#web/context/form.js";

export interface LabelledProps {
  name: string;
  label: string;
  hint?: string | undefined;
  problems?: FormProblems | undefined;
}

export const Labelled = ({
  name,
  label,
  hint,
  problems,
  children,
}: LabelledProps & { children: ComponentChildren }) => (
  <div class="field">
    <label for={name}>{label}</label>
    {hint && (
      <span class="hint" id={`${name}-hint`}>
        {hint}
      </span>
    )}
    {children}
    {problems?.fields[name] && (
      <span class="wrong" id={`${name}-wrong`}>
        {problems.fields[name]}
      </span>
    )}
  </div>
);

/** For the input itself: its name, and who reads its hint and its problem aloud. */
export const described = ({ name, hint, problems }: LabelledProps) => ({
  id: name,
  name,
  "aria-invalid": problems?.fields[name] ? true : undefined,
  "aria-describedby":
    [hint && `${name}-hint`, problems?.fields[name] && `${name}-wrong`].filter(Boolean).join(" ") || undefined,
});
