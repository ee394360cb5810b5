// A drop-down in a form that is sent when the choice changes.

interface ChooseProps {
  name: string;
  label: string;
  chosen: string;
  options: readonly (readonly [value: string, text: string])[];
}

/** The value in the URL is always among the options, even if it matches nothing. */
export const Choose = ({ name, label, chosen, options }: ChooseProps) => (
  <label class="choose">
    <span>{label}</span>
    <select name={name} data-submits>
      {[...options, ...(options.some(([value]) => value === chosen) ? [] : [[chosen, chosen] as const])].map(
        ([value, text]) => (
          <option key={value} value={value} selected={value === chosen}>
            {text}
          </option>
        ),
      )}
    </select>
  </label>
);
