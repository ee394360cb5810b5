// The projects of an organization: moving one in, with the permissions before and after, and moving one out.

import Type from "typebox";
import { listMembers } from "#content/members/read.js";
import { allow, allowOwner, findProjectRights } from "#content/members/rights.js";
import { addProject, removeProject } from "#content/organizations/move-project.js";
import { getVisibleProject, listOwnedProjects, listProjectIdsOfOrg } from "#content/projects/read.js";
import { write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import { needs, readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { Ref } from "#platform/http/schemas.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { attempt, type FormProblems, formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import type { Page } from "#web/frame/layout.js";
import { narrowPage } from "#web/frame/narrow-page.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { ConfirmForm } from "#web/parts/confirm-form.js";
import { listItems } from "#web/shared/projects-by-type.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import { confirmed } from "./general.route.js";
import { MoveForm, OrgProjects } from "./projects.js";
import { getManaged } from "./settings-frame.js";

const orgRef = { ref: Ref("Organization id or slug") };
const both = { ...orgRef, projectRef: Ref("Project id or slug") };
const errors = ["organizationNotFound", "permissionMissing", "projectNotFound", "ownerOnly"] as const;
const reading = { access: needs("organization_read", "project_read"), errors } as const;
const writing = { access: readable("organization_read", "organization_write", "project_read"), errors } as const;

export const orgProjectRoutes: Route[] = [
  pageRoute(
    {
      ...reading,
      id: "getOrganizationProjectsPage",
      path: "/organization/:ref/settings/projects",
      summary: "The projects of an organization, to manage them",
      params: Type.Object(orgRef),
    },
    async ({ params, viewer, request }, resources): Promise<Page> => {
      const managed = await getManaged(resources, viewer, params.ref);
      const ids = await listProjectIdsOfOrg(resources.db, viewer, managed.org.id, false);
      const own = await listOwnedProjects(resources.db, viewer.user.id);
      return {
        title: `${textsIn(texts.organizations.settings, localeOf(request)).projects} · ${managed.org.name}`,
        content: <OrgProjects managed={managed} projects={await listItems(resources, ids)} own={own} />,
      };
    },
  ),
  pageRoute(
    {
      ...reading,
      id: "getOrganizationMovePage",
      path: "/organization/:ref/settings/projects/add",
      summary: "The effects of moving a project into an organization",
      params: Type.Object(orgRef),
      query: Type.Object({ project: Type.Optional(Type.String({ maxLength: 64 })) }),
    },
    ({ params, query, viewer, request }, resources) =>
      movePage(resources, viewer, { ref: params.ref, project: query.project ?? "" }, localeOf(request)),
  ),
  memberFormRoute(
    {
      ...writing,
      id: "submitOrganizationMove",
      once: true,
      path: "/organization/:ref/settings/projects/add",
      summary: "Move a project into an organization",
      params: Type.Object(orgRef),
      body: formFields("project", "confirm"),
    },
    async ({ params: { ref }, body, viewer, actor, request, reply }, resources) => {
      const { project = "" } = body;
      const locale = localeOf(request);
      const { slug } = await getVisibleProject(resources, viewer, project);
      const problems = await attempt(
        async () => {
          confirmed(body.confirm, slug, locale);
          await write(resources, actor, (tx) => addProject(tx, viewer, ref, project));
        },
        { wrongState: "confirm" },
      );
      if (problems) return movePage(resources, viewer, { ref, project }, locale, problems);
      return seeOther(reply, `${(await getManaged(resources, viewer, ref)).path}/projects`);
    },
  ),
  pageRoute(
    {
      ...reading,
      id: "getOrganizationTakeOutPage",
      path: "/organization/:ref/settings/projects/:projectRef/remove",
      summary: "Ask for confirmation before a project leaves an organization",
      params: Type.Object(both),
    },
    async ({ params, viewer, request }, resources) => {
      const { org, owner, path, rights } = await getManaged(resources, viewer, params.ref);
      allow(rights, "remove_project");
      const { id, orgId, project } = await getVisibleProject(resources, viewer, params.projectRef);
      if (orgId !== org.id) throw fail.projectNotFound();
      const t = textsIn(texts.organizations.settings, localeOf(request));
      return narrowPage(
        { title: t.takeTitle(project.name), lead: t.takeLead(owner.userName) },
        <ConfirmForm action={`${path}/projects/${id}/remove`} button={t.take} back={`${path}/projects`} />,
      );
    },
  ),
  memberFormRoute(
    {
      ...writing,
      id: "submitOrganizationTakeOut",
      path: "/organization/:ref/settings/projects/:projectRef/remove",
      summary: "Take a project out of an organization",
      params: Type.Object(both),
    },
    async ({ params: { ref, projectRef }, viewer, actor, reply }, resources) => {
      const { path } = await getManaged(resources, viewer, ref);
      await write(resources, actor, (tx) => removeProject(tx, viewer, ref, projectRef));
      return seeOther(reply, `${path}/projects`);
    },
  ),
];

async function movePage(
  resources: Resources,
  viewer: SignedIn,
  { ref, project: projectRef }: { ref: string; project: string },
  locale: Locale,
  problems?: FormProblems,
): Promise<Page> {
  const managed = await getManaged(resources, viewer, ref);
  allow(managed.rights, "add_project");
  const { db, config } = resources;
  const { id, project } = await getVisibleProject(resources, viewer, projectRef);
  allowOwner(await findProjectRights(db, viewer.user, id));
  const team = (await listMembers(db, [project.teamId], config.http.cdnUrl)).get(project.teamId) ?? [];
  return {
    title: textsIn(texts.organizations.settings, locale).moveTitle(project.name, managed.org.name),
    status: problems?.status,
    content: <MoveForm managed={managed} project={project} team={team} problems={problems} />,
  };
}
