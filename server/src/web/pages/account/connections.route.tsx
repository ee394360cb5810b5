// The routes of the page in connections.tsx.
import Type from "typebox";
import { listConnections } from "#accounts/applications/read.js";
import { disconnectApplication } from "#accounts/applications/write.js";
import { write } from "#platform/changes/write.js";
import { sessionOnly } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { Ref } from "#platform/http/schemas.js";
import { seeOther } from "#web/context/paths.js";
import { formRoute, pageRoute } from "#web/frame/page.js";
import { texts } from "#words/texts.js";
import { Connections, path } from "./connections.js";
import { settingsPage, wordsFor } from "./settings-frame.js";

export const connectionRoutes: Route[] = [
  pageRoute(
    {
      id: "getConnectionsPage",
      path,
      access: sessionOnly("pat_read"),
      summary: "The applications that are connected to the account",
      query: Type.Object({ done: Type.Optional(Type.String()) }),
    },
    async ({ request, viewer, query }, { db, clock }) => {
      const t = wordsFor(request, texts.applications.connections);
      return settingsPage({
        title: t.title,
        lead: t.lead,
        done: query.done === undefined ? undefined : t.disconnected,
        children: <Connections connections={await listConnections(db, viewer.user.id, clock.now())} />,
      });
    },
  ),

  formRoute(
    {
      id: "submitDisconnection",
      path: `${path}/:id/disconnect`,
      access: sessionOnly("pat_delete"),
      summary: "Disconnect an application from the account",
      params: Type.Object({ id: Ref("The application's id") }),
      errors: ["applicationNotFound"],
    },
    async ({ params, viewer, actor, reply }, resources) => {
      await write(resources, actor, (tx) => disconnectApplication(tx, viewer.user.id, params.id));
      return seeOther(reply, `${path}?done`);
    },
  ),
];
