// The reads that launchers make most often, answered from memory: a project, its versions, the latest one, one version.
// Returns undefined for anything that is not public, not in memory or not a plain request. The ordinary route then
// answers, so this file makes answers faster but never different.

import type { KeptAnswers } from "#content/catalog/kept-answers.js";
import { joinArray, type Tagged } from "#content/catalog/ready-bytes.js";
import { Scratch } from "#content/catalog/scratch.js";
import { projectAnswer, projectEntries } from "#content/projects/entries.js";
import { peekProject } from "#content/projects/read.js";
import type { HotRead } from "#platform/http/hot-path.js";
import { maxIds } from "#platform/http/id-list.js";
import type { Resources } from "#platform/http/resources.js";
import { findChannels } from "./channels.js";
import { versionAnswer, versionEntries, versionsAnswer } from "./entries.js";
import { findLatest, findVersion, type VersionFilter } from "./policy.js";

const prefix = "/api/project/";
const bulkPrefix = "/api/projects?ids=";
const scratch = new Scratch();
/** Characters that need no decoding in a path; other paths go to the ordinary route. */
const plain = /^[A-Za-z0-9._+-]{1,64}$/;
/** The same for a query, where a plus sign means a space. */
const plainValue = /^[A-Za-z0-9._-]{1,64}$/;

export function hotRead(resources: Resources, kept: KeptAnswers, url: string): HotRead | undefined {
  const known = kept.find(url);
  if (known) return known;
  if (url.startsWith(bulkPrefix)) return hotBulk(resources, kept, url);
  const found = url.startsWith(prefix) ? hotSingle(resources, url) : undefined;
  return found && kept.keepReference(url, found);
}

function hotSingle(resources: Resources, url: string): Parameters<KeptAnswers["keepReference"]>[1] | undefined {
  const question = url.indexOf("?");
  const path = question < 0 ? url : url.slice(0, question);
  const [ref = "", word, version, ...rest] = path.slice(prefix.length).split("/");
  if (rest.length > 0 || !plain.test(ref) || (word !== undefined && word !== "version")) return undefined;
  const query = question < 0 ? "" : url.slice(question + 1);
  if (query !== "" && version !== "latest") return undefined;
  const project = peekProject(resources, ref);
  if (!project?.isPublic) return undefined;
  const { id } = project;
  if (word === undefined)
    return {
      read: { route: "/api/project/:ref", answer: projectAnswer(project) },
      isCurrent: () => projectEntries(resources).peek(id) === project,
    };
  const versions = versionEntries(resources).peek(id);
  if (!versions) return undefined;
  const isCurrent = () => versionEntries(resources).peek(id) === versions;
  if (version === undefined)
    return { read: { route: "/api/project/:ref/version", answer: versionsAnswer(versions) }, isCurrent };
  const isLatest = version === "latest";
  const filter = isLatest ? latestFilter(query) : undefined;
  if ((isLatest && !filter) || !plain.test(version)) return undefined;
  const found = filter ? findLatest(versions, filter) : findVersion(versions, version);
  if (!found) return undefined;
  const route = `/api/project/:ref/version/${isLatest ? "latest" : ":version"}`;
  return { read: { route, answer: versionAnswer(found) }, isCurrent };
}

/**
 * Several projects by id or slug, if all are in memory and public. It names its rate, because the route has a different
 * quota.
 */
function hotBulk(resources: Resources, kept: KeptAnswers, url: string): HotRead | undefined {
  const refs = url.slice(bulkPrefix.length).split(",");
  if (refs.length > maxIds) return undefined;
  const items = new Map<string, Tagged>();
  for (const ref of refs) {
    const project = plainValue.test(ref) ? peekProject(resources, ref) : undefined;
    if (!project?.isPublic) return undefined;
    items.set(project.id, project.listItem);
  }
  const bulk = { route: "/api/projects", rate: "bulk" } as const;
  if (kept.isRepeated(url)) return kept.keep(url, { ...bulk, answer: joinArray([...items.values()]) });
  const { take, giveBack } = scratch.lend();
  return { ...bulk, answer: joinArray([...items.values()], take), onSent: giveBack };
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
