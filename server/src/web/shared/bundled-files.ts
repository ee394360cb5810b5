// The files of a plan as they go into an archive.
import type { BundledFile } from "#content/bundles/send-bundle.js";
import { catalogOf } from "#content/catalog/catalog.js";
import type { Plan } from "#content/resolve/shapes.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";

/** In the order of the plan. What was deleted since it was made is a reason to begin anew. */
export async function toBundledFiles(resources: Resources, plan: Plan): Promise<BundledFile[]> {
  const versions = await catalogOf(resources).getVersions(plan.files.map(({ project }) => project.id));
  return plan.files.map(({ project, version, file: { url } }) => {
    const entry = versions.get(project.id)?.find(({ id }) => id === version.id);
    const file = entry?.files[0];
    if (!entry || !file) throw fail.versionNotFound();
    return {
      projectId: project.id,
      projectSlug: project.slug,
      projectName: project.name,
      versionId: entry.id,
      versionNumber: entry.versionNumber,
      datePublished: entry.datePublished,
      file,
      url,
    };
  });
}

export async function arePublic(resources: Resources, files: readonly BundledFile[]): Promise<boolean> {
  const projects = await catalogOf(resources).getProjects(files.map(({ projectId }) => projectId));
  return files.every(({ projectId }) => projects.get(projectId)?.isPublic ?? false);
}
