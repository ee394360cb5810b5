// Making an organization, changing its name, address, text and picture, and ending it.
import Type from "typebox";
import { write } from "../../../changes/write.js";
import { fail, invalid } from "../../../errors.js";
import { needs, readable } from "../../../http/access.js";
import type { Route } from "../../../http/endpoint.js";
import type { Resources } from "../../../http/resources.js";
import { Ref } from "../../../http/schemas.js";
import { parse } from "../../../http/validation.js";
import type { SignedIn } from "../../../http/viewer.js";
import { createOrganization, editOrganization } from "../../../organizations/contract.js";
import { saveOrg } from "../../../organizations/saving.js";
import { createOrg, type NewOrg, removeOrg } from "../../../organizations/write.js";
import { listProjectIdsOfOrg } from "../../../projects/read.js";
import { isFresh } from "../../../users/policy.js";
import { attempt, type FormProblems, formFields } from "../../form.js";
import type { Page } from "../../layout.js";
import type { Locale } from "../../locale.js";
import { memberFormRoute, pageRoute } from "../../page.js";
import { stampOf } from "../../parts/conflict.js";
import { seeOther } from "../../paths.js";
import { localeOf } from "../../preferences.js";
import { textsIn } from "../../texts.js";
import { getManaged, type Managed } from "./org-frame.js";
import { DeleteOrgForm, GeneralSettings, NewOrgForm, type OrgFields, savedOf } from "./org-general-view.js";
import { orgSettingsTexts } from "./org-settings-texts.js";
import { listItems } from "./project-shelf.js";

const params = Type.Object({ ref: Ref("Organization id or slug") });
const errors = ["organizationNotFound", "permissionMissing"] as const;
const taken = { slugTaken: "slug", nameReserved: "slug", nameRetired: "slug", imageUnusable: "icon" } as const;

export const orgGeneralRoutes: Route[] = [
  pageRoute(
    {
      id: "getNewOrganizationPage",
      path: "/organizations/new",
      access: needs("organization_create"),
      summary: "The form for a new organization",
    },
    async ({ request }) => newPage(localeOf(request), {}),
  ),
  memberFormRoute(
    {
      id: "submitNewOrganization",
      once: true,
      path: "/organizations/new",
      access: readable("organization_create"),
      summary: "Make an organization",
      body: formFields("name", "slug", "description"),
      errors: ["slugTaken", "nameReserved", "nameRetired"],
    },
    async ({ body, viewer, actor, request, reply }, resources) => {
      let slug = "";
      const problems = await attempt(async () => {
        const { description = "", ...input } = parse<NewOrg>("body", createOrganization.body, withAll(body), "form");
        slug = input.slug;
        await write(resources, actor, (tx) => createOrg(tx, viewer.user.id, { ...input, description }));
      }, taken);
      return problems ? newPage(localeOf(request), body, problems) : seeOther(reply, `/organization/${slug}`);
    },
  ),
  pageRoute(
    {
      id: "getOrganizationSettingsPage",
      path: "/organization/:ref/settings",
      access: needs("organization_read"),
      summary: "An organization's settings",
      params,
      errors,
    },
    async ({ params: { ref }, viewer, request }, resources) =>
      settingsPage(await getManaged(resources, viewer, ref), localeOf(request)),
  ),
  memberFormRoute(
    {
      id: "submitOrganizationSettings",
      path: "/organization/:ref/settings",
      access: readable("organization_read", "organization_write"),
      summary: "Change an organization",
      params,
      body: formFields("name", "slug", "description", "removeIcon", "stamp"),
      files: editOrganization.files,
      errors: [...errors, "slugTaken", "nameReserved", "nameRetired", "imageUnusable"],
    },
    async ({ params: { ref }, body, files, viewer, actor, request, reply }, resources) => {
      const { removeIcon, stamp, ...given } = body;
      const managed = await getManaged(resources, viewer, ref);
      if (stamp && stamp !== stampOf(savedOf(managed)))
        return settingsPage(managed, localeOf(request), given, { isConflict: true });
      let slug = ref;
      const problems = await attempt(async () => {
        const fields = parse<Partial<NewOrg>>("body", editOrganization.body, withAll(given), "form");
        const icon = files.icon?.bytes ?? (removeIcon === undefined ? undefined : null);
        ({ slug } = await saveOrg(resources, viewer, actor, { ...fields, ref, icon }));
      }, taken);
      if (!problems) return seeOther(reply, `/organization/${slug}/settings`);
      return settingsPage(managed, localeOf(request), given, { problems });
    },
  ),
  pageRoute(
    {
      id: "getOrganizationDeletePage",
      path: "/organization/:ref/settings/delete",
      access: needs("organization_read"),
      summary: "Whether an organization shall really go, and what becomes of its projects",
      params,
      errors,
    },
    async ({ params: { ref }, viewer, request }, resources) =>
      deletePage(resources, viewer, await getManaged(resources, viewer, ref), localeOf(request)),
  ),
  memberFormRoute(
    {
      id: "submitOrganizationDeletion",
      once: true,
      path: "/organization/:ref/settings/delete",
      access: readable("organization_read", "organization_delete"),
      summary: "Delete an organization",
      params,
      body: formFields("confirm"),
      errors,
    },
    async ({ params: { ref }, body, viewer, actor, request, reply }, resources) => {
      const managed = await getManaged(resources, viewer, ref);
      const locale = localeOf(request);
      if (!isFresh(viewer, resources.clock.now()))
        return { ...(await deletePage(resources, viewer, managed, locale)), status: 403 };
      const problems = await attempt(async () => {
        confirmed(body.confirm, managed.org.slug, locale);
        await write(resources, actor, (tx) => removeOrg(tx, viewer, ref, resources.config.limits));
      });
      if (!problems) return seeOther(reply, "/dashboard/organizations");
      return deletePage(resources, viewer, managed, locale, problems);
    },
  ),
];

