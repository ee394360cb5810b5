// The route that lists what a pack contains.
import type { VersionEntry } from "#content/versions/entries.js";
import { getVisibleVersion } from "#content/versions/read.js";
import { fail } from "#platform/errors.js";
import { type Route, route } from "#platform/http/endpoint.js";
import * as contract from "./contract.js";
import { type Contained, listContents, packOf } from "./read.js";

export const packRoutes: Route[] = [
  route(contract.getPackContents, async ({ params, query, viewer }, resources) => {
    const { version } = await getVisibleVersion(resources, viewer, params.ref, params.version);
    const found = packOf(version);
    if (!found) throw fail.packNotFound();
    const { limit = contract.pageLimits.usual, page = 1 } = query;
    const contents = await listContents(resources, viewer, found, { limit, page });
    const { format, gameVersion, loaders, own, files } = found.pack;
    return {
      ...{ format, gameVersion, loaders, limit, page },
      files: contents.map(toFile),
      ownFiles: own,
      total: files,
    };
  }),
];

function toFile({ file, project, version, update }: Contained): contract.ContainedFile {
  const { is_inside, ...shown } = file;
  return {
    ...shown,
    isInside: is_inside === 1,
    project: project ? toProject(project.listItem.value) : null,
    version: version ? toVersion(version) : null,
    update: update ? toVersion(update) : null,
  };
}

const toProject = ({ id, slug, name, icon }: NonNullable<contract.ContainedFile["project"]>) => ({
  ...{ id, slug, name, icon },
});

const toVersion = ({ id, slug, versionNumber }: VersionEntry) => ({ id, slug, versionNumber });
