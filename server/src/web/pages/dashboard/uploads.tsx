// Files that were uploaded and of which no version has come yet: go on with them, or throw them away.

import Type from "typebox";
import { listProjectStandings } from "#content/members/standing.js";
import type { ProjectListItem } from "#content/shapes/project.js";
import { getUploadRow, type UploadRow } from "#content/uploads/read.js";
import { removeUpload } from "#content/uploads/write.js";
import { needs, readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { useFormat } from "#web/context/frame.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { Picture } from "#web/parts/picture.js";
import { iconOf } from "#web/parts/project-card.js";
import { listOwnProjects } from "#web/shared/own-projects.js";
import { texts, textsIn } from "#words/texts.js";
import { dashboardPage } from "./dashboard-frame.js";

const params = Type.Object({ id: Type.String({ maxLength: 64 }) });
const path = "/dashboard/upload/:id";

export const uploadPageRoutes: Route[] = [
  pageRoute(
    {
      id: "getUploadPage",
      path,
      access: needs("project_read", "version_create"),
      summary: "What shall become of an uploaded file",
      params,
      errors: ["uploadNotFound"],
    },
    async ({ params: { id }, viewer, request }, resources) => {
      const upload = await getUploadRow(resources, viewer.user.id, id);
      const projects = await listOwnProjects(resources, viewer);
      const ids = projects.map((project) => project.id);
      const standings = await listProjectStandings(resources.db, viewer.user, ids);
      const usable = projects.filter(
        (project) => project.visibility !== "archived" && standings.get(project.id)?.permissions.has("upload_version"),
      );
      return dashboardPage({
        title: textsIn(texts.dashboard.waitingUpload, localeOf(request)).goOn,
        children: <GoOn upload={upload} projects={usable} />,
      });
    },
  ),

  memberFormRoute(
    {
      id: "submitUploadDiscard",
      path,
      access: readable("version_create"),
      summary: "Throw an uploaded file away",
      params,
      errors: ["uploadNotFound"],
    },
    async ({ params: { id }, viewer, reply }, resources) => {
      await removeUpload(resources, await getUploadRow(resources, viewer.user.id, id));
      return seeOther(reply, "/dashboard");
    },
  ),
];

export const uploadPath = ({ id }: UploadRow): string => `/dashboard/upload/${id}`;

export const DiscardButton = ({ upload }: { upload: UploadRow }) => {
  const t = useTexts(texts.dashboard.waitingUpload);
  return (
    <Form class="actions" action={uploadPath(upload)}>
      <Button kind="quiet" small aria-label={`${t.discard}: ${upload.name}`}>
        {t.discard}
      </Button>
    </Form>
  );
};

const GoOn = ({ upload, projects }: { upload: UploadRow; projects: readonly ProjectListItem[] }) => {
  const t = useTexts(texts.dashboard.waitingUpload);
  const { newProject } = useTexts(texts.dashboard.overview);
  const format = useFormat();
  const { id, name, size, received, date_expires } = upload;
  return (
    <>
      <div class="card stack wraps">
        <p>
          <strong dir="auto">{name}</strong> <span class="muted">{format.bytes(size)}</span>
        </p>
        <p>
          {received < size
            ? t.uploadPart(format.bytes(received), format.bytes(size))
            : t.uploadWhole(format.dateTime(date_expires))}
        </p>
        <DiscardButton upload={upload} />
      </div>
      <section class="stack">
        <h2>{t.goOnWhere}</h2>
        <ul class="rows">
          {projects.map((project) => (
            <li key={project.id} class="card row">
              <Picture src={iconOf(project)} size={40} />
              <a class="grow" href={`${projectPath(project.slug)}/version/new?upload=${id}`} dir="auto">
                {t.newVersionOf(project.name)}
              </a>
            </li>
          ))}
          <li class="card row">
            <a class="grow" href={`/new?upload=${id}`}>
              {newProject}
            </a>
          </li>
        </ul>
      </section>
    </>
  );
};
