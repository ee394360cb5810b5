// In place of a form that would be refused: the way to sign in again.

import { signInAgainPath } from "#web/context/paths.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";
import { Notice } from "./notice.js";

/** In place of a form that would be refused. */
export const FreshNeeded = ({ next }: { next: string }) => {
  const t = useTexts(texts.account.settings);
  return (
    <Notice kind="warning" title={t.freshNeeded}>
      <p>
        <a href={signInAgainPath(next)}>{t.signInAgain}</a>
      </p>
    </Notice>
  );
};
