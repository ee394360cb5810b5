// Look-ups by hash for callers who see only public projects: the index leads to the bytes of the version, or at least to
// prepared projects, whose tables say which version has the file. Gives the same versions as read.ts.

import { preparedOf } from "#content/catalog/prepared-catalog.js";
import type { HashAlgorithm } from "#content/hashes/file-projects.js";
import { fingerprintKeyOf } from "#content/hashes/fingerprint-secret.js";
import { hashIndexOf } from "#content/hashes/hash-index.js";
import type { SetFilter } from "#content/records/offered-sets.js";
import { expectedBytes, positionOf } from "#content/records/prepared-format.js";
import type { PreparedProject } from "#content/records/prepared-project.js";
import { addBlock, blockTag } from "#content/records/prepared-version.js";
import type { RecordSource } from "#content/records/record-source.js";
import { toSetFilter } from "#content/versions/policy.js";
import type { Memory } from "#lib/gzip-join.js";
import { entityTag } from "#platform/http/answers.js";
import { JoinedAnswer } from "#platform/http/joined-answer.js";
import type { Resources } from "#platform/http/resources.js";
import { findProjectsByFile } from "./file-owners.js";
import type { HashQuery } from "./read.js";
import { hashText, isSameHash, type SentHashes, toSentHashes } from "./sent-hashes.js";
import { SoughtHashes } from "./sought-hashes.js";

/** Quotes, commas, `downloads` and its value, for each version. */
const itemSlack = 40;
/** How much longer pieces are than their deflated form, about. */
const plainFactor = 2;

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

/** Where a version is. */
export interface FoundVersion {
  /** The number of the hash in the query. */
  index: number;
  record: RecordSource;
  /** In the record (toBlockRef). */
  block: number;
}

export interface FoundVersions {
  sent: SentHashes;
  /** In the order of the hashes; each hash once. */
  versions: readonly FoundVersion[];
}

/** Unknown hashes are left out. */
export async function findPreparedByHashes(resources: Resources, query: PreparedQuery): Promise<FoundVersions> {
  const known = await peekAndReadAhead(resources, query);
  if (known) return known;
  const { algorithm, sent } = query;
  const hashes = sent.at.map((_, index) => hashText(sent, index));
  const found = await findProjectsByFile(resources, algorithm, hashes);
  const projects = await preparedOf(resources).load([...new Set([...found.values()].flat())]);
  return collect(
    sent,
    (index) => findIn(resources, query, index, found.get(hashes[index]!) ?? [], (id) => projects.get(id) ?? null)!,
  )!;
}

async function peekAndReadAhead(resources: Resources, query: PreparedQuery): Promise<FoundVersions | undefined> {
  const found = peekByHashes(resources, query);
  if (!found || !preparedOf(resources).pace.isSlow) return found;
  const { versions } = found;
  for (let from = 0; from < versions.length; from += readAtOnce)
    await Promise.all(
      versions
        .slice(from, from + readAtOnce)
        .map(({ record, block }) => record.readAhead(positionOf(block, record.length), expectedBytes(block))),
    );
  // Projects may have changed by now.
  return peekByHashes(resources, query);
}

/** Other requests also need the threads that read. */
const readAtOnce = 16;

const sought = new SoughtHashes();

/** The same if nothing has to be loaded. */
export function peekByHashes(resources: Resources, query: PreparedQuery): FoundVersions | undefined {
  const [index, prepared] = [hashIndexOf(resources), preparedOf(resources)];
  const { files } = prepared;
  const { sent, filter } = query;
  const peek = (number: number) => prepared.peekNumbered(number);
  if (!files || !index.hasReadAllHashes)
    return collect(sent, (n) => findIn(resources, query, n, index.projectsWith(hashText(sent, n)), peek));
  sought.seekAll(index, files, sent, filter !== undefined);
  let hasChanged = false;
  return collect(sent, (n) => {
    if (hasChanged) sought.seekAgain(index, files, sent, n);
    const [count, slot] = [sought.counts[n]!, sought.slots[n]!];
    if (count === 0) return null;
    const record = count === 1 ? files.find(slot) : undefined;
    if (record) {
      const block = sought.blocks[n]!;
      if (block === 0) return null;
      if (!filter) return { index: n, record, block };
      const update = files.findUpdate(slot, filter);
      return update === undefined ? undefined : update === 0 ? null : { index: n, record, block: update };
    }
    const [high, low] = [sent.fingerprints[2 * n]!, sent.fingerprints[2 * n + 1]!];
    const found = findIn(resources, query, n, index.projectsWithFingerprint(high, low), peek);
    if (found) {
      files.learn(slot);
      hasChanged = true;
    }
    return found;
  });
}

