// Copies a text. Without script there is nothing to press: the text itself stands beside it.

import { useTexts } from "#web/texts.js";
import { texts } from "#words/texts.js";

export const CopyButton = ({ text, label }: { text: string; label?: string }) => {
  const t = useTexts(texts.parts.common);
  return (
    <button class="button quiet small needs-script" type="button" data-copy={text} data-copied={t.copied}>
      {label ?? t.copy}
    </button>
  );
};
