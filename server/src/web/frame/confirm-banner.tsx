// On every page of somebody who has not confirmed their e-mail address yet: what to do, and the mail once more.

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
