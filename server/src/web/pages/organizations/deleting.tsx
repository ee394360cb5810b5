// The end of an organization: of each of its projects, its owner says where it goes.

import Type from "typebox";
import { isFresh } from "#accounts/users/policy.js";
import { type Destination, removeOrg } from "#content/organizations/removal.js";
import type { Organization } from "#content/organizations/shapes.js";
import { listProjectIdsOfOrg } from "#content/projects/read.js";
import type { ProjectListItem } from "#content/projects/shapes.js";
import { allow } from "#content/teams/standing.js";
import { write } from "#platform/changes/write.js";
import { invalid } from "#platform/errors.js";
import { needs, readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { Ref } from "#platform/http/schemas.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { attempt, type FormProblems, formFields, formLists, listOf } from "#web/context/form.js";
import { useFrame } from "#web/context/frame.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { useTexts } from "#web/context/texts.js";
import type { Page } from "#web/frame/layout.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { ConfirmForm } from "#web/parts/confirm-form.js";
import { FreshNeeded } from "#web/parts/fresh-needed.js";
import { ProjectRoll } from "#web/parts/project-roll.js";
import { listTargets } from "#web/shared/move-targets.js";
import { listItems } from "#web/shared/project-shelf.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import { confirmed } from "./general.route.js";
import { getManaged, type Managed } from "./settings-frame.js";

const shared = {
  path: "/organization/:ref/settings/delete",
  params: Type.Object({ ref: Ref("Organization id or slug") }),
  errors: ["organizationNotFound", "permissionMissing", "ownerOnly"],
} as const;

/** By the project's id. */
type Goes = ReadonlyMap<string, Destination>;

export const orgDeletingRoutes: Route[] = [
  pageRoute(
    {
      ...shared,
      id: "getOrganizationDeletePage",
      access: needs("organization_read"),
      summary: "Whether an organization shall really go, and where its projects go",
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
      const goes: Goes = new Map(listOf(body.goes).map((one) => one.split(" ", 2) as [string, string]));
      const problems = await attempt(async () => {
        confirmed(body.confirm, managed.org.slug, locale);
        if (managed.standing.isOwner) await refuseUnasked(resources, viewer, managed, goes, locale);
        await write(resources, actor, (tx) => removeOrg(tx, viewer, ref, { ...resources.config.limits, goes }));
      });
      if (!problems) return seeOther(reply, "/dashboard/organizations");
      return deletePage(resources, viewer, managed, locale, { problems, goes });
    },
  ),
];

/** Somebody who was not asked about a project has not decided about it. */
async function refuseUnasked(
  { db }: Resources,
  viewer: SignedIn,
  { org }: Managed,
  goes: Goes,
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
  { problems, goes = new Map() }: { problems?: FormProblems; goes?: Goes } = {},
): Promise<Page> {
  allow(managed.standing, "delete_organization");
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

interface Props {
  managed: Managed;
  isFresh: boolean;
  projects: readonly ProjectListItem[];
  targets: readonly Organization[];
  goes: Goes;
  problems: FormProblems | undefined;
}

const DeleteForm = ({ isFresh: fresh, ...props }: Props) => {
  const { managed, projects, problems } = props;
  const { org, path } = managed;
  const t = useTexts(texts.organizations.settings);
  return (
    <div class="stack narrow">
      <h1 dir="auto">{t.deleteTitle(org.name)}</h1>
      <p class="lead">{t.deleteLead}</p>
      {projects.length === 0 && <p>{t.deleteNone}</p>}
      {fresh ? (
        <ConfirmForm action={`${path}/delete`} button={t.delete} back={path} word={org.slug} problems={problems}>
          {projects.length > 0 && <Projects {...props} />}
        </ConfirmForm>
      ) : (
        <FreshNeeded next={`${path}/delete`} />
      )}
    </div>
  );
};

const Projects = ({ managed: { owner, standing }, projects, targets, goes, problems }: Omit<Props, "isFresh">) => {
  const t = useTexts(texts.organizations.settings);
  const { viewer } = useFrame();
  const isOwn = viewer.kind !== "anonymous" && viewer.user.id === owner.userId;
  const places = [
    { place: "owner", text: isOwn ? t.toYou : t.toOwner(owner.userName) },
    ...targets.map(({ id, name }) => ({ place: id, text: t.toOrg(name) })),
    { place: "delete", text: t.toNowhere },
  ];
  return (
    <>
      <p id="goes">{standing.isOwner ? t.deleteChoose : t.deleteProjects(owner.userName)}</p>
      {problems?.fields.goes && <span class="wrong">{problems.fields.goes}</span>}
      <ProjectRoll
        isInside
        projects={projects}
        act={({ id, name }) =>
          standing.isOwner && (
            <select name="goes" aria-label={t.goesTo(name)}>
              {places.map(({ place, text }) => (
                <option key={place} value={`${id} ${place}`} selected={goes.get(id) === place}>
                  {text}
                </option>
              ))}
            </select>
          )
        }
      />
    </>
  );
};
