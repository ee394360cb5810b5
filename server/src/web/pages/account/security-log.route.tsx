// The routes of the page in security-log.tsx.
import Type from "typebox";
import { listSecurityEvents } from "#accounts/users/security-log.js";
import { sessionOnly } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { pageRoute } from "#web/frame/page.js";
import { texts } from "#words/texts.js";
import { Log, path } from "./security-log.js";
import { settingsPage, wordsFor } from "./settings-frame.js";

const pageSize = 50;

export const securityLogRoutes: Route[] = [
  pageRoute(
    {
      id: "getSecurityLogPage",
      path,
      access: sessionOnly("user_session_read"),
      summary: "The security log of the user's account",
      query: Type.Object({ before: Type.Optional(Type.Integer({ minimum: 1 })) }),
    },
    async ({ request, viewer, query }, { db }) => {
      const found = await listSecurityEvents(db, viewer.user.id, { before: query.before, limit: pageSize + 1 });
      const events = found.slice(0, pageSize);
      const next = found.length > pageSize ? events.at(-1)?.id : undefined;
      return settingsPage({
        title: wordsFor(request, texts.account.settings).log,
        lead: wordsFor(request, texts.account.securityLog).lead,
        children: <Log events={events} next={next} />,
      });
    },
  ),
];
