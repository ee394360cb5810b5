// The reads that launchers make most often, answered from prepared projects: a project, its versions, the latest one, one
// version, several projects. Returns undefined for anything that is not public, not prepared or not a plain request. The
// ordinary route then answers, so this file makes answers faster but never different.

import { preparedOf } from "#content/catalog/prepared-catalog.js";
import { Scratch } from "#content/catalog/scratch.js";
import { peekCore, peekListItems } from "#content/projects/prepared-items.js";
import { peekProject } from "#content/projects/read.js";
import { type CoreBytes, readCore } from "#content/records/core-pieces.js";
import type { SetFilter } from "#content/records/offered-sets.js";
import { listItemsAnswer, projectAnswer, versionAnswer, versionsAnswer } from "#content/records/prepared-answers.js";
import type { RecordSource } from "#content/records/record-source.js";
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
  try {
    if (url.startsWith(bulkPrefix)) return hotBulk(resources, url);
    return url.startsWith(prefix) ? hotSingle(resources, url) : undefined;
  } catch {
    // A record is damaged. The ordinary route has the project prepared again.
    return undefined;
  }
}

function hotSingle(resources: Resources, url: string): HotRead | undefined {
  const question = url.indexOf("?");
  const path = question < 0 ? url : url.slice(0, question);
  const [ref = "", word, version, ...rest] = path.slice(prefix.length).split("/");
  if (rest.length > 0 || !plain.test(ref) || (word !== undefined && word !== "version")) return undefined;
  const isLatest = version === "latest";
  const query = question < 0 ? "" : url.slice(question + 1);
  const filter = isLatest ? findFilter(query) : undefined;
  if (isLatest ? !filter : query !== "") return undefined;
  const loan = scratch.lend();
  const read = (route: string, answer: HotRead["answer"]): HotRead => ({ route, answer, onSent: loan.giveBack });
  const projectRead = (core: () => CoreBytes, record: RecordSource) =>
    read("/api/project/:ref", projectAnswer(core, record, loan.take));
  const versionRead = (record: RecordSource, block: number) =>
    read(`/api/project/:ref/version/${isLatest ? "latest" : ":version"}`, versionAnswer(record, block, loan.take));

  const { files, sets } = preparedOf(resources);
  const core = word === undefined || isLatest ? peekCore(resources, ref) : undefined;
  if (core && files) {
    const { record, slot } = core;
    if (!filter) return projectRead(() => readCore(core), record);
    const block = files.findUpdate(slot, filter);
    return block ? versionRead(record, block) : undefined;
  }
  const project = peekProject(resources, ref);
  if (!project) return undefined;
  const { source } = project;
  if (word === undefined) return projectRead(() => project.core, source);
  if (version === undefined) return read("/api/project/:ref/version", versionsAnswer(project, undefined, loan.take));
  if (!plain.test(version)) return undefined;
  const ordinal = filter ? project.findFitting(filter, sets) : project.findVersion(version);
  return ordinal < 0 ? undefined : versionRead(source, project.blockOf(ordinal));
}

/** Launchers send the same few filters again and again: so many of them are kept. */
const mostFilters = 200;
const filters = new Map<string, SetFilter>();

/** The filter of a query for the latest version. Undefined for a query that is unusual in any way. */
function findFilter(query: string): SetFilter | undefined {
  const known = filters.get(query);
  if (known) return known;
  const parsed = latestFilter(query);
  if (!parsed) return undefined;
  const filter = toSetFilter(parsed);
  if (filters.size >= mostFilters) filters.clear();
  filters.set(query, filter);
  return filter;
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
