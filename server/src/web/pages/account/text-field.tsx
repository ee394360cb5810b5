// A line of text that may stay empty, or a password or date; Field (parts/field.tsx) is for what must be there.
import type { FormProblems } from "../../form.js";

interface Props {
  name: string;
  label: string;
  type?: "text" | "password" | "date" | "email";
  hint?: string;
  value?: string | undefined;
  maxLength?: number;
  minLength?: number;
  autoComplete?: string;
  required?: boolean;
  /** The id of a list of texts to choose from. */
  list?: string;
  problems?: FormProblems | undefined;
}

export const TextField = ({
  name,
  label,
  type = "text",
  hint,
  value,
  maxLength,
  minLength,
  autoComplete = "off",
  required = false,
  list,
  problems,
}: Props) => {
  const wrong = problems?.fields[name];
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
        value={value}
        required={required}
        list={list}
        minLength={minLength}
        maxLength={maxLength}
        autocomplete={autoComplete}
        dir={type === "text" ? "auto" : undefined}
        aria-invalid={wrong ? true : undefined}
        aria-describedby={[hint && `${name}-hint`, wrong && `${name}-wrong`].filter(Boolean).join(" ") || undefined}
      />
      {wrong && (
        <span class="wrong" id={`${name}-wrong`}>
          {wrong}
        </span>
      )}
    </div>
  );
};
