// One labelled input with its hint and, after a refused attempt, what is wrong with it.

import { lengths } from "#lib/lengths.js";
import { useTexts } from "#web/texts.js";
import { texts } from "#words/texts.js";
import { described, Labelled, type LabelledProps } from "./labelled.js";

interface Props extends LabelledProps {
  type?: "text" | "email" | "password";
  autoComplete: string;
  value?: string | undefined;
  /** Shortest and longest text. */
  lengths?: readonly [number, number];
}

export const Field = ({ type = "text", autoComplete, value, lengths: limits, ...labelled }: Props) => (
  <Labelled {...labelled}>
    <input
      {...described(labelled)}
      // Preact's types know each kind of input, but not a choice of them.
      type={type as "text"}
      required
      value={value}
      minLength={limits?.[0]}
      maxLength={limits?.[1]}
      autocomplete={autoComplete}
      autocapitalize="none"
      spellcheck={false}
    />
  </Labelled>
);

/** A password that is being chosen. */
export const NewPasswordField = (props: Pick<Props, "name" | "label" | "problems">) => (
  <Field
    {...props}
    type="password"
    hint={useTexts(texts.parts.form).passwordHint}
    autoComplete="new-password"
    lengths={lengths.password}
  />
);
