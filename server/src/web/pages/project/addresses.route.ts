// Other paths that lead to a project's pages: with its type, as similar sites used to have them, and the newest version
// for a set-up.
import Type from "typebox";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { findLatest } from "#content/versions/policy.js";
import { fail } from "#platform/errors.js";
import { open } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { movedTo } from "#web/context/paths.js";
import { projectTypes, typeWords } from "#web/context/project-types.js";
import { pageRoute } from "#web/frame/page.js";
import { channelsUpTo, readChoice } from "#web/shared/version-filter.js";
import { versionPath } from "#web/shared/version-paths.js";
import { projectPageRoute } from "./project-page.js";

/** "resource-pack" → "moveResourcePack" */
const idOf = (type: string): string =>
  `move${type.replace(/(?:^|-)(\w)/g, (_match, letter: string) => letter.toUpperCase())}`;

/** "/mod/better-grass/versions" → "/project/better-grass/versions", which checks whether the project exists. */
const typedRoutes = projectTypes.map((type) =>
  pageRoute(
    {
      id: idOf(type),
      path: `/${type}/*`,
      access: open,
      summary: `The former address of a ${type}`,
      params: Type.Object({ path: Type.String({ maxLength: 600, examples: ["better-grass"] }) }),
    },
    async ({ params, request, reply }, resources) => {
      const { typePath } = typeWords(await getTaxonomy(resources), "en");
      const rest = request.url.slice(`/${type}/`.length).replace(/\/version(?=$|\?)/, "/versions");
      return movedTo(reply, params.path === "" ? typePath(type) : `/project/${rest}`);
    },
  ),
);

export const addressRoutes: Route[] = [
  ...typedRoutes,
  projectPageRoute(
    {
      id: "getLatestVersionPage",
      below: "/version/latest",
      summary: "The newest version of a project that fits",
    },
    async ({ project, versions }, { query, reply }) => {
      const { gameVersion, loader, channel } = readChoice(query);
      const filter = { gameVersions: gameVersion ? [gameVersion] : undefined, loader };
      const found = channel
        ? findLatest(versions, { ...filter, channels: channelsUpTo(channel) })
        : // By default a release, if there is one.
          (findLatest(versions, { ...filter, channels: channelsUpTo("release") }) ?? findLatest(versions, filter));
      if (!found) throw fail.versionNotFound();
      return reply.redirect(versionPath(project.slug, found.slug), 302);
    },
  ),
];
