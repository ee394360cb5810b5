// The reads that launchers make most often, answered from prepared projects: a project, its versions, the latest one, one
// version, several projects. Returns undefined for anything that is not public, not prepared or not a plain request. The
// ordinary route then answers, so this file makes answers faster but never different.

import { preparedOf } from "#content/catalog/prepared-catalog.js";
import { Scratch } from "#content/catalog/scratch.js";
import { peekListItems } from "#content/projects/prepared-items.js";
import { peekProject } from "#content/projects/read.js";
import type { SetFilter } from "#content/records/offered-sets.js";
import { listItemsAnswer, projectAnswer, versionAnswer, versionsAnswer } from "#content/records/prepared-answers.js";
import type { PreparedProject } from "#content/records/prepared-project.js";
import type { HotRead } from "#platform/http/hot-path.js";
import { maxIds } from "#platform/http/id-list.js";
import type { Resources } from "#platform/http/resources.js";
import { findChannels } from "./channels.js";
import { toSetFilter, type VersionFilter } from "./policy.js";

const prefix = "/api/project/";
const bulkPrefix = "/api/projects?ids=";
const scratch = new Scratch();
/** Characters that need no decoding in a path; other paths go to the ordinary route. */
const plain = /^[A-Za-z0-9._+-]{1,64}$/;
/** The same for a query, where a plus sign means a space. */
const plainValue = /^[A-Za-z0-9._-]{1,64}$/;

/** The answer is in lent memory, so it may be sent only once. */
export function hotRead(resources: Resources, url: string): HotRead | undefined {
  if (url.startsWith(bulkPrefix)) return hotBulk(resources, url);
  return url.startsWith(prefix) ? hotSingle(resources, url) : undefined;
}

function hotSingle(resources: Resources, url: string): HotRead | undefined {
  const question = url.indexOf("?");
  const path = question < 0 ? url : url.slice(0, question);
  const [ref = "", word, version, ...rest] = path.slice(prefix.length).split("/");
  if (rest.length > 0 || !plain.test(ref) || (word !== undefined && word !== "version")) return undefined;
  const query = question < 0 ? "" : url.slice(question + 1);
  if (query !== "" && version !== "latest") return undefined;
  const project = peekProject(resources, ref);
  if (!project) return undefined;
  const loan = scratch.lend();
  const read = (route: string, answer: HotRead["answer"]): HotRead => ({ route, answer, onSent: loan.giveBack });
  if (word === undefined) return read("/api/project/:ref", projectAnswer(project, loan.take));
  if (version === undefined) return read("/api/project/:ref/version", versionsAnswer(project, undefined, loan.take));
  if (!plain.test(version)) return undefined;
  const isLatest = version === "latest";
  const ordinal = isLatest ? findLatest(resources, project, query) : project.findVersion(version);
  if (ordinal < 0) return undefined;
  return read(
    `/api/project/:ref/version/${isLatest ? "latest" : ":version"}`,
    versionAnswer(project, ordinal, loan.take),
  );
}

/** Launchers send the same few filters again and again: so many of them are kept. */
const mostFilters = 200;
const filters = new Map<string, SetFilter>();

function findLatest(resources: Resources, project: PreparedProject, query: string): number {
  let filter = filters.get(query);
  if (!filter) {
    const parsed = latestFilter(query);
    if (!parsed) return -1;
    filter = toSetFilter(parsed);
    if (filters.size >= mostFilters) filters.clear();
    filters.set(query, filter);
  }
  return project.findFitting(filter, preparedOf(resources).sets);
}

/** Several projects by id or slug. It names its rate, because the route has a different quota. */
function hotBulk(resources: Resources, url: string): HotRead | undefined {
  const refs = url.slice(bulkPrefix.length).split(",");
  if (refs.length > maxIds) return undefined;
  const items = refs.every((ref) => plainValue.test(ref)) ? peekListItems(resources, refs) : undefined;
  if (!items) return undefined;
  const loan = scratch.lend();
  const answer = listItemsAnswer(items, loan.take);
  return { route: "/api/projects", rate: "bulk", answer, onSent: loan.giveBack };
}

const filterKeys: ReadonlySet<string> = new Set(["releaseChannel", "loader", "gameVersion"]);

/** Undefined for a query that is unusual in any way. */
function latestFilter(query: string): VersionFilter | undefined {
  const given = new Map<string, string>();
  for (const pair of query === "" ? [] : query.split("&")) {
    const equals = pair.indexOf("=");
    const [key, value] = [pair.slice(0, equals), pair.slice(equals + 1)];
    if (equals < 1 || given.has(key) || !plainValue.test(value)) return undefined;
    // Parameters that the route ignores must not create more cache entries for the same answer.
    if (!filterKeys.has(key)) return undefined;
    given.set(key, value);
  }
  const channels = findChannels(given.get("releaseChannel") ?? "release");
  const gameVersion = given.get("gameVersion");
  return (
    channels && {
      channels,
      loader: given.get("loader"),
      gameVersions: gameVersion === undefined ? undefined : [gameVersion],
    }
  );
}
