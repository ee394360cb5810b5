// Look-ups by hash for callers who see only public projects: the index names projects, and the headers of prepared
// projects say which version has the file. Gives the same versions as read.ts.
import type { HashAlgorithm } from "#content/catalog/file-projects.js";
import { fingerprintKeyOf } from "#content/catalog/fingerprint-secret.js";
import { hashIndexOf } from "#content/catalog/hash-index.js";
import { preparedOf } from "#content/catalog/prepared-catalog.js";
import type { PreparedProject } from "#content/catalog/prepared-project.js";
import { toSetFilter } from "#content/versions/policy.js";
import type { Memory } from "#lib/gzip-join.js";
import { entityTag } from "#platform/http/answers.js";
import { JoinedAnswer } from "#platform/http/joined-answer.js";
import type { Resources } from "#platform/http/resources.js";
import { findProjectsByFile } from "./file-owners.js";
import type { HashQuery } from "./read.js";

const widths: Record<HashAlgorithm, number> = { sha1: 40, sha512: 128 };
/** Quotes, commas, `downloads` and its value, for each version. */
const itemSlack = 40;

export interface FoundVersion {
  project: PreparedProject;
  ordinal: number;
}

/** By hash as sent, in that order. */
export type FoundVersions = ReadonlyMap<string, FoundVersion>;

/** Where look-ups get their data. Undefined: it is not known now. */
interface Sources {
  projectIds(hash: string): readonly string[] | undefined;
  /** Null if the project is not public. */
  project(id: string): PreparedProject | null | undefined;
}

/** Unknown and malformed hashes are left out. */
export const findPreparedByHashes = async (resources: Resources, query: HashQuery): Promise<FoundVersions> =>
  peekByHashes(resources, query) ?? find(resources, query, await load(resources, query))!;

/** The same if nothing has to be loaded. */
export function peekByHashes(resources: Resources, query: HashQuery): FoundVersions | undefined {
  const [index, prepared] = [hashIndexOf(resources), preparedOf(resources)];
  return find(resources, query, {
    projectIds: (hash) => index.projectsWith(hash)?.map((number) => index.idOf(number)),
    project: (id) => prepared.peek(id) ?? (prepared.places.isHidden(id) ? null : undefined),
  });
}

async function load(resources: Resources, { algorithm, hashes }: HashQuery): Promise<Sources> {
  const found = await findProjectsByFile(resources, algorithm, hashes);
  const projects = await preparedOf(resources).load([...new Set([...found.values()].flat())]);
  return { projectIds: (hash) => found.get(hash) ?? [], project: (id) => projects.get(id) ?? null };
}

/** Undefined as soon as something is not known. */
function find(resources: Resources, query: HashQuery, sources: Sources): FoundVersions | undefined {
  const { algorithm, hashes, update } = query;
  const key = fingerprintKeyOf(resources);
  const filter = update && toSetFilter(update);
  const { sets } = preparedOf(resources);
  const found = new Map<string, FoundVersion>();
  for (const sent of hashes) {
    if (sent.length !== widths[algorithm]) continue;
    const ids = sources.projectIds(sent);
    if (!ids) return undefined;
    if (ids.length === 0 || !key.readHex(sent)) continue;
    const { high, low } = key;
    let newest: FoundVersion | undefined;
    for (const id of ids) {
      const project = sources.project(id);
      if (project === undefined) return undefined;
      const ordinal = project === null ? -1 : project.findByFile(high, low);
      if (ordinal < 0 || (newest && !isNewer(project!, ordinal, newest))) continue;
      newest = { project: project!, ordinal };
    }
    if (!newest) continue;
    const ordinal = filter ? newest.project.findFitting(filter, sets) : newest.ordinal;
    if (ordinal >= 0) found.set(sent, { project: newest.project, ordinal });
  }
  return found;
}

/** A file in several projects belongs to the newest version, as in file-owners.ts. */
function isNewer(project: PreparedProject, ordinal: number, than: FoundVersion): boolean {
  const [date, other] = [project.datePublished(ordinal), than.project.datePublished(than.ordinal)];
  return date > other || (date === other && project.versionId(ordinal) < than.project.versionId(than.ordinal));
}

/** A map from each hash to its version. Hashes are hexadecimal, so they need no escaping. */
export function versionsByHashAnswer(found: FoundVersions, memory?: Memory): JoinedAnswer {
  let length = 2;
  for (const [hash, { project, ordinal }] of found)
    length += hash.length + itemSlack + project.versionLength(ordinal, "byHash");
  return new JoinedAnswer({
    length,
    join(to) {
      let before = "{";
      for (const [hash, { project, ordinal }] of found) {
        project.addVersion(to, `${before}"${hash}":`, ordinal, "byHash");
        before = ",";
      }
      to.text(found.size === 0 ? "{}" : "}");
    },
    tag: () =>
      entityTag([...found].map(([hash, { project, ordinal }]) => hash + project.versionTag(ordinal)).join(" ")),
    memory,
  });
}
