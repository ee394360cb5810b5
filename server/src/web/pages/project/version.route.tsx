// The routes of the page in version.tsx.
import { wasPublic } from "#content/projects/missing.js";
import { findVersion } from "#content/versions/policy.js";
import { listHeldForTeam } from "#moderation/quarantine/team-versions.js";
import type { Db } from "#platform/db/tables.js";
import { type Failure, fail } from "#platform/errors.js";
import { Ref } from "#platform/http/schemas.js";
import { renderMarkdown } from "#platform/markdown/render.js";
import { movedTo } from "#web/context/paths.js";
import { projectPath } from "#web/context/project-path.js";
import { versionPath } from "#web/shared/version-paths.js";
import { texts, textsIn } from "#words/texts.js";
import { HeldVersionPage } from "./held-version.js";
import { listNamedDependencies } from "./named-dependencies.js";
import { projectPageRoute } from "./project-page.js";
import { Version } from "./version.js";
import { VersionFacts } from "./version-facts.js";

export const versionRoute = projectPageRoute(
  {
    id: "getVersionPage",
    cacheParameters: [],
    below: "/version/:version",
    summary: "A version of a project",
    params: { version: Ref("Version slug or id") },
  },
  async (view, { params, reply, viewer, locale }, resources) => {
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
    return {
      title,
      way: [
        [textsIn(texts.project.page, locale).tabs.versions, `${projectPath(project.slug)}/versions`],
        [title, versionPath(project.slug, version.slug)],
      ],
      otherProjects: dependencies.flatMap(({ project: other }) => (other ? [other.id] : [])),
      content: <Version view={view} version={version} notes={notes} dependencies={dependencies} />,
      side: <VersionFacts view={view} version={version} />,
      ...(version.yanked && { isUnindexed: true }),
    };
  },
);

const missingVersion = async (db: Db, projectId: string, name: string): Promise<Failure> =>
  (await wasPublic(db, { kind: "version", scope: projectId, name })) ? fail.versionGone() : fail.versionNotFound();
