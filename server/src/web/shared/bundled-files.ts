// The files of a plan as they go into an archive.
import type { BundledFile } from "#content/bundles/send-bundle.js";
import { projectEntries } from "#content/projects/entries.js";
import type { Plan } from "#content/resolve/shapes.js";
import { versionEntries } from "#content/versions/entries.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";

/** In the order of the plan. What was deleted since it was made is a reason to begin anew. */
export async function toBundledFiles(resources: Resources, plan: Plan): Promise<BundledFile[]> {
  const versions = await versionEntries(resources).load(plan.files.map(({ project }) => project.id));
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
  const projects = await projectEntries(resources).load(files.map(({ projectId }) => projectId));
  return files.every(({ projectId }) => projects.get(projectId)?.isPublic ?? false);
}
