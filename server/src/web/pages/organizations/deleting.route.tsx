// Deleting an organization: its owner chooses what happens to each of its projects.
import Type from "typebox";
import { isFresh } from "#accounts/users/policy.js";
import { allow } from "#content/members/rights.js";
import { removeOrg } from "#content/organizations/remove.js";
import { listProjectIdsOfOrg } from "#content/projects/read.js";
import { write } from "#platform/changes/write.js";
import { invalid } from "#platform/errors.js";
import { needs, readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { Ref } from "#platform/http/schemas.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { attempt, type FormProblems, formFields, formLists, listOf } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import type { Page } from "#web/frame/layout.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { listTargets } from "#web/shared/move-targets.js";
import { listItems } from "#web/shared/projects-by-type.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import { DeleteForm, type Destinations } from "./deleting.js";
import { confirmed } from "./general.route.js";
import { getManaged, type Managed } from "./settings-frame.js";

const shared = {
  path: "/organization/:ref/settings/delete",
  params: Type.Object({ ref: Ref("Organization id or slug") }),
  errors: ["organizationNotFound", "permissionMissing", "ownerOnly"],
} as const;

export const orgDeletingRoutes: Route[] = [
  pageRoute(
    {
      ...shared,
      id: "getOrganizationDeletePage",
      access: needs("organization_read"),
      summary: "Ask for confirmation before an organization is deleted, and where its projects go",
    },
    async ({ params: { ref }, viewer, request }, resources) =>
      deletePage(resources, viewer, await getManaged(resources, viewer, ref), localeOf(request)),
  ),
  memberFormRoute(
    {
      ...shared,
      id: "submitOrganizationDeletion",
      once: true,
      access: readable("organization_read", "organization_delete"),
      summary: "Delete an organization",
      body: Type.Object({ ...formFields("confirm").properties, ...formLists("goes").properties }),
    },
    async ({ params: { ref }, body, viewer, actor, request, reply }, resources) => {
      const managed = await getManaged(resources, viewer, ref);
      const locale = localeOf(request);
      if (!isFresh(viewer, resources.clock.now()))
        return { ...(await deletePage(resources, viewer, managed, locale)), status: 403 };
      const goes: Destinations = new Map(listOf(body.goes).map((one) => one.split(" ", 2) as [string, string]));
      const problems = await attempt(async () => {
        confirmed(body.confirm, managed.org.slug, locale);
        if (managed.rights.isOwner) await refuseUnasked(resources, viewer, managed, goes, locale);
        await write(resources, actor, (tx) => removeOrg(tx, viewer, ref, { ...resources.config.limits, goes }));
      });
      if (!problems) return seeOther(reply, "/dashboard/organizations");
      return deletePage(resources, viewer, managed, locale, { problems, goes });
    },
  ),
];

/** Refuses if a project was added after the form was loaded, because the owner has not decided about it. */
async function refuseUnasked(
  { db }: Resources,
  viewer: SignedIn,
  { org }: Managed,
  goes: Destinations,
  locale: Locale,
): Promise<void> {
  const ids = await listProjectIdsOfOrg(db, viewer, org.id, false);
  if (ids.some((id) => !goes.has(id)))
    throw invalid({ path: "goes", message: textsIn(texts.organizations.settings, locale).cameIn });
}

async function deletePage(
  resources: Resources,
  viewer: SignedIn,
  managed: Managed,
  locale: Locale,
  { problems, goes = new Map() }: { problems?: FormProblems; goes?: Destinations } = {},
): Promise<Page> {
  allow(managed.rights, "delete_organization");
  const { org } = managed;
  const ids = await listProjectIdsOfOrg(resources.db, viewer, org.id, false);
  const targets = (await listTargets(resources, viewer)).filter(({ id }) => id !== org.id);
  const fresh = isFresh(viewer, resources.clock.now());
  return {
    title: textsIn(texts.organizations.settings, locale).deleteTitle(org.name),
    status: problems?.status,
    content: (
      <DeleteForm
        {...{ managed, targets, goes, problems }}
        projects={await listItems(resources, ids)}
        isFresh={fresh}
      />
    ),
  };
}
