// The other kinds of fields, with label, hint and problem as TextField has them (text-field.tsx).
import { described, Labelled, type LabelledProps } from "./labelled.js";

interface TextAreaProps extends LabelledProps {
  value?: string | undefined;
  rows?: number;
  lengths?: readonly [number, number];
  required?: boolean;
}

export const TextAreaField = ({ value, rows = 6, lengths, required = false, ...common }: TextAreaProps) => (
  <Labelled {...common}>
    <textarea
      {...described(common)}
      rows={rows}
      required={required}
      minlength={lengths?.[0]}
      maxlength={lengths?.[1]}
      value={value}
      dir="auto"
    />
  </Labelled>
);

interface SelectProps extends LabelledProps {
  value?: string | undefined;
  options: readonly { value: string; text: string; disabled?: boolean }[];
}

export const SelectField = ({ value, options, ...common }: SelectProps) => (
  <Labelled {...common}>
    <select {...described(common)}>
      {options.map((option) => (
        <option key={option.value} value={option.value} selected={option.value === value} disabled={option.disabled}>
          {option.text}
        </option>
      ))}
    </select>
  </Labelled>
);

interface CheckboxProps extends LabelledProps {
  value?: string;
  checked?: boolean;
}

export const CheckboxField = ({ name, label, hint, value = "on", checked = false, problems }: CheckboxProps) => (
  <div class="field">
    <label class="check">
      <input type="checkbox" name={name} value={value} checked={checked} /> {label}
    </label>
    {hint && <span class="hint">{hint}</span>}
    {problems?.fields[name] && <span class="wrong">{problems.fields[name]}</span>}
  </div>
);

interface FileProps extends LabelledProps {
  accept?: string;
  multiple?: boolean;
  required?: boolean;
}

export const FileField = ({ accept, multiple = false, required = false, ...common }: FileProps) => (
  <Labelled {...common}>
    <input type="file" {...described(common)} accept={accept} multiple={multiple} required={required} />
  </Labelled>
);
