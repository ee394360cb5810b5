// Routes of organizations.

import { findProfile } from "#accounts/users/read.js";
import { joinArray } from "#content/catalog/ready-bytes.js";
import { projectEntries } from "#content/projects/entries.js";
import { listProjectIdsOfOrg } from "#content/projects/read.js";
import { write } from "#platform/changes/write.js";
import { fail, invalid } from "#platform/errors.js";
import { type Route, route } from "#platform/http/endpoint.js";
import { parseIds } from "#platform/http/id-list.js";
import type { Resources } from "#platform/http/resources.js";
import { done } from "#platform/http/schemas.js";
import type { Viewer } from "#platform/http/viewer.js";
import { say } from "#words/said.js";
import * as contract from "./contract.js";
import { createOrg, saveOrg } from "./edit.js";
import { addProject, removeProject } from "./move-project.js";
import { getOrg, listNamedOrgs, listOrgs, listOrgsOfUser, type ReadContext } from "./read.js";
import { removeOrg } from "./remove.js";

const context = ({ db, config }: Resources, viewer: Viewer): ReadContext => ({
  db,
  viewer,
  cdnUrl: config.http.cdnUrl,
});

export const organizationRoutes: Route[] = [
  route(contract.getOrganization, async ({ params, viewer }, resources) => {
    const { id } = await getOrg(resources.db, params.ref);
    const [organization] = await listOrgs(context(resources, viewer), [id]);
    if (!organization) throw fail.organizationNotFound();
    return organization;
  }),

  route(contract.getOrganizationProjects, async ({ params, query, viewer }, resources) => {
    const { id: orgId } = await getOrg(resources.db, params.ref);
    const ids = await listProjectIdsOfOrg(resources.db, viewer, orgId, query.listedOnly === "true");
    const entries = await projectEntries(resources).load(ids);
    return joinArray(ids.flatMap((id) => entries.get(id)?.listItem ?? []));
  }),

  route(contract.getOrganizations, ({ query, viewer }, resources) =>
    listNamedOrgs(context(resources, viewer), parseIds(query.ids)),
  ),

  route(contract.getOwnOrganizations, ({ viewer }, resources) =>
    listOrgsOfUser(context(resources, viewer), viewer.user.id),
  ),

  route(contract.getUserOrganizations, async ({ params, viewer }, resources) => {
    const user = await findProfile(resources.db, params.ref);
    if (!user) throw fail.userNotFound();
    return listOrgsOfUser(context(resources, viewer), user.id);
  }),

  route(contract.createOrganization, async ({ body, viewer, actor }, resources) => {
    const { name, slug, description = "" } = body;
    const id = await write(resources, actor, (tx) => createOrg(tx, viewer.user.id, { name, slug, description }));
    return { ...done("Organization created"), slug, id };
  }),

  route(contract.editOrganization, async (call, resources) => {
    const { icon: given, ...fields } = call.body;
    // Empty removes the picture; any other text is its current URL sent back, which keeps it.
    const isRemoved = given === null || given === "";
    const icon = call.files.icon?.bytes ?? (isRemoved ? null : undefined);
    const { slug } = await saveOrg(resources, call.viewer, call.actor, { ...fields, ref: call.params.ref, icon });
    return { ...done("Organization saved"), slug };
  }),

  route(contract.setOrganizationIcon, async (call, resources) => {
    const { params, files, viewer, actor } = call;
    if (!files.icon) throw invalid({ path: "icon", message: say.problems.missing });
    const { id } = await saveOrg(resources, viewer, actor, { ref: params.ref, icon: files.icon.bytes });
    const [organization] = await listOrgs(context(resources, viewer), [id]);
    if (!organization) throw fail.organizationNotFound();
    return { ...done("Icon saved"), data: { newIcon: organization.icon } };
  }),

  route(contract.removeOrganizationIcon, async ({ params, viewer, actor }, resources) => {
    await saveOrg(resources, viewer, actor, { ref: params.ref, icon: null });
    return done("Icon removed");
  }),

  route(contract.deleteOrganization, async ({ params, viewer, actor }, resources) => {
    await write(resources, actor, (tx) => removeOrg(tx, viewer, params.ref, resources.config.limits));
    return done("Organization deleted; its projects now belong to its owner");
  }),

  route(contract.addOrganizationProject, async ({ params, body, viewer, actor }, resources) => {
    await write(resources, actor, (tx) => addProject(tx, viewer, params.ref, body.projectId));
    return done("Project added to the organization");
  }),

  route(contract.removeOrganizationProject, async ({ params, viewer, actor }, resources) => {
    await write(resources, actor, (tx) => removeProject(tx, viewer, params.ref, params.projectRef));
    return done("Project removed from the organization");
  }),
];
