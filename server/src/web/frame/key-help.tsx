// What the keyboard can do, shown by "?" (scripts/site.ts).

import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { texts } from "#words/texts.js";

export const KeyHelp = () => {
  const t = useTexts(texts.frame.shell);
  return (
    <dialog class="keys card stack" aria-labelledby="keys-title">
      <h2 id="keys-title">{t.keys}</h2>
      <dl class="facts">
        <dt>
          <kbd>/</kbd>
        </dt>
        <dd>{t.search}</dd>
        <dt>
          <kbd>?</kbd>
        </dt>
        <dd>{t.keys}</dd>
        <dt>
          <kbd>Esc</kbd>
        </dt>
        <dd>{t.close}</dd>
      </dl>
      <Form method="dialog">
        <Button kind="quiet">{t.close}</Button>
      </Form>
    </dialog>
  );
};
