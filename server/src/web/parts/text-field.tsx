// A labelled line of text with its hint and, after a refused attempt, what is wrong with it.
import { lengths as limits } from "#lib/lengths.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";
import { described, Labelled, type LabelledProps } from "./labelled.js";

interface Props extends LabelledProps {
  type?: "text" | "email" | "password" | "date";
  value?: string | undefined;
  required?: boolean;
  /** Shortest and longest text. */
  lengths?: readonly [number, number];
  /** A name, code or address: the device leaves its spelling and capitals alone. */
  verbatim?: boolean;
  autoComplete?: string;
  /** The id of a list of texts to choose from. */
  list?: string;
}

export const TextField = ({
  type = "text",
  value,
  required = false,
  lengths,
  verbatim = false,
  autoComplete = "off",
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
      minLength={lengths?.[0] || undefined}
      maxLength={lengths?.[1]}
      autocomplete={autoComplete}
      {...(verbatim ? { autocapitalize: "none", spellcheck: false } : { dir: type === "text" ? "auto" : undefined })}
    />
  </Labelled>
);

/** A password that is being chosen. */
export const NewPasswordField = (props: Pick<Props, "name" | "label" | "problems">) => (
  <TextField
    {...props}
    type="password"
    required
    verbatim
    hint={useTexts(texts.parts.form).passwordHint}
    autoComplete="new-password"
    lengths={limits.password}
  />
);
