// A command that does the same as the page: one line to copy.

import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";
import { CopyButton } from "./copy-button.js";

export const CommandLine = ({ text, label }: { text: string; label?: string }) => {
  const t = useTexts(texts.parts.common);
  return (
    <p class="small command-line">
      <span class="muted">{label ?? t.inTerminal}</span> <code>{text}</code> <CopyButton text={text} />
    </p>
  );
};
