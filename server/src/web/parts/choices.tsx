// A list of checkboxes.
import type { FormProblems } from "#web/context/form.js";

export interface Choice {
  value: string;
  text: string;
}

interface Props {
  name: string;
  /** Needed if several lists on a page have the same name. */
  id?: string;
  legend: string;
  hint?: string | undefined;
  options: readonly Choice[];
  chosen: readonly string[];
  problems?: FormProblems | undefined;
}

export const Choices = ({ name, id = name, legend, hint, options, chosen, problems }: Props) => {
  const wrong = problems?.fields[name];
  return (
    <fieldset class="field choice-field" id={id} aria-describedby={wrong ? `${name}-wrong` : undefined}>
      <legend>{legend}</legend>
      {hint && <span class="hint">{hint}</span>}
      <ChoiceBoxes name={name} options={options} chosen={chosen} />
      {wrong && (
        <span class="wrong" id={`${name}-wrong`}>
          {wrong}
        </span>
      )}
    </fieldset>
  );
};

export const ChoiceBoxes = ({ name, options, chosen }: Pick<Props, "name" | "options" | "chosen">) => (
  <div class="choice-grid">
    {options.map(({ value, text }) => (
      <label key={value} class="check">
        <input type="checkbox" name={name} value={value} checked={chosen.includes(value)} /> <span>{text}</span>
      </label>
    ))}
  </div>
);
