// One choice of several, in a form that is sent when it changes.

interface ChooseProps {
  name: string;
  label: string;
  chosen: string;
  options: readonly (readonly [value: string, text: string])[];
}

/** What is chosen by the address is among the options, also where nothing of the kind is offered. */
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
