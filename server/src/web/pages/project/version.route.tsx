// The routes of the page in version.tsx.
import { listContents, packOf } from "#content/packs/read.js";
import { wasPublic } from "#content/projects/missing.js";
import type { VersionEntry } from "#content/versions/entries.js";
import { findVersion } from "#content/versions/policy.js";
import { listHeldForTeam } from "#moderation/quarantine/team-versions.js";
import type { Db } from "#platform/db/tables.js";
import { type Failure, fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { Ref } from "#platform/http/schemas.js";
import type { Viewer } from "#platform/http/viewer.js";
import { renderMarkdown } from "#platform/markdown/render.js";
import { movedTo } from "#web/context/paths.js";
import { projectPath } from "#web/context/project-path.js";
import { versionPath } from "#web/shared/version-paths.js";
import { texts, textsIn } from "#words/texts.js";
import { HeldVersionPage } from "./held-version.js";
import { listNamedDependencies } from "./named-dependencies.js";
import { filesPerPage, type ShownContents } from "./pack-contents.js";
import { projectPageRoute } from "./project-page.js";
import { Version } from "./version.js";
import { VersionFacts } from "./version-facts.js";

export const versionRoute = projectPageRoute(
  {
    id: "getVersionPage",
    cacheParameters: ["page"],
    below: "/version/:version",
    summary: "A version of a project",
    params: { version: Ref("Version slug or id") },
  },
  async (view, { params, query, reply, viewer, locale }, resources) => {
    const { project, versions } = view;
    const version = findVersion(versions, params.version!);
    if (!version) {
      const held = findVersion(await listHeldForTeam(resources.db, viewer, project.id), params.version!);
      if (!held) throw await missingVersion(resources.db, project.id, params.version!);
      const content = <HeldVersionPage projectSlug={project.slug} version={held} />;
      return { title: held.title, content, side: null, isUnindexed: true };
    }
    if (params.version !== version.slug) return movedTo(reply, versionPath(project.slug, version.slug));
    const { changelog, title } = version.own.value;
    const notes = changelog.trim() === "" ? undefined : await renderMarkdown(changelog, resources.config.http);
    const dependencies = await listNamedDependencies(resources, viewer, version);
    const path = versionPath(project.slug, version.slug);
    const contents = await findContents(resources, viewer, version, { path, page: String(query.page ?? "1") });
    return {
      title,
      way: [
        [textsIn(texts.project.page, locale).tabs.versions, `${projectPath(project.slug)}/versions`],
        [title, path],
      ],
      otherProjects: [...dependencies, ...(contents?.files ?? [])].flatMap(({ project: other }) => other?.id ?? []),
      content: <Version view={view} version={version} notes={notes} dependencies={dependencies} contents={contents} />,
      side: <VersionFacts view={view} version={version} />,
      ...((version.yanked || (contents && contents.page > 1)) && { isUnindexed: true }),
    };
  },
);

/** Pages that do not exist lead to the first one, as unknown parameters do. */
async function findContents(
  resources: Resources,
  viewer: Viewer,
  version: VersionEntry,
  { path, page: wanted }: { path: string; page: string },
): Promise<ShownContents | undefined> {
  const found = packOf(version);
  if (!found) return undefined;
  const pages = Math.max(1, Math.ceil(found.pack.files / filesPerPage));
  const page = /^\d{1,4}$/.test(wanted) && Number(wanted) <= pages ? Math.max(1, Number(wanted)) : 1;
  const files = await listContents(resources, viewer, found, { limit: filesPerPage, page });
  return { pack: found.pack, files, page, pages, path };
}

const missingVersion = async (db: Db, projectId: string, name: string): Promise<Failure> =>
  (await wasPublic(db, { kind: "version", scope: projectId, name })) ? fail.versionGone() : fail.versionNotFound();
