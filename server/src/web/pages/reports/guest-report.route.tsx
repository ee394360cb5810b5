// Reports without an account, confirmed with a mailed link. The link shows a button, because mail scanners open links
// too.

import type { FastifyRequest } from "fastify";
import Type from "typebox";
import { Email } from "#accounts/users/contract.js";
import { createReport as contract } from "#moderation/reports/contract.js";
import {
  confirmGuestReport,
  createGuestReport,
  findGuestReport,
  type GuestInput,
  takesGuestReports,
} from "#moderation/reports/guests.js";
import { listReasons } from "#moderation/reports/policy.js";
import { write } from "#platform/changes/write.js";
import { Failure, fail } from "#platform/errors.js";
import { open } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { parse } from "#platform/http/validation.js";
import { anonymous } from "#platform/http/viewer.js";
import { attempt, formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { useTexts } from "#web/context/texts.js";
import type { Page } from "#web/frame/layout.js";
import { narrowPage } from "#web/frame/narrow-page.js";
import { formRoute, pageRoute } from "#web/frame/page.js";
import { ButtonLink } from "#web/parts/button.js";
import { FormCard } from "#web/parts/form-card.js";
import { texts, textsIn } from "#words/texts.js";
import { formPage, targetPage } from "./report.route.js";
import { findTarget, refuseMissingReason } from "./report-target.js";

const guestBody = Type.Object({ ...contract.body.properties, email: Email });
const confirmPath = "/report/confirm";
const shared = { access: open, cacheControl: "no-store" } as const;

export const guestReportRoutes: Route[] = [
  formRoute(
    {
      ...shared,
      id: "submitGuestReport",
      once: true,
      path: "/report/guest",
      rate: "report",
      summary: "Send a report without an account",
      body: formFields("itemType", "itemId", "reportType", "body", "email"),
      // Makes the form multipart: URL encoding could triple a long text, which is then more than guests may send.
      files: {},
      errors: ["signInNeeded", "tooManyReports"],
    },
    async ({ body: given, actor, request, reply }, resources) => {
      if (!takesGuestReports(resources)) throw fail.signInNeeded();
      const locale = localeOf(request);
      const { itemType = "", itemId = "" } = given;
      const target = await findTarget(resources, anonymous, itemType, itemId);
      if (!target)
        return targetPage(locale, itemType, itemId, {
          status: 404,
          message: textsIn(texts.reports.report, locale).unknown,
        });
      const reasons = listReasons(resources.config);
      const problems = await attempt(
        async () => {
          refuseMissingReason(reasons, given.reportType, locale);
          const body = given.body?.replaceAll("\r\n", "\n") ?? "";
          const read = { ...given, itemId: target.id, body, email: given.email?.trim() ?? "" };
          const input = parse<GuestInput>("body", guestBody, read, "form");
          await write(resources, actor, (tx) => createGuestReport(tx, input, locale));
        },
        { tooManyReports: "email" },
      );
      if (!problems) return seeOther(reply, `${confirmPath}?sent`);
      const signIn = `/report?itemType=${target.type}&itemId=${target.id}`;
      return formPage(locale, { target, reasons, signIn }, given, problems);
    },
  ),
  pageRoute(
    {
      ...shared,
      id: "getGuestReportPage",
      path: confirmPath,
      summary: "The button that sends a guest's report",
      query: Type.Object({
        code: Type.Optional(Type.String({ maxLength: 512 })),
        sent: Type.Optional(Type.String()),
        done: Type.Optional(Type.String()),
      }),
    },
    async ({ query: { code = "", sent, done }, request }, resources) => {
      const t = textsIn(texts.reports.report, localeOf(request));
      const { colon } = textsIn(texts.parts.common, localeOf(request));
      const { guest } = t;
      if (done !== undefined) return narrowPage({ title: guest.doneTitle, lead: guest.doneLead }, <HomeLink />);
      if (sent !== undefined) return narrowPage({ title: guest.sentTitle, lead: guest.sentLead }, <HomeLink />);
      const waiting = await findGuestReport(resources.db, code, resources.clock.now());
      if (!waiting) return linkDead(request);
      const target = await findTarget(resources, anonymous, waiting.item_type, waiting.item_id);
      return narrowPage(
        { title: guest.confirmTitle, lead: guest.confirmLead },
        <>
          {target && (
            <p>
              {t.target}
              {colon}
              {t.kinds[target.type]}{" "}
              <a href={target.href} dir="auto">
                {target.name}
              </a>
            </p>
          )}
          <p class="said-text card" dir="auto">
            {waiting.body}
          </p>
          <FormCard action={confirmPath} button={guest.confirm} fields={{ code }} />
        </>,
      );
    },
  ),
  formRoute(
    {
      ...shared,
      id: "confirmGuestReport",
      once: true,
      path: confirmPath,
      rate: "signIn",
      summary: "Send a guest's report",
      body: formFields("code"),
      errors: ["projectNotFound", "versionNotFound", "userNotFound"],
    },
    async ({ body, actor, request, reply }, resources) => {
      try {
        await write(resources, actor, (tx) => confirmGuestReport(tx, body.code ?? ""));
      } catch (error) {
        if (error instanceof Failure && error.code === "codeInvalid") return linkDead(request);
        throw error;
      }
      return seeOther(reply, `${confirmPath}?done`);
    },
  ),
];

function linkDead(request: FastifyRequest): Page {
  const { guest } = textsIn(texts.reports.report, localeOf(request));
  return narrowPage({ title: guest.deadTitle, lead: guest.deadLead, status: fail.codeInvalid().status }, <HomeLink />);
}

const HomeLink = () => {
  const t = useTexts(texts.frame.error);
  return (
    <p>
      <ButtonLink kind="quiet" href="/">
        {t.start}
      </ButtonLink>
    </p>
  );
};
