// The routes of the page in legal-editing.tsx.
import Type from "typebox";
import { findLegalText, isLegalName, type LegalName, maxLegalText, saveLegalText } from "#operations/legal/texts.js";
import { write } from "#platform/changes/write.js";
import { fail, invalid } from "#platform/errors.js";
import type { Route } from "#platform/http/endpoint.js";
import { attempt, formFields } from "#web/context/form.js";
import { formatIn } from "#web/context/format.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import type { Page } from "#web/frame/layout.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { checkStamp, staleField } from "#web/parts/conflict.js";
import { forAdmins } from "#web/shared/staff-access.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import { adminPage } from "./admin-frame.js";
import { LegalForm, type Props } from "./legal-editing.js";

export const legalEditingRoutes: Route[] = [
  pageRoute(
    {
      id: "getLegalEditPage",
      path: "/admin/legal",
      access: forAdmins,
      summary: "The form for the legal pages",
      query: Type.Object({ page: Type.Optional(Type.String({ maxLength: 64 })) }),
      errors: ["notFound"],
    },
    async ({ query: { page = "terms" }, request }, { db }) => {
      const name = getName(page);
      const own = await findLegalText(db, name);
      return editPage(localeOf(request), { name, text: own?.text, isOwn: own !== undefined, saved: own?.text });
    },
  ),
  memberFormRoute(
    {
      id: "submitLegalText",
      path: "/admin/legal",
      access: forAdmins,
      summary: "Write a legal page",
      body: formFields("page", "text", "stamp"),
      errors: ["notFound"],
    },
    async ({ body: { page = "", text = "", stamp }, viewer, actor, request, reply }, resources) => {
      const name = getName(page);
      const locale = localeOf(request);
      const problems = await attempt(async () => {
        if (text.length > maxLegalText) {
          const most = formatIn(locale, 0).number(maxLegalText);
          throw invalid({ path: "text", message: textsIn(texts.site.legal, locale).admin.tooLong(most) });
        }
        const check = (before: string) => checkStamp(stamp, { text: before });
        await write(resources, actor, (tx) =>
          saveLegalText(tx, viewer.user.id, name, text.replaceAll("\r\n", "\n"), check),
        );
      }, staleField);
      if (!problems) return seeOther(reply, `/legal/${name}`);
      const saved = (await findLegalText(resources.db, name))?.text;
      return editPage(locale, { name, text, isOwn: true, saved, problems });
    },
  ),
];

function getName(page: string): LegalName {
  if (!isLegalName(page)) throw fail.notFound();
  return page;
}

const editPage = (locale: Locale, props: Props): Page =>
  adminPage({ tab: "legal", locale, status: props.problems?.status }, <LegalForm {...props} />);