/** Refuses what was typed instead of the word that was asked for. */
export function confirmed(typed: string | undefined, word: string, locale: Locale): void {
  if (typed?.trim() !== word) throw invalid({ path: "confirm", message: textsIn(orgSettingsTexts, locale).wrongWord });
}

/** A field that did not come counts as left empty. */
const withAll = (given: OrgFields) => ({ name: "", slug: "", ...given });

const newPage = (locale: Locale, given: OrgFields, problems?: FormProblems): Page => ({
  title: textsIn(orgSettingsTexts, locale).newTitle,
  status: problems?.status,
  content: <NewOrgForm given={given} problems={problems} />,
});

function settingsPage(
  managed: Managed,
  locale: Locale,
  given?: OrgFields,
  wrong: { problems?: FormProblems; isConflict?: boolean } = {},
): Page {
  return {
    title: textsIn(orgSettingsTexts, locale).title(managed.org.name),
    status: wrong.isConflict ? 409 : wrong.problems?.status,
    content: <GeneralSettings managed={managed} given={given ?? savedOf(managed)} {...wrong} />,
  };
}

async function deletePage(
  resources: Resources,
  viewer: SignedIn,
  managed: Managed,
  locale: Locale,
  problems?: FormProblems,
): Promise<Page> {
  if (!managed.standing.permissions.has("delete_organization")) throw fail.permissionMissing("delete_organization");
  const ids = await listProjectIdsOfOrg(resources.db, viewer, managed.org.id, false);
  const fresh = isFresh(viewer, resources.clock.now());
  return {
    title: textsIn(orgSettingsTexts, locale).deleteTitle(managed.org.name),
    status: problems?.status,
    content: (
      <DeleteOrgForm managed={managed} projects={await listItems(resources, ids)} isFresh={fresh} problems={problems} />
    ),
  };
}
