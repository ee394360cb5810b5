// Routes of feeds in both formats.
import type { FastifyReply } from "fastify";
import { type SqlBool, sql } from "kysely";
import { findProfile } from "#accounts/users/read.js";
import { findVisibleCollection } from "#community/collections/read.js";
import { isByFollowed } from "#community/follows/authors.js";
import { getOrg } from "#content/organizations/read.js";
import { visibleTo } from "#content/projects/policy.js";
import { getVisibleProject } from "#content/projects/read.js";
import { parseChannels } from "#content/versions/channels.js";
import { collectionPage, organizationPage, projectPage, userPage } from "#lib/page-urls.js";
import { fail } from "#platform/errors.js";
import { sendText } from "#platform/http/answers.js";
import { type Call, type EndpointSpec, type Route, route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { pictureUrl } from "#platform/pictures/read.js";
import { toAtom } from "./atom.js";
import * as contract from "./contract.js";
import { type Feed, type FeedEntry, type FeedFilter, formats, toTag } from "./feed.js";
import { toJsonFeed } from "./json-feed.js";
import { findFeedOwner, isListedAmongThem, listNewProjects, listReleases, maxEntries } from "./read.js";

const newestOf = (entries: FeedEntry[]): FeedEntry[] => entries.sort((a, b) => b.time - a.time).slice(0, maxEntries);

/** A route for a feed about one object; parses the query first. */
const feedRoute = <E extends EndpointSpec>(
  spec: E,
  tell: (call: Call<E>, resources: Resources, filter: FeedFilter) => Promise<Made>,
): Route =>
  route(spec, async (call, resources) => {
    const asked = call as unknown as Asking;
    const { format, filter } = readQuestion(asked);
    return (await send(asked, resources, format, filter, await tell(call, resources, filter))) as never;
  });

export const feedRoutes: Route[] = [
  feedRoute(contract.getReleaseFeed, async (_call, resources, filter) => {
    const { http } = resources.config;
    return {
      ...about(resources, "feed", "releases"),
      title: "New versions",
      description: "New versions of all projects",
      pageUrl: http.url,
      path: "/feeds/releases",
      entries: await listReleases(resources.db, http, filter),
    };
  }),

  feedRoute(contract.getProjectsFeed, async (_call, resources, filter) => {
    const { http } = resources.config;
    return {
      ...about(resources, "feed", "projects"),
      title: "New projects",
      description: "Projects that were published last",
      pageUrl: http.url,
      path: "/feeds/projects",
      entries: await listNewProjects(resources.db, http, filter),
    };
  }),

  feedRoute(contract.getAllFeed, async (_call, resources, filter) => {
    const { http } = resources.config;
    const released = await listReleases(resources.db, http, filter);
    const approved = await listNewProjects(resources.db, http, filter);
    return {
      ...about(resources, "feed", "all"),
      title: "New projects and versions",
      description: "Everything that was published last",
      pageUrl: http.url,
      path: "/feeds/all",
      entries: newestOf([...released, ...approved]),
    };
  }),

  feedRoute(contract.getFollowingFeed, async (call, resources, filter) => {
    const { key } = call.query;
    const owner = await findFeedOwner(resources.db, key);
    if (!owner) throw fail.notFound();
    const { http } = resources.config;
    const isFollowed = sql<SqlBool>`(${isListedAmongThem} and projects.id in (
      select project_id from follows where user_id = ${owner.id}))`;
    return {
      ...about(resources, "feed", `following-${owner.id}`),
      title: `What ${owner.userName} follows`,
      description: "New versions of followed projects, and new projects of followed users and organizations",
      pageUrl: `${http.url}/dashboard/library`,
      path: "/feeds/following",
      key,
      entries: newestOf([
        ...(await listReleases(resources.db, http, filter, isFollowed)),
        ...(await listNewProjects(resources.db, http, filter, isByFollowed(owner.id))),
      ]),
    };
  }),

  feedRoute(contract.getProjectFeed, async (call, resources, filter) => {
    const { params, viewer } = call;
    const { http } = resources.config;
    const { id, slug, project } = await getVisibleProject(resources, viewer, params.ref);
    const isIt = sql<SqlBool>`(projects.id = ${id} and ${visibleTo(viewer)})`;
    return {
      ...about(resources, "project", id, Date.parse(project.datePublished)),
      title: project.name,
      description: project.summary,
      pageUrl: projectPage(http.url, slug),
      path: `/project/${slug}/feed`,
      image: project.icon ?? undefined,
      entries: await listReleases(resources.db, http, filter, isIt),
    };
  }),

  feedRoute(contract.getUserFeed, async (call, resources, filter) => {
    const { http } = resources.config;
    const user = await findProfile(resources.db, call.params.ref);
    if (!user) throw fail.userNotFound();
    const isTheirs = sql<SqlBool>`(${isListedAmongThem} and projects.team_id in (
      select team_id from team_members where user_id = ${user.id} and accepted = 1))`;
    return {
      ...about(resources, "user", user.id, user.date_joined),
      title: user.name ?? user.user_name,
      description: `New versions of projects by ${user.user_name}`,
      pageUrl: userPage(http.url, user.user_name),
      path: `/user/${user.user_name}/feed`,
      image: pictureUrl(http.cdnUrl, "user", user.id, user.avatar_file),
      entries: await listReleases(resources.db, http, filter, isTheirs),
    };
  }),

  feedRoute(contract.getOrganizationFeed, async (call, resources, filter) => {
    const { http } = resources.config;
    const org = await getOrg(resources.db, call.params.ref);
    const isTheirs = sql<SqlBool>`(${isListedAmongThem} and projects.org_id = ${org.id})`;
    return {
      ...about(resources, "organization", org.id, org.date_created),
      title: org.name,
      description: `New versions of projects by ${org.name}`,
      pageUrl: organizationPage(http.url, org.slug),
      path: `/organization/${org.slug}/feed`,
      entries: await listReleases(resources.db, http, filter, isTheirs),
    };
  }),

  feedRoute(contract.getCollectionFeed, async (call, resources, filter) => {
    const { http } = resources.config;
    const collection = await findVisibleCollection(resources.db, call.viewer, call.params.id);
    if (!collection) throw fail.collectionNotFound();
    const isInIt = sql<SqlBool>`(${isListedAmongThem} and projects.id in (
      select project_id from collection_projects where collection_id = ${collection.id}))`;
    return {
      ...about(resources, "collection", collection.id, collection.date_created),
      title: collection.name,
      description: `New versions of the projects in ${collection.name}`,
      pageUrl: collectionPage(http.url, collection.id),
      path: `/collection/${collection.id}/feed`,
      entries: await listReleases(resources.db, http, filter, isInIt),
    };
  }),
];

const about = ({ config }: Resources, kind: string, id: string, begun = 0) => ({
  id: toTag(config.http.url, kind, id),
  begun,
  image: undefined as string | undefined,
});

type Asking = Pick<Call, "request" | "reply"> & {
  params: { format: string };
  query: { gameVersion?: string; loader?: string; releaseChannel?: string; v?: string; l?: string; ch?: string };
};

/** Runs before any look-up: an unknown format is refused even for a missing object. */
function readQuestion({ params, query }: Asking) {
  const format = formats.find((name) => name === params.format);
  if (!format) throw fail.notFound();
  const { gameVersion = query.v, loader = query.l, releaseChannel = query.ch } = query;
  const words = Object.entries({ gameVersion, loader, releaseChannel }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== "",
  );
  const filter: FeedFilter = {
    words: Object.fromEntries(words),
    channels: parseChannels(releaseChannel),
    gameVersions: gameVersion ? [gameVersion] : undefined,
    loader: loader || undefined,
  };
  return { format, filter };
}

interface Made extends Omit<Feed, "time" | "filter"> {
  /** There are no entries before this time. */
  begun: number;
  /** The key that opens it; readers store the URL that the feed names as its own. */
  key?: string;
  entries: FeedEntry[];
}

function send(
  { request, reply }: Asking,
  { config }: Resources,
  format: (typeof formats)[number],
  filter: FeedFilter,
  { key, ...made }: Made,
): Promise<FastifyReply> {
  const words = key === undefined ? filter.words : { key, ...filter.words };
  const feed: Feed = { ...made, filter: { ...filter, words }, time: made.entries[0]?.time ?? made.begun };
  const [type, text] =
    format === "atom"
      ? ["application/atom+xml", toAtom(feed, config.http.url, config.look.name)]
      : ["application/feed+json", toJsonFeed(feed, config.http.url)];
  return sendText(request, reply.type(`${type}; charset=utf-8`), text);
}
