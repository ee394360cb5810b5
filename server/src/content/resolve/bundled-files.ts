// The files of a plan as entries of an archive or a pack.
import type { BundledFile } from "#content/bundles/send-bundle.js";
import { projectEntries } from "#content/projects/entries.js";
import { versionEntries } from "#content/versions/entries.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import type { Plan } from "./shapes.js";

export interface BundledPlan {
  /** In the order of the plan. */
  files: BundledFile[];
  /** Whether everyone may download all of them. */
  isPublic: boolean;
}

/** If a file was deleted since the plan was made, the caller has to start again. */
export async function bundlePlan(resources: Resources, plan: Plan): Promise<BundledPlan> {
  const ids = plan.files.map(({ project }) => project.id);
  const [versions, projects] = [await versionEntries(resources).load(ids), await projectEntries(resources).load(ids)];
  const files = plan.files.map(({ project, version, file: { url } }) => {
    const owner = projects.get(project.id);
    const entry = versions.get(project.id)?.find(({ id }) => id === version.id);
    const file = entry?.files[0];
    if (!owner || !entry || !file) throw fail.versionNotFound();
    return {
      projectId: project.id,
      projectSlug: project.slug,
      projectName: project.name,
      projectTypes: owner.project.type,
      clientSide: owner.project.clientSide,
      serverSide: owner.project.serverSide,
      versionId: entry.id,
      versionNumber: entry.versionNumber,
      loaders: [...entry.loaders],
      datePublished: entry.datePublished,
      file,
      url,
    };
  });
  return { files, isPublic: ids.every((id) => projects.get(id)?.isPublic) };
}
