// The routes of the page in applications.tsx.
import Type from "typebox";
import { searchApplications } from "#accounts/applications/read.js";
import { setApplicationSuspended } from "#accounts/applications/write.js";
import { write } from "#platform/changes/write.js";
import type { Route } from "#platform/http/endpoint.js";
import { Ref } from "#platform/http/schemas.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { forModerators } from "#web/shared/staff-access.js";
import { texts, textsIn } from "#words/texts.js";
import { Applications, mostShown, path } from "./applications.js";
import { deskPage } from "./desk-frame.js";

const suspension = (act: "suspend" | "restore", id: string, summary: string): Route =>
  memberFormRoute(
    {
      id,
      path: `${path}/:id/${act}`,
      access: forModerators,
      summary,
      params: Type.Object({ id: Ref("The application's id") }),
      errors: ["applicationNotFound"],
    },
    async ({ params, actor, reply }, resources) => {
      await write(resources, actor, (tx) => setApplicationSuspended(tx, params.id, act === "suspend"));
      return seeOther(reply, `${path}?q=${params.id}`);
    },
  );

export const applicationDeskRoutes: Route[] = [
  pageRoute(
    {
      id: "getModeratedApplicationsPage",
      path,
      access: forModerators,
      rate: "search",
      summary: "Find applications of third parties",
      query: Type.Object({ q: Type.Optional(Type.String({ maxLength: 64 })) }),
    },
    async ({ request, query }, { db }) => {
      const sought = query.q?.trim() ?? "";
      const applications = await searchApplications(db, sought, mostShown);
      const { title } = textsIn(texts.applications.desk, localeOf(request));
      return deskPage({ title }, <Applications applications={applications} sought={sought} />);
    },
  ),
  suspension("suspend", "submitApplicationSuspension", "Suspend an application"),
  suspension("restore", "submitApplicationRestoration", "Lift the suspension of an application"),
];
