// The routes of the page in sessions.tsx.
import Type from "typebox";
import { listSessionRows, toSession } from "#accounts/sessions/read.js";
import { giveCookie } from "#accounts/sessions/routes.js";
import { deleteOtherSessions, deleteSession } from "#accounts/sessions/write.js";
import { write } from "#platform/changes/write.js";
import { sessionOnly } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { seeOther } from "#web/context/paths.js";
import { formRoute, pageRoute } from "#web/frame/page.js";
import { texts } from "#words/texts.js";
import { path, SessionList } from "./sessions.js";
import { settingsPage, wordsFor } from "./settings-frame.js";

export const sessionSettingsRoutes: Route[] = [
  pageRoute(
    {
      id: "getSessionsPage",
      path,
      access: sessionOnly("user_session_read"),
      summary: "The user's sessions",
      query: Type.Object({ done: Type.Optional(Type.String()) }),
    },
    async ({ request, viewer, query }, { db, clock }) => {
      const rows = await listSessionRows(db, viewer.user.id, clock.now());
      const t = wordsFor(request, texts.account.sessions);
      const done = { ended: t.ended, others: t.othersEnded }[query.done ?? ""];
      return settingsPage({
        title: wordsFor(request, texts.account.settings).sessions,
        lead: t.lead,
        done,
        children: <SessionList sessions={rows.map((row) => toSession(row, viewer.sessionId))} />,
      });
    },
  ),

  formRoute(
    {
      id: "submitSessionEnd",
      path: `${path}/revoke`,
      access: sessionOnly("user_session_delete"),
      summary: "End one of the user's sessions",
      body: Type.Object({ sessionId: Type.String({ maxLength: 64 }) }),
      errors: ["sessionNotFound"],
    },
    async (call, resources) => {
      const { viewer, body, reply } = call;
      await write(resources, call.actor, (tx) => deleteSession(tx, viewer.user.id, body.sessionId));
      if (body.sessionId !== viewer.sessionId) return seeOther(reply, `${path}?done=ended`);
      giveCookie(call, resources, "", 0);
      return seeOther(reply, "/");
    },
  ),

  formRoute(
    {
      id: "submitOtherSessionsEnd",
      path: `${path}/revoke-others`,
      access: sessionOnly("user_session_delete"),
      summary: "End all sessions but this one",
    },
    async ({ viewer, actor, reply }, resources) => {
      await write(resources, actor, (tx) => deleteOtherSessions(tx, viewer.user.id, viewer.sessionId));
      return seeOther(reply, `${path}?done=others`);
    },
  ),
];
