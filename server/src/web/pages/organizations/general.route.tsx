// Making an organization, and changing its name, address, text and picture.

import Type from "typebox";
import { createOrganization, editOrganization } from "#content/organizations/contract.js";
import { createOrg, type NewOrg, saveOrg } from "#content/organizations/edit.js";
import { write } from "#platform/changes/write.js";
import type { Row } from "#platform/db/tables.js";
import { invalid } from "#platform/errors.js";
import { needs, readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { Ref } from "#platform/http/schemas.js";
import { parse } from "#platform/http/validation.js";
import { attempt, type FormProblems, formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import type { Page } from "#web/frame/layout.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { checkStamp, isStale, staleField } from "#web/parts/conflict.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import { GeneralSettings, NewOrgForm, type OrgFields, savedOf } from "./general.js";
import { getManaged, type Managed } from "./settings-frame.js";

const params = Type.Object({ ref: Ref("Organization id or slug") });
const errors = ["organizationNotFound", "permissionMissing"] as const;
const taken = {
  slugTaken: "slug",
  nameReserved: "slug",
  nameRetired: "slug",
  imageUnusable: "icon",
  quotaReached: "icon",
} as const;

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
        const { description = "", ...input } = parse<NewOrg>(
          "body",
          createOrganization.body,
          withAll(body, ""),
          "form",
        );
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
      errors: [...errors, "slugTaken", "nameReserved", "nameRetired", "imageUnusable", "quotaReached"],
    },
    async ({ params: { ref }, body, files, viewer, actor, request, reply }, resources) => {
      const { removeIcon, stamp, ...given } = body;
      const managed = await getManaged(resources, viewer, ref);
      let slug = ref;
      const problems = await attempt(
        async () => {
          const fields = parse<Partial<NewOrg>>(
            "body",
            editOrganization.body,
            withAll(given, managed.org.description),
            "form",
          );
          const icon = files.icon?.bytes ?? (removeIcon === undefined ? undefined : null);
          const check = ({ name, slug, description }: Row<"organizations">) =>
            checkStamp(stamp, { name, slug, description });
          ({ slug } = await saveOrg(resources, viewer, actor, { ...fields, ref, icon, check }));
        },
        { ...taken, ...staleField },
      );
      if (!problems) return seeOther(reply, `/organization/${slug}/settings`);
      if (!isStale(problems)) return settingsPage(managed, localeOf(request), given, { problems });
      return settingsPage(await getManaged(resources, viewer, ref), localeOf(request), given, { isConflict: true });
    },
  ),
];

/** Refuses what was typed instead of the word that was asked for. */
export function confirmed(typed: string | undefined, word: string, locale: Locale): void {
  if (typed?.trim() !== word)
    throw invalid({ path: "confirm", message: textsIn(texts.organizations.settings, locale).wrongWord });
}

/** A name or address that did not come counts as left empty. A description that is empty as before is not given. */
function withAll({ description, ...given }: OrgFields, before: string) {
  const isGiven = description !== undefined && (description !== "" || before !== "");
  return { name: "", slug: "", ...given, ...(isGiven && { description }) };
}

const newPage = (locale: Locale, given: OrgFields, problems?: FormProblems): Page => ({
  title: textsIn(texts.organizations.settings, locale).newTitle,
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
    title: textsIn(texts.organizations.settings, locale).title(managed.org.name),
    status: wrong.isConflict ? 409 : wrong.problems?.status,
    content: <GeneralSettings managed={managed} given={given ?? savedOf(managed)} {...wrong} />,
  };
}
