// On every page of somebody who has not confirmed their e-mail address yet: what to do, and the mail once more.

import { useTexts } from "#web/texts.js";
import { texts } from "#words/texts.js";

const accountPath = "/settings/account";

export const ConfirmBanner = () => {
  const t = useTexts(texts.frame.shell);
  return (
    <aside class="site-notice warning" aria-label={t.confirmTitle}>
      <form class="wrap actions" method="post" action={`${accountPath}/confirmation`}>
        <span>{t.confirmAddress}</span>
        <button class="button quiet small" type="submit">
          {t.confirmAgain}
        </button>
        <a href={accountPath}>{t.confirmOther}</a>
      </form>
    </aside>
  );
};
