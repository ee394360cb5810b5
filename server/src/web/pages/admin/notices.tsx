// The notice on top of every page: its text, how it looks, and from when to when.

import {
  findSiteNotice,
  NoticeInput,
  noticeLevels,
  removeSiteNotice,
  type SiteNotice,
  setSiteNotice,
} from "#operations/administration/site-notice.js";
import { write } from "#platform/changes/write.js";
import type { Route } from "#platform/http/endpoint.js";
import { timestamp } from "#platform/http/schemas.js";
import { parse } from "#platform/http/validation.js";
import { attempt, type FormProblems, formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { useTexts } from "#web/context/texts.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { Button } from "#web/parts/button.js";
import { ConflictNotice, checkStamp, isStale, StampField, staleField, stampOf } from "#web/parts/conflict.js";
import { Form } from "#web/parts/form.js";
import { FormCard } from "#web/parts/form-card.js";
import { SelectField, TextAreaField } from "#web/parts/input-fields.js";
import { forAdmins } from "#web/shared/staff-access.js";
import { texts } from "#words/texts.js";
import { adminPage } from "./admin-frame.js";

type Typed = Record<keyof NoticeInput, string>;

/** As an input of the browser writes it: UTC to the minute. */
const toText = (time: number | null): string => (time === null ? "" : timestamp(time).slice(0, 16));
const nothing: Typed = { text: "", level: "plain", from: "", until: "" };
const toTyped = (notice: SiteNotice | undefined): Typed =>
  notice ? { ...notice, from: toText(notice.from), until: toText(notice.until) } : nothing;

export const noticeRoutes: Route[] = [
  pageRoute(
    { id: "getAdminNoticesPage", path: "/admin/notices", access: forAdmins, summary: "The notice on every page" },
    async ({ request }, resources) => {
      const notice = await findSiteNotice(resources);
      return adminPage(
        { tab: "notices", locale: localeOf(request) },
        <NoticeForm typed={toTyped(notice)} saved={toTyped(notice)} isUp={notice !== undefined} />,
      );
    },
  ),

  memberFormRoute(
    {
      id: "submitSiteNotice",
      path: "/admin/notices",
      access: forAdmins,
      summary: "Put a notice on every page",
      body: formFields("text", "level", "from", "until", "stamp"),
    },
    async ({ viewer, actor, request, body, reply }, resources) => {
      const { stamp, ...fields } = body;
      const typed: Typed = { ...nothing, ...fields };
      const problems = await attempt(async () => {
        const input = parse<NoticeInput>("body", NoticeInput, { ...typed }, "body");
        await write(resources, actor, (tx) =>
          setSiteNotice(tx, viewer.user.id, input, (before) => checkStamp(stamp, toTyped(before))),
        );
      }, staleField);
      if (!problems) return seeOther(reply, "/admin/notices");
      const saved = toTyped(await findSiteNotice(resources));
      return adminPage(
        { tab: "notices", locale: localeOf(request), status: problems.status },
        <NoticeForm typed={typed} saved={saved} isUp={false} problems={problems} />,
      );
    },
  ),

  memberFormRoute(
    {
      id: "submitSiteNoticeRemoval",
      path: "/admin/notices/remove",
      access: forAdmins,
      summary: "Take the notice away",
      errors: ["wrongState"],
    },
    async ({ actor, reply }, resources) => {
      await write(resources, actor, (tx) => removeSiteNotice(tx));
      return seeOther(reply, "/admin/notices");
    },
  ),
];

interface FormProps {
  typed: Typed;
  saved: Typed;
  problems?: FormProblems;
  isUp: boolean;
}

const NoticeForm = ({ typed, saved, problems, isUp }: FormProps) => {
  const t = useTexts(texts.admin.notices);
  const labels = { text: t.text, level: t.level, from: t.from, until: t.until };
  return (
    <>
      <p class="lead">{t.lead}</p>
      {isStale(problems) && <ConflictNotice saved={saved} typed={typed} labels={labels} />}
      <FormCard
        action="/admin/notices"
        button={t.save}
        labels={labels}
        problems={!isStale(problems) ? problems : undefined}
      >
        <StampField stamp={stampOf(saved)} />
        <TextAreaField
          name="text"
          label={t.text}
          hint={t.textHint}
          value={typed.text}
          problems={problems}
          lengths={[1, 1000]}
          rows={4}
          required
        />
        <SelectField
          name="level"
          label={t.level}
          value={typed.level}
          problems={problems}
          options={noticeLevels.map((level) => ({ value: level, text: t.levels[level] }))}
        />
        {(["from", "until"] as const).map((name) => (
          <div key={name} class="field">
            <label for={name}>{labels[name]}</label>
            <span class="hint" id={`${name}-hint`}>
              {t.timeHint}
            </span>
            <input
              type="datetime-local"
              id={name}
              name={name}
              value={typed[name]}
              aria-describedby={`${name}-hint`}
              aria-invalid={problems?.fields[name] ? true : undefined}
            />
            {problems?.fields[name] && (
              <span class="wrong" id={`${name}-wrong`}>
                {problems.fields[name]}
              </span>
            )}
          </div>
        ))}
      </FormCard>
      {isUp && (
        <Form action="/admin/notices/remove">
          <Button kind="danger">{t.remove}</Button>
        </Form>
      )}
    </>
  );
};
