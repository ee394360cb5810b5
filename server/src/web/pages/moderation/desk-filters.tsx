// What narrows a list at the desk: a row of choices, and the button that shows what fits.

import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { SelectField } from "#web/parts/input-fields.js";
import { texts } from "#words/texts.js";

interface Choice {
  name: string;
  label: string;
  /** As the address says it. */
  value: string | undefined;
  options: readonly (readonly [value: string, text: string])[];
  /** There is no "all" to choose. */
  isOneOf?: true;
}

export const DeskFilters = ({ action, choices }: { action: string; choices: readonly Choice[] }) => {
  const { all, show } = useTexts(texts.moderation.desk);
  return (
    <Form method="get" class="desk-filters" action={action}>
      {choices.map(({ name, label, value, options, isOneOf }) => (
        <SelectField
          key={name}
          {...{ name, label, value }}
          options={[
            ...(isOneOf ? [] : [{ value: "", text: all as string }]),
            ...options.map(([option, text]) => ({ value: option, text })),
          ]}
        />
      ))}
      <Button kind="quiet">{show}</Button>
    </Form>
  );
};
