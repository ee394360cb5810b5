// Ends the session that a mail is about, for users who may not be able to sign in themselves. Opening the page changes
// nothing, because mail programs open links before people do.
import { browserOf, systemOf } from "#accounts/sessions/user-agent.js";
import type { Row } from "#platform/db/tables.js";
import { open } from "#platform/http/access.js";
import { useTexts } from "#web/context/texts.js";
import { FormCard } from "#web/parts/form-card.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";

export const shared = { path: "/auth/revoke-session", access: open, cacheControl: "no-store" } as const;

export const RevokeSession = ({ session, code }: { session: Row<"sessions">; code: string }) => {
  const t = useTexts(texts.account.revokeSession);
  const device = [browserOf(session.user_agent), systemOf(session.user_agent)].filter(Boolean).join(", ");
  return (
    <FormCard action={shared.path} button={t.button} fields={{ code }}>
      <dl class="facts">
        <dt>{t.device}</dt>
        <dd>{device || t.unknown}</dd>
        <dt>{t.address}</dt>
        <dd>{session.address ?? t.unknown}</dd>
        <dt>{t.since}</dt>
        <dd>
          <Time at={session.date_created} />
        </dd>
      </dl>
    </FormCard>
  );
};
