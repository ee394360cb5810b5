// A line of text that may stay empty, or a password or date; Field (parts/field.tsx) is for what must be there.
import { described, Labelled, type LabelledProps } from "#web/parts/labelled.js";

interface Props extends LabelledProps {
  type?: "text" | "password" | "date" | "email";
  value?: string | undefined;
  maxLength?: number;
  minLength?: number;
  autoComplete?: string;
  required?: boolean;
  /** The id of a list of texts to choose from. */
  list?: string;
}

export const TextField = ({
  type = "text",
  value,
  maxLength,
  minLength,
  autoComplete = "off",
  required = false,
  list,
  ...labelled
}: Props) => (
  <Labelled {...labelled}>
    <input
      {...described(labelled)}
      // Preact's types know each kind of input, but not a choice of them.
      type={type as "text"}
      value={value}
      required={required}
      list={list}
      minLength={minLength}
      maxLength={maxLength}
      autocomplete={autoComplete}
      dir={type === "text" ? "auto" : undefined}
    />
  </Labelled>
);
