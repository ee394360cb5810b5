// Invite codes for a site with closed registration: creating them, their use, and revoking them.
import { inviteLives, inviteUses, type listInviteCodes } from "#accounts/users/invite-codes.js";
import { timestamp } from "#platform/http/schemas.js";
import type { FormProblems } from "#web/context/form.js";
import { useFrame } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { CopyButton } from "#web/parts/copy-button.js";
import { Form } from "#web/parts/form.js";
import { FormCard } from "#web/parts/form-card.js";
import { SelectField } from "#web/parts/input-fields.js";
import { Notice } from "#web/parts/notice.js";
import { TextField } from "#web/parts/text-field.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";

export const path = "/admin/invites";

export interface View {
  codes: Awaited<ReturnType<typeof listInviteCodes>>;
  isOpen: boolean;
  /** The code that was just created. */
  made?: string;
  typed?: { note?: string; uses?: string; days?: string };
  problems?: FormProblems;
}

export const Invites = ({ codes, isOpen, made, typed, problems }: View) => {
  const t = useTexts(texts.admin.inviteCodes);
  return (
    <>
      <p class="lead">{t.lead}</p>
      {isOpen && (
        <Notice title={t.isOpen}>
          <p>
            <a href="/admin/settings/registration">{t.toSetting}</a>
          </p>
        </Notice>
      )}
      {made !== undefined && <Made code={made} />}
      <FormCard action={path} button={t.make} labels={{ note: t.note, uses: t.uses, days: t.life }} problems={problems}>
        <TextField
          name="note"
          label={t.note}
          hint={t.noteHint}
          value={typed?.note}
          lengths={[0, 100]}
          problems={problems}
        />
        <TextField
          name="uses"
          label={t.uses}
          hint={t.usesHint(...inviteUses)}
          value={typed?.uses ?? "1"}
          lengths={[0, 4]}
          required
          problems={problems}
        />
        <SelectField
          name="days"
          label={t.life}
          value={typed?.days ?? inviteLives[0]}
          options={inviteLives.map((days) => ({ value: days, text: t.days(Number(days)) }))}
          problems={problems}
        />
      </FormCard>
      <h2>{t.codes}</h2>
      {codes.length === 0 ? <p class="muted">{t.none}</p> : <Codes codes={codes} />}
    </>
  );
};

const Made = ({ code }: { code: string }) => {
  const t = useTexts(texts.admin.inviteCodes);
  const { siteUrl } = useFrame();
  const link = `${siteUrl}/auth/sign-up?invite=${code}`;
  return (
    <Notice title={t.made}>
      <p>
        <code>{link}</code> <CopyButton text={link} />
      </p>
      <p>{t.madeText}</p>
      <p>
        <code>{code}</code> <CopyButton text={code} />
      </p>
    </Notice>
  );
};

const Codes = ({ codes }: Pick<View, "codes">) => {
  const t = useTexts(texts.admin.inviteCodes);
  const { now } = useFrame();
  return (
    <div class="desk-table">
      <table>
        <thead>
          <tr>
            <th>{t.who}</th>
            <th>{t.used}</th>
            <th>{t.by}</th>
            <th>{t.ends}</th>
            <th>{t.act}</th>
          </tr>
        </thead>
        <tbody>
          {codes.map(({ id, note, uses, most_uses, maker, date_expires }) => (
            <tr key={id}>
              <th scope="row" dir="auto">
                {note || <span class="muted">{t.noNote}</span>}
              </th>
              <td data-label={t.used}>
                {t.usedText(uses, most_uses)} {uses === most_uses && <span class="pill">{t.spent}</span>}
              </td>
              <td data-label={t.by}>{maker ?? "–"}</td>
              <td data-label={t.ends}>
                {date_expires === null ? t.never : <Time at={timestamp(date_expires)} exact />}{" "}
                {date_expires !== null && date_expires <= now && <span class="pill">{t.past}</span>}
              </td>
              <td>
                <Form class="actions" action={`${path}/${id}/revoke`}>
                  <Button kind="quiet" small aria-label={`${t.revoke}: ${note || t.noNote}`}>
                    {t.revoke}
                  </Button>
                </Form>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