/** Undefined as soon as something is not known. `find` returns null for hashes of no version. */
function collect(
  sent: SentHashes,
  find: (index: number) => FoundVersion | null | undefined,
): FoundVersions | undefined {
  known.begin(sent);
  const versions: FoundVersion[] = [];
  for (let index = 0; index < sent.at.length; index++) {
    const found = find(index);
    if (found === undefined) return undefined;
    if (found !== null && known.add(index)) versions.push(found);
  }
  return { sent, versions };
}

/**
 * Finds the version in the tables of the projects that may have the file. `project` returns null for a project that is not
 * public, and undefined for one that is not known now.
 */
function findIn<Ref>(
  resources: Resources,
  { sent, filter }: PreparedQuery,
  index: number,
  refs: readonly Ref[] | undefined,
  project: (ref: Ref) => PreparedProject | null | undefined,
): FoundVersion | null | undefined {
  if (!refs) return undefined;
  const [high, low] = [sent.fingerprints[2 * index]!, sent.fingerprints[2 * index + 1]!];
  let newest: { project: PreparedProject; ordinal: number } | undefined;
  for (const ref of refs) {
    const one = project(ref);
    if (one === undefined) return undefined;
    const ordinal = one === null ? -1 : one.findByFile(high, low);
    if (one === null || ordinal < 0) continue;
    if (!newest || isNewer(one, ordinal, newest)) newest = { project: one, ordinal };
  }
  if (!newest) return null;
  const ordinal = filter ? newest.project.findFitting(filter, preparedOf(resources).sets) : newest.ordinal;
  return ordinal < 0 ? null : { index, record: newest.project.source, block: newest.project.blockOf(ordinal) };
}

/** A file in several projects belongs to the newest version, as in file-owners.ts. */
function isNewer(
  project: PreparedProject,
  ordinal: number,
  than: { project: PreparedProject; ordinal: number },
): boolean {
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
  for (const { block } of versions) length += sent.width + itemSlack + plainFactor * expectedBytes(block);
  return new JoinedAnswer({
    length,
    join(to) {
      let before = texts.first;
      for (const { index, record, block } of versions) {
        const at = sent.at[index]!;
        to.bytes(before);
        to.bytes(sent.bytes, at - 1, at + sent.width + 1);
        addBlock(to, texts.afterHash, record, block, "byHash");
        before = texts.next;
      }
      if (versions.length === 0) to.bytes(texts.first);
      to.bytes(texts.end);
    },
    tag: () =>
      entityTag(versions.map(({ index, record, block }) => hashText(sent, index) + blockTag(record, block)).join(" ")),
    memory,
  });
}

/** The hashes of a query that were found before: an answer must not contain a key twice. One query at a time. */
class KnownHashes {
  #sent: SentHashes | undefined;
  /** A hash table with numbers of hashes plus one; allocating it for each query would take as long as using it. */
  #slots = new Uint16Array(512);
  /** For as many hashes as the query has. */
  #size = 0;

  begin(sent: SentHashes): void {
    this.#sent = sent;
    this.#size = 64;
    while (this.#size < 2 * sent.at.length) this.#size *= 2;
    if (this.#size > this.#slots.length) this.#slots = new Uint16Array(this.#size);
    else this.#slots.fill(0, 0, this.#size);
  }

  /** Returns false if the same characters were added before. */
  add(index: number): boolean {
    const [slots, sent, last] = [this.#slots, this.#sent!, this.#size - 1];
    const low = sent.fingerprints[2 * index + 1]!;
    // The size is a power of two.
    for (let slot = low & last; ; slot = (slot + 1) & last) {
      const known = slots[slot]!;
      if (known === 0) {
        slots[slot] = index + 1;
        return true;
      }
      if (sent.fingerprints[2 * known - 1] === low && isSameHash(sent, known - 1, index)) return false;
    }
  }
}

const known = new KnownHashes();
