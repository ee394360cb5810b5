// A labelled line of text with its hint and, after a refused attempt, what is wrong with it.
import { lengths as limits } from "#lib/lengths.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";
import { described, Labelled, type LabelledProps } from "./labelled.js";

interface Props extends LabelledProps {
  type?: "text" | "email" | "password" | "date";
  value?: string | undefined;
  required?: boolean;
  /** The minimum and maximum length. */
  lengths?: readonly [number, number];
  /** A name, code or URL: turns off spell checking and automatic capitals. */
  verbatim?: boolean;
  autocomplete?: string;
  /** The id of a `<datalist>`. */
  list?: string;
}

export const TextField = ({
  type = "text",
  value,
  required = false,
  lengths,
  verbatim = false,
  autocomplete = "off",
  list,
  ...labelled
}: Props) => (
  <Labelled {...labelled}>
    <input
      {...described(labelled)}
      type={type}
      value={value}
      required={required}
      list={list}
      minlength={lengths?.[0] || undefined}
      maxlength={lengths?.[1]}
      autocomplete={autocomplete}
      {...(verbatim ? { autocapitalize: "none", spellcheck: false } : { dir: type === "text" ? "auto" : undefined })}
    />
  </Labelled>
);

/** A field for a new password. */
export const NewPasswordField = (props: Pick<Props, "name" | "label" | "problems">) => (
  <TextField
    {...props}
    type="password"
    required
    verbatim
    hint={useTexts(texts.parts.form).passwordHint}
    autocomplete="new-password"
    lengths={limits.password}
  />
);
