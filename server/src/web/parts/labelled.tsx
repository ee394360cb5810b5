// The frame of every kind of field: label, hint and problem.
import type { Children } from "#lib/jsx-runtime.js";
import type { FormProblems } from "#web/context/form.js";

export interface LabelledProps {
  name: string;
  label: string;
  hint?: string | undefined;
  problems?: FormProblems | undefined;
}

export const Labelled = ({ name, label, hint, problems, children }: LabelledProps & { children: Children }) => (
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

/** Attributes of the input: its name, and the ids of its hint and problem for screen readers. */
export const described = ({ name, hint, problems }: LabelledProps) => ({
  id: name,
  name,
  "aria-invalid": problems?.fields[name] ? true : undefined,
  "aria-describedby":
    [hint && `${name}-hint`, problems?.fields[name] && `${name}-wrong`].filter(Boolean).join(" ") || undefined,
});
