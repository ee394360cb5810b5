// The buttons that test mail and storage. They use POST, because each test has an effect, such as a mail.
import { type Trial, tryMail, tryStorage } from "#operations/administration/trials.js";
import type { Route } from "#platform/http/endpoint.js";
import { localeOf } from "#web/context/preferences.js";
import { memberFormRoute } from "#web/frame/page.js";
import { forAdmins } from "#web/shared/staff-access.js";
import { textsIn } from "#words/texts.js";
import { trialTexts } from "./checklist.js";
import { overviewPage } from "./overview.route.js";

export const trialRoutes: Route[] = [
  memberFormRoute(
    { id: "submitMailTest", path: "/admin/test/mail", access: forAdmins, summary: "Send yourself a test mail" },
    async ({ viewer, request }, resources) => {
      const { email } = await resources.db
        .selectFrom("users")
        .select("email")
        .where("id", "=", viewer.user.id)
        .executeTakeFirstOrThrow();
      const t = textsIn(trialTexts, localeOf(request));
      const mail = { subject: t.subject, text: t.text(resources.config.http.url) };
      const trial: Trial = email ? await tryMail(resources, email, mail) : { what: "mail", fault: "no address" };
      return overviewPage(request, resources, trial);
    },
  ),

  memberFormRoute(
    { id: "submitStorageTest", path: "/admin/test/storage", access: forAdmins, summary: "Test the file storage" },
    async ({ request }, resources) => {
      return overviewPage(request, resources, await tryStorage(resources));
    },
  ),
];
