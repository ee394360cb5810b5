// A banner on every page for users who have not confirmed their email address: it explains what to do, and can send the
// mail again.

import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { texts } from "#words/texts.js";

const accountPath = "/settings/account";

export const ConfirmBanner = () => {
  const t = useTexts(texts.frame.shell);
  return (
    <aside class="site-notice warning" aria-label={t.confirmTitle}>
      <Form class="wrap actions" action={`${accountPath}/confirmation`}>
        <span>{t.confirmAddress}</span>
        <Button kind="quiet" small>
          {t.confirmAgain}
        </Button>
        <a href={accountPath}>{t.confirmOther}</a>
      </Form>
    </aside>
  );
};
