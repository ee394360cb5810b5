// A page of a project as a route: finds the project, redirects to its canonical URL, and adds header, tabs and side
// column to the page's own content.

import type { FastifyReply, FastifyRequest } from "fastify";
import Type, { type TProperties } from "typebox";
import { projectRef } from "#content/projects/contract.js";
import { isWithheldForLegalReasons, wasPublic } from "#content/projects/missing.js";
import { findProjectId } from "#content/projects/read.js";
import type { Children } from "#lib/jsx-runtime.js";
import { type Failure, fail } from "#platform/errors.js";
import { type Access, readable } from "#platform/http/access.js";
import type { EndpointSpec, Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import { useFrame } from "#web/context/frame.js";
import { movedTo, pathOf } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { projectPath } from "#web/context/project-path.js";
import { typeWords } from "#web/context/project-types.js";
import { useTexts } from "#web/context/texts.js";
import type { Page, PageMeta } from "#web/frame/layout.js";
import { pageRoute } from "#web/frame/page.js";
import { ButtonLink } from "#web/parts/button.js";
import { Icon } from "#web/parts/icon.js";
import { toBreadcrumbs } from "#web/parts/json-ld.js";
import { type Tab, Tabs } from "#web/parts/tabs.js";
import { explainMissing } from "#web/shared/explain-missing.js";
import {
  canonicalUrl,
  getPageView,
  getProjectView,
  type PageView,
  type ProjectView,
} from "#web/shared/project-view.js";
import type { Query } from "#web/shared/version-filter.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import { FollowLine } from "./follow-button.js";
import { Banners, ProjectHeader } from "./project-header.js";
import type { RequiredProject } from "./required-projects.js";
import { Compatibility, SideColumn } from "./side-column.js";

/** The scopes that read the public parts of a project. */
export const readsProject = readable("project_read", "version_read");

export interface ProjectCall {
  request: FastifyRequest;
  reply: FastifyReply;
  viewer: Viewer;
  params: Record<string, string>;
  /** Not validated: pages ignore unknown parameters. */
  query: Query;
  locale: Locale;
}

export interface ProjectPage extends Omit<PageMeta, "title" | "description"> {
  /** Shown before the project's name; empty on the project's main page. */
  title: string;
  status?: number;
  content: Children;
  /** The ids of other projects that the page shows more of than a tile. */
  otherProjects?: readonly string[];
  /** The ids of projects that it shows only as tiles, without the required ones. */
  tiles?: readonly string[];
  /** The projects that its newest version requires, for the side column. */
  requires?: readonly RequiredProject[];
  /** Replaces the project's side column; null for none. */
  side?: Children;
  /** Excluded from search engines. */
  isUnindexed?: boolean;
  /** The breadcrumbs from the project to the page: names and paths. By default only the page itself. */
  way?: readonly (readonly [name: string, path: string])[];
}

interface Spec extends Pick<EndpointSpec, "id" | "summary"> {
  /** The path after the project: "/versions". */
  below: string;
  params?: TProperties;
  access?: Access;
  rate?: EndpointSpec["rate"];
  /** Cached for guests, with these parameters and no others. The page must only show data of the catalogue. */
  cacheParameters?: readonly string[];
}

type Show<View> = (view: View, call: ProjectCall, resources: Resources) => Promise<ProjectPage | FastifyReply>;
type GetView<View> = (resources: Resources, viewer: Viewer, ref: string) => Promise<View>;

/** A page that shows everything about a project's versions. */
export const projectPageRoute = (spec: Spec, show: Show<ProjectView>): Route => routeOf(spec, getProjectView, show);

/** A page that shows no more of a version than tables do. For guests it is made from prepared answers. */
export const plainProjectPageRoute = (spec: Spec, show: Show<PageView>): Route => routeOf(spec, getPageView, show);

const routeOf = <View extends PageView>(
  { below, params = {}, ...spec }: Spec,
  getView: GetView<View>,
  show: Show<View>,
): Route =>
  pageRoute(
    {
      access: readsProject as Access,
      ...spec,
      path: `/project/:ref${below}`,
      params: Type.Object({ ...projectRef.properties, ...params }),
      errors: ["projectNotFound", "projectGone", "projectBarred"],
    },
    async ({ request, reply, viewer, params: given }, resources) => {
      const known = given as Record<string, string>;
      const view = await getViewOrGone(getView, resources, viewer, known.ref!);
      if (known.ref !== view.entry.slug) return movedTo(reply, canonicalUrl(request, view.entry.slug));
      const call = { request, reply, viewer, params: known, query: request.query as Query, locale: localeOf(request) };
      const page = await show(view, call, resources);
      // A redirect is undefined here (see isPage).
      if (!page || !("content" in page)) return page;
      return toProjectPage(view, withWay(page, pathOf(request)), call.locale);
    },
  );

/** By default the way from the project to the page is only the page itself. */
export const withWay = (page: ProjectPage, path: string): ProjectPage => ({
  way: page.title === "" ? [] : [[page.title, path]],
  ...page,
});

/** A project that was public is reported as gone. */
const getViewOrGone = <View,>(
  getView: GetView<View>,
  resources: Resources,
  viewer: Viewer,
  ref: string,
): Promise<View> =>
  explainMissing(
    "projectNotFound",
    () => getView(resources, viewer, ref),
    async () => {
      const { db, config } = resources;
      const id = await findProjectId(resources, ref);
      if (id !== undefined) return (await isWithheldForLegalReasons(db, id)) ? barredBy(config.http.url) : undefined;
      return (await wasPublic(db, { kind: "project", scope: "", name: ref })) ? fail.projectGone() : undefined;
    },
  );

/** Names the site that blocks it, for programs too (RFC 7725). */
function barredBy(siteUrl: string): Failure {
  const failure = fail.projectBarred();
  failure.headers.link = `<${siteUrl}>; rel="blocked-by"`;
  return failure;
}

/** Only listed and archived projects; unlisted ones are for people with the link. */
const isIndexed = ({ entry, project }: PageView): boolean =>
  entry.isPublic && ["listed", "archived"].includes(project.visibility);

export function toProjectPage(
  view: PageView,
  { title, content, otherProjects = [], requires = [], side, isUnindexed, jsonLd = [], way = [], ...meta }: ProjectPage,
  locale: Locale,
): Page {
  const { project, siteUrl } = view;
  const shown = [project.id, ...otherProjects];
  const tiles = [...(meta.tiles ?? []), ...requires.map(({ id }) => id)].filter((id) => !shown.includes(id));
  const isCounted = view.entry.isPublic && !view.isMember && (meta.status ?? 200) === 200;
  const t = textsIn(texts.project.page, locale);
  const path = projectPath(project.slug);
  const [type = ""] = project.type;
  const { typeNames, typePath } = typeWords(view.taxonomy, locale);
  const address = encodeURIComponent(`${siteUrl}${path}`);
  return {
    title: title === "" ? project.name : `${title} · ${project.name}`,
    ...(isIndexed(view) && !isUnindexed && { description: project.summary }),
    image: `/og/project/${project.id}.png`,
    feeds: [
      { href: `${path}/feed.atom`, type: "application/atom+xml", title: `${project.name}: ${t.feed}` },
      { href: `${path}/feed.json`, type: "application/feed+json", title: `${project.name}: ${t.feed}` },
      { href: `/oembed?url=${address}`, type: "application/json+oembed", title: project.name },
    ],
    ...meta,
    section: type,
    viewed: isCounted ? project.id : undefined,
    projects: [...shown, ...tiles],
    tiles,
    jsonLd: [...jsonLd, toBreadcrumbs(siteUrl, [[typeNames(type), typePath(type)], [project.name, path], ...way])],
    content: (
      <ProjectFrame view={view} requires={requires} side={side}>
        {content}
      </ProjectFrame>
    ),
  };
}

interface FrameProps {
  view: PageView;
  requires: readonly RequiredProject[];
  side?: Children;
  children: Children;
}

const ProjectFrame = ({ view, requires, side, children }: FrameProps) => (
  <div class="project stack">
    <ProjectHeader view={view} />
    <FollowLine view={view} />
    <Banners view={view} />
    <ProjectTabs view={view} />
    <div class={side === null ? "project-body wide" : "project-body"}>
      {side === undefined && (
        <div class="project-fit">
          <Compatibility view={view} />
        </div>
      )}
      <div class="project-main stack">{children}</div>
      {side !== null && <aside class="project-side">{side ?? <SideColumn view={view} requires={requires} />}</aside>}
    </div>
    <DownloadBar view={view} />
  </div>
);

/** Shown at the bottom of the screen on phones. */
const DownloadBar = ({ view: { project, versions } }: { view: PageView }) => {
  const t = useTexts(texts.project.page);
  const { path } = useFrame();
  const href = `${projectPath(project.slug)}/download`;
  if (versions.length === 0 || path === href) return null;
  return (
    <p class="download-bar">
      <ButtonLink href={href}>
        <Icon name="download" /> {t.download}
      </ButtonLink>
    </p>
  );
};

const ProjectTabs = ({ view: { project, versions, permissions } }: { view: PageView }) => {
  const t = useTexts(texts.project.page);
  const path = projectPath(project.slug);
  const { gallery } = project;
  const tabs: Tab[] = [
    { href: path, text: t.tabs.description },
    // An empty gallery is only useful to members who can add pictures.
    ...(gallery.length > 0 || permissions.has("edit_details")
      ? [{ href: `${path}/gallery`, text: t.tabs.gallery, count: gallery.length }]
      : []),
    { href: `${path}/changelog`, text: t.tabs.changelog },
    { href: `${path}/versions`, text: t.tabs.versions, count: versions.length, below: `${path}/version/` },
    { href: `${path}/dependents`, text: t.tabs.dependents },
    { href: `${path}/stats`, text: t.tabs.stats },
  ];
  return <Tabs label={t.sections} tabs={tabs} />;
};
