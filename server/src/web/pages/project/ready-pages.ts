// The pages of a project that guests open most, made from its prepared answers without waiting for anything.
import { hash } from "node:crypto";
import { peekProject } from "#content/projects/read.js";
import type { PreparedProject } from "#content/records/prepared-project.js";
import { liveIndexOf } from "#discovery/search/live-index.js";
import type { Resources } from "#platform/http/resources.js";
import type { SafeHtml } from "#platform/markdown/render.js";
import type { FindReadyPage } from "#web/frame/hot-pages.js";
import type { StoredKind } from "#web/frame/page-maker.js";
import type { ShownOthers, Storable } from "#web/frame/stored-pages.js";
import { type PageView, toGuestView } from "#web/shared/project-view.js";
import type { Locale } from "#words/languages.js";
import { toDescriptionPage } from "./description.route.js";
import { type ProjectPage, toProjectPage, withWay } from "./project-page.js";
import { peekTiles } from "./project-tiles.js";
import { authorOf, findOfAuthor, peekRelated } from "./related-projects.js";
import { peekRequired } from "./required-projects.js";
import { toVersionsPage } from "./versions.route.js";

type Show = (view: PageView, resources: Resources, locale: Locale) => ProjectPage | undefined;

/** By the path below the project. */
const pages: ReadonlyMap<string, Show> = new Map<string, Show>([
  ["", showDescription],
  ["/versions", (view, _resources, locale) => toVersionsPage(view, {}, locale)],
]);

/** A description that could not be prepared is rendered by the ordinary route. */
function showDescription(view: PageView, resources: Resources): ProjectPage | undefined {
  const { description = "" as SafeHtml, project } = view;
  if (description === "" && project.description.trim() !== "") return undefined;
  const requires = peekRequired(resources, view);
  const related = requires && peekRelated(resources, view);
  return related && toDescriptionPage(view, description, { requires, related }, resources);
}

/** The main page shows no figures of versions. */
const toStorable = (resources: Resources, { details: { id }, downloads }: PreparedProject): Storable => ({
  projectId: id,
  downloads,
  shown: shownOn(resources, id),
});

const shownOn = (resources: Resources, projectId: string): ShownOthers => ({
  ofAuthor: (author) => findOfAuthor(resources, projectId, author)?.join(),
  ofTiles(ids) {
    const tiles = ids.map(peekTiles(resources));
    return tiles.includes(undefined) ? undefined : hash("sha256", JSON.stringify(tiles), "base64url");
  },
});

const prefix = "/project/";
/** Slugs with other characters, and URLs with parameters, are left to the ordinary route. */
const plainPath = /^([a-z0-9._-]{1,64})(\/[a-z]+)?$/;

export const findReadyPage: FindReadyPage = (resources, url) => {
  if (!url.startsWith(prefix)) return undefined;
  const [, slug = "", below = ""] = plainPath.exec(url.slice(prefix.length)) ?? [];
  const show = pages.get(below);
  const project = show && slug !== "" ? peekProject(resources, slug) : undefined;
  // The ordinary route redirects from ids and earlier slugs.
  if (!show || project?.details.slug !== slug) return undefined;
  return {
    route: `/project/:ref${below}`,
    rate: "read",
    storable: below === "" ? toStorable(resources, project) : undefined,
    make(frame, { taxonomy }, downloads) {
      const view = toGuestView(resources, project, taxonomy);
      if (downloads !== undefined) view.project = { ...view.project, downloads };
      const page = show(view, resources, frame.locale);
      if (!page) return undefined;
      return { ...toProjectPage(view, withWay(page, frame.path), frame.locale), author: authorOf(view.project) };
    },
  };
};

/** For the pages that are stored (web/frame/page-maker.ts). */
export const projectPages: StoredKind = {
  isReady: (resources) => liveIndexOf(resources).known !== undefined,
  find: findReadyPage,
  urlOf: ({ details }) => prefix + details.slug,
  shownOn,
};
