// Copies a text. Without script there is nothing to press: the text itself stands beside it.

import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";
import { Button } from "./button.js";

export const CopyButton = ({ text, label }: { text: string; label?: string }) => {
  const t = useTexts(texts.parts.common);
  return (
    <Button kind="quiet" small class="needs-script" type="button" data-copy={text} data-copied={t.copied}>
      {label ?? t.copy}
    </Button>
  );
};
