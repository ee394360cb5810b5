// What one can type instead of clicking: one line, to be copied.

import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";
import { CopyButton } from "./copy-button.js";

export const CommandLine = ({ text }: { text: string }) => {
  const t = useTexts(texts.parts.common);
  return (
    <p class="small command-line">
      <span class="muted">{t.inTerminal}</span> <code>{text}</code> <CopyButton text={text} />
    </p>
  );
};
