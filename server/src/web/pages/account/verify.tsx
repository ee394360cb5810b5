// Confirming an email address. The mailed link shows a button, because mail scanners open links too.
import { ButtonLink } from "#web/parts/button.js";

export const ToAccount = ({ text }: { text: string }) => (
  <p>
    <ButtonLink kind="quiet" href="/settings/account">
      {text}
    </ButtonLink>
  </p>
);
