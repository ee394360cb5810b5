// Copies a text. Without script there is nothing to press: the text itself stands beside it.
import { useTexts } from "#web/texts.js";
import { Button } from "./button.js";
import { commonTexts } from "./common-texts.js";

export const CopyButton = ({ text, label }: { text: string; label?: string }) => {
  const t = useTexts(commonTexts);
  return (
    <Button kind="quiet" small class="needs-script" type="button" data-copy={text} data-copied={t.copied}>
      {label ?? t.copy}
    </Button>
  );
};
