// Look-ups by hash for callers who see only public projects: the index names projects, and the headers of prepared
// projects say which version has the file. Gives the same versions as read.ts.
import type { HashAlgorithm } from "#content/catalog/file-projects.js";
import { fingerprintKeyOf } from "#content/catalog/fingerprint-secret.js";
import { hashIndexOf } from "#content/catalog/hash-index.js";
import type { SetFilter } from "#content/catalog/offered-sets.js";
import { preparedOf } from "#content/catalog/prepared-catalog.js";
import type { PreparedProject } from "#content/catalog/prepared-project.js";
import { toSetFilter } from "#content/versions/policy.js";
import type { Memory } from "#lib/gzip-join.js";
import { entityTag } from "#platform/http/answers.js";
import { JoinedAnswer } from "#platform/http/joined-answer.js";
import type { Resources } from "#platform/http/resources.js";
import { findProjectsByFile } from "./file-owners.js";
import type { HashQuery } from "./read.js";
import { hashText, isSameHash, type SentHashes, toSentHashes } from "./sent-hashes.js";

/** Quotes, commas, `downloads` and its value, for each version. */
const itemSlack = 40;

/** Everything in a query besides the hashes. */
export interface QueryPlan {
  algorithm: HashAlgorithm;
  /** If set, finds the latest matching version of each file's project. */
  filter: SetFilter | undefined;
}

/** A query with hashes in the form in which they are found and sent back. */
export interface PreparedQuery extends QueryPlan {
  sent: SentHashes;
}

export const toPlan = ({ algorithm, update }: HashQuery): QueryPlan => ({
  algorithm,
  filter: update && toSetFilter(update),
});

export const toPreparedQuery = (resources: Resources, query: HashQuery): PreparedQuery => ({
  ...toPlan(query),
  sent: toSentHashes(fingerprintKeyOf(resources), query.algorithm, query.hashes),
});

export interface FoundVersion {
  /** The number of the hash in the query. */
  index: number;
  project: PreparedProject;
  ordinal: number;
}

export interface FoundVersions {
  sent: SentHashes;
  /** In the order of the hashes; each hash once. */
  versions: readonly FoundVersion[];
}

/** Where look-ups get their data. Undefined: it is not known now. `Ref` identifies a project. */
interface Sources<Ref> {
  /** The projects that may have the file with this number. */
  projects(index: number): readonly Ref[] | undefined;
  /** Null if the project is not public. */
  project(ref: Ref): PreparedProject | null | undefined;
}

/** Unknown hashes are left out. */
export const findPreparedByHashes = async (resources: Resources, query: PreparedQuery): Promise<FoundVersions> =>
  peekByHashes(resources, query) ?? find(resources, query, await load(resources, query))!;

/** The same if nothing has to be loaded. */
export function peekByHashes(resources: Resources, query: PreparedQuery): FoundVersions | undefined {
  const [index, prepared] = [hashIndexOf(resources), preparedOf(resources)];
  const { sent } = query;
  const { fingerprints } = sent;
  return find(resources, query, {
    projects: index.hasReadAllHashes
      ? (n) => index.projectsWithFingerprint(fingerprints[2 * n]!, fingerprints[2 * n + 1]!)
      : (n) => index.projectsWith(hashText(sent, n)),
    project: (number: number) => prepared.peekNumbered(number),
  });
}

async function load(resources: Resources, { algorithm, sent }: PreparedQuery): Promise<Sources<string>> {
  const hashes = sent.at.map((_, index) => hashText(sent, index));
  const found = await findProjectsByFile(resources, algorithm, hashes);
  const projects = await preparedOf(resources).load([...new Set([...found.values()].flat())]);
  return { projects: (index) => found.get(hashes[index]!) ?? [], project: (id) => projects.get(id) ?? null };
}

/** Undefined as soon as something is not known. */
function find<Ref>(resources: Resources, query: PreparedQuery, sources: Sources<Ref>): FoundVersions | undefined {
  const { sent, filter } = query;
  const { sets } = preparedOf(resources);
  const known = new KnownHashes(sent);
  const versions: FoundVersion[] = [];
  for (let index = 0; index < sent.at.length; index++) {
    const refs = sources.projects(index);
    if (!refs) return undefined;
    if (refs.length === 0) continue;
    const [high, low] = [sent.fingerprints[2 * index]!, sent.fingerprints[2 * index + 1]!];
    let newest: FoundVersion | undefined;
    for (const ref of refs) {
      const project = sources.project(ref);
      if (project === undefined) return undefined;
      const ordinal = project === null ? -1 : project.findByFile(high, low);
      if (ordinal < 0 || (newest && !isNewer(project!, ordinal, newest))) continue;
      newest = { index, project: project!, ordinal };
    }
    if (!newest) continue;
    if (filter) newest.ordinal = newest.project.findFitting(filter, sets);
    if (newest.ordinal >= 0 && known.add(index)) versions.push(newest);
  }
  return { sent, versions };
}

/** A file in several projects belongs to the newest version, as in file-owners.ts. */
function isNewer(project: PreparedProject, ordinal: number, than: FoundVersion): boolean {
  const [date, other] = [project.datePublished(ordinal), than.project.datePublished(than.ordinal)];
  return date > other || (date === other && project.versionId(ordinal) < than.project.versionId(than.ordinal));
}

const texts = {
  first: Buffer.from("{"),
  next: Buffer.from(","),
  afterHash: Buffer.from(":"),
  end: Buffer.from("}"),
};

/** A map from each hash to its version. Hashes are hexadecimal, so they need no escaping. */
export function versionsByHashAnswer({ sent, versions }: FoundVersions, memory?: Memory): JoinedAnswer {
  let length = 2;
  for (const { project, ordinal } of versions)
    length += sent.width + itemSlack + project.versionLength(ordinal, "byHash");
  return new JoinedAnswer({
    length,
    join(to) {
      let before = texts.first;
      for (const { index, project, ordinal } of versions) {
        const at = sent.at[index]!;
        to.bytes(before);
        to.bytes(sent.bytes, at - 1, at + sent.width + 1);
        project.addVersion(to, texts.afterHash, ordinal, "byHash");
        before = texts.next;
      }
      if (versions.length === 0) to.bytes(texts.first);
      to.bytes(texts.end);
    },
    tag: () =>
      entityTag(
        versions.map(({ index, project, ordinal }) => hashText(sent, index) + project.versionTag(ordinal)).join(" "),
      ),
    memory,
  });
}

/** The hashes of a query that were found before: an answer must not contain a key twice. */
class KnownHashes {
  readonly #sent: SentHashes;
  /** A hash table with numbers of hashes plus one. */
  readonly #slots: Uint16Array;

  constructor(sent: SentHashes) {
    this.#sent = sent;
    let size = 64;
    while (size < 2 * sent.at.length) size *= 2;
    this.#slots = new Uint16Array(size);
  }

  /** Returns false if the same characters were added before. */
  add(index: number): boolean {
    const [slots, sent] = [this.#slots, this.#sent];
    const low = sent.fingerprints[2 * index + 1]!;
    for (let slot = low % slots.length; ; slot = (slot + 1) % slots.length) {
      const known = slots[slot]!;
      if (known === 0) {
        slots[slot] = index + 1;
        return true;
      }
      if (sent.fingerprints[2 * known - 1] === low && isSameHash(sent, known - 1, index)) return false;
    }
  }
}
