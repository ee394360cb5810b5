// A picture that can be chosen, and removed where there is one.
import type { FormProblems } from "#web/context/form.js";
import { CheckboxField, FileField } from "./input-fields.js";

interface Props {
  words: { icon: string; iconHint: string; removeIcon: string };
  hasIcon: boolean;
  problems: FormProblems | undefined;
}

export const IconFields = ({ words, hasIcon, problems }: Props) => (
  <>
    <FileField
      name="icon"
      label={words.icon}
      hint={words.iconHint}
      accept="image/png,image/jpeg,image/gif,image/webp"
      problems={problems}
    />
    {hasIcon && <CheckboxField name="removeIcon" label={words.removeIcon} />}
  </>
);
