// The routes of the page in uploads.tsx.
import Type from "typebox";
import { listProjectRights } from "#content/members/rights.js";
import { getUploadRow, toUpload } from "#content/uploads/read.js";
import { removeUpload } from "#content/uploads/write.js";
import { needs, readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { listOwnProjects } from "#web/shared/own-projects.js";
import { texts, textsIn } from "#words/texts.js";
import { dashboardPage } from "./dashboard-frame.js";
import { ContinueUpload } from "./uploads.js";

const params = Type.Object({ id: Type.String({ maxLength: 64 }) });

const path = "/dashboard/upload/:id";

export const uploadPageRoutes: Route[] = [
  pageRoute(
    {
      id: "getUploadPage",
      path,
      access: needs("project_read", "version_create"),
      summary: "The choices for an uploaded file",
      params,
      errors: ["uploadNotFound"],
    },
    async ({ params: { id }, viewer, request }, resources) => {
      const upload = toUpload(await getUploadRow(resources, viewer.user.id, id), localeOf(request));
      const projects = await listOwnProjects(resources, viewer);
      const ids = projects.map((project) => project.id);
      const rights = await listProjectRights(resources.db, viewer.user, ids);
      const usable = projects.filter(
        (project) => project.visibility !== "archived" && rights.get(project.id)?.permissions.has("upload_version"),
      );
      return dashboardPage({
        title: textsIn(texts.dashboard.waitingUpload, localeOf(request)).title,
        children: <ContinueUpload upload={upload} projects={usable} />,
      });
    },
  ),

  memberFormRoute(
    {
      id: "submitUploadDiscard",
      path,
      access: readable("version_create"),
      summary: "Discard an uploaded file",
      params,
      errors: ["uploadNotFound"],
    },
    async ({ params: { id }, viewer, reply }, resources) => {
      await removeUpload(resources, await getUploadRow(resources, viewer.user.id, id));
      return seeOther(reply, "/dashboard");
    },
  ),
];
