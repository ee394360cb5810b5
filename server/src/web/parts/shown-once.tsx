// A token that is shown this one time.

import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";
import { ButtonLink } from "./button.js";
import { CopyButton } from "./copy-button.js";

export const ShownOnce = ({ value, next }: { value: string; next: string }) => {
  const t = useTexts(texts.account.token);
  return (
    <div class="card stack">
      <p class="secret">
        <code>{value}</code> <CopyButton text={value} />
      </p>
      <p class="muted">{t.usage}</p>
      <pre>
        <code>Authorization: Bearer {value.slice(0, 8)}…</code>
      </pre>
      <p>
        <ButtonLink href={next}>{t.stored}</ButtonLink>
      </p>
    </div>
  );
};
