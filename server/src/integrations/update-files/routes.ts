// Routes of update files. They are for programs without credentials, so everyone gets the same answer.
import { getVisibleProject } from "#content/projects/read.js";
import { parseChannels } from "#content/versions/channels.js";
import { fileUrl, versionEntries } from "#content/versions/entries.js";
import { matches, type VersionFilter } from "#content/versions/policy.js";
import { projectPage } from "#lib/page-urls.js";
import { sendText } from "#platform/http/answers.js";
import { type Call, type Route, route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { anonymous } from "#platform/http/viewer.js";
import * as contract from "./contract.js";
import { newestByGameVersion, toForgeUpdates } from "./update-files.js";

export const updateFileRoutes: Route[] = [
  route(contract.getForgeUpdates, async ({ params, query, request, reply }, resources) => {
    const { neoforge } = query;
    const loaders = neoforge === "only" ? ["neoforge"] : neoforge === "include" ? ["forge", "neoforge"] : ["forge"];
    const filter = { loaders: new Set(loaders), channels: parseChannels("alpha") };
    const { slug, versions } = await readOffered(resources, params.ref, filter);
    return send({ request, reply }, toForgeUpdates(projectPage(resources.config.http.url, slug), versions));
  }),

  route(contract.getModUpdates, async ({ params, query, request, reply }, resources) => {
    const { loader, releaseChannel = "release", mod } = query;
    const filter = { loader, channels: parseChannels(releaseChannel) };
    const { id, versions } = await readOffered(resources, params.ref, filter);
    const newest = [...newestByGameVersion(versions)];
    if (mod !== undefined) {
      const numbers = newest.map(([gameVersion, { versionNumber }]) => [gameVersion, versionNumber]);
      // Notify takes the star for game versions that are not listed.
      const first = versions[0] && { "*": versions[0].versionNumber };
      return send({ request, reply }, { [mod]: { ...Object.fromEntries(numbers), ...first } });
    }
    const { cdnUrl } = resources.config.http;
    const files = newest.map(([gameVersion, version]) => [
      gameVersion,
      { version: version.versionNumber, downloadUrl: fileUrl(cdnUrl, id, version.id, version.files[0]!.name) },
    ]);
    return send({ request, reply }, Object.fromEntries(files));
  }),
];

/** A public project and its versions that match. Withdrawn and quarantined ones are left out. */
async function readOffered(resources: Resources, ref: string, filter: VersionFilter) {
  const { id, slug } = await getVisibleProject(resources, anonymous, ref);
  const versions = (await versionEntries(resources).load([id])).get(id) ?? [];
  return { id, slug, versions: versions.filter((version) => !version.yanked && matches(version, filter)) };
}

const send = ({ request, reply }: Pick<Call, "request" | "reply">, content: object) =>
  sendText(request, reply.type("application/json; charset=utf-8"), JSON.stringify(content));
