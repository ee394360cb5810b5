// Answers in Modrinth's form, joined from pieces that are kept compressed. A piece is made from the prepared answer about
// a public project or version, once for each content: downloads change often, and are written before it.
import { constants, inflateRawSync } from "node:zlib";
import type { PreparedProject } from "#content/records/prepared-project.js";
import { beginItem, blockContent, blockText } from "#content/records/prepared-version.js";
import type { RecordSource } from "#content/records/record-source.js";
import type { Project } from "#content/shapes/project.js";
import type { Version } from "#content/shapes/version.js";
import { type DeflatedPiece, deflatePiece, type Joiner, type Memory } from "#lib/gzip-join.js";
import { inSlices } from "#lib/slices.js";
import { perServer } from "#platform/changes/server-memory.js";
import { entityTag } from "#platform/http/answers.js";
import { JoinedAnswer } from "#platform/http/joined-answer.js";
import type { Resources } from "#platform/http/resources.js";
import { toModrinthHit, toModrinthProject, toModrinthVersion } from "./mapping.js";

/** Something that is shown in Modrinth's form. */
export interface Item {
  /** Identifies its content without downloads. */
  key: string;
  downloads: number;
  /** Its first field is `downloads`. */
  make(): object;
}

export const projectItem = (project: PreparedProject): Item => ({
  key: `project ${project.digest.toString("latin1")}`,
  downloads: project.downloads,
  make: () => toModrinthProject(readProject(project), listOffered(project)),
});

export const hitItem = (project: PreparedProject): Item => ({
  key: `hit ${project.digest.toString("latin1")}`,
  downloads: project.downloads,
  make: () => toModrinthHit(readProject(project)),
});

export interface VersionForm {
  changelog: boolean;
}

const whole: VersionForm = { changelog: true };

export const versionItem = (project: PreparedProject, ordinal: number, form = whole): Item => ({
  key: versionKey(project.versionDigest(ordinal), form),
  downloads: project.downloadsOf(ordinal),
  make: () => readVersion(project.source, project.blockOf(ordinal), form),
});

/** The same for a version whose place is known (content/records/prepared-format.ts). */
export function blockItem(record: RecordSource, block: number): Item {
  const { digest, downloads } = blockContent(record, block);
  return { key: versionKey(digest, whole), downloads, make: () => readVersion(record, block, whole) };
}

const versionKey = (digest: string, { changelog }: VersionForm): string =>
  `${changelog ? "version" : "short version"} ${digest}`;

const readProject = (project: PreparedProject): Project => JSON.parse(project.pieceText("project")) as Project;

const readVersion = (record: RecordSource, block: number, form: VersionForm): object =>
  toModrinthVersion(JSON.parse(blockText(record, block, "bulk")) as Version, form);

/** Ids of the versions that are not withdrawn, newest first. */
const listOffered = (project: PreparedProject): string[] =>
  Array.from({ length: project.versionCount }, (_, ordinal) => ordinal)
    .filter((ordinal) => !project.hasFlag(ordinal, "yanked"))
    .map((ordinal) => project.versionId(ordinal));

const cacheOf = perServer(({ memory }: Resources) => memory.createCache<Piece>({ name: "modrinth" }));

/** An item without its first field. It is kept deflated, and also as plain bytes once they are requested. */
class Piece {
  readonly deflated: DeflatedPiece;
  readonly #onGrown: (piece: Piece) => void;
  #plain: Buffer | undefined;

  constructor(deflated: DeflatedPiece, onGrown: (piece: Piece) => void) {
    this.deflated = deflated;
    this.#onGrown = onGrown;
  }

  /** The memory that it takes. */
  get bytes(): number {
    return this.deflated.bytes.length + (this.#plain?.length ?? 0) + pieceOverhead;
  }

  get length(): number {
    return this.deflated.length;
  }

  get plain(): Buffer {
    if (this.#plain) return this.#plain;
    this.#plain = inflateRawSync(this.deflated.bytes, { finishFlush: constants.Z_SYNC_FLUSH });
    this.#onGrown(this);
    return this.#plain;
  }

  /** Adds the item, after the given text. */
  addTo(to: Joiner, before: Buffer, { downloads }: Item): void {
    beginItem(to, before, downloads);
    const bytes = to.isDeflated ? this.deflated.bytes : this.plain;
    const at = to.piece(bytes.length, this.length, this.deflated.crc);
    to.buffer.set(bytes, at);
  }
}

/** The memory of a piece besides its bytes. */
const pieceOverhead = 300;
/** A step takes about a microsecond (lib/slices.ts): making a piece takes so many, and some for its bytes. */
const pieceSteps = 200;
const bytesPerStep = 40;

/** Undefined if a piece is not kept. */
function peekPieces(resources: Resources, items: readonly Item[]): Piece[] | undefined {
  const cache = cacheOf(resources);
  const pieces: Piece[] = [];
  for (const { key } of items) {
    const piece = cache.get(key);
    if (!piece) return undefined;
    pieces.push(piece);
  }
  return pieces;
}

/** Pieces that are not kept are made in slices, so that long lists do not hold up other requests. */
function loadPieces(resources: Resources, items: readonly Item[]): Promise<Piece[]> {
  const cache = cacheOf(resources);
  return inSlices(
    (function* make() {
      const pieces: Piece[] = [];
      for (const item of items) {
        let piece = cache.get(item.key);
        if (!piece) {
          const keep = (made: Piece) => cache.set(item.key, made, made.bytes);
          piece = new Piece(deflate(item), keep);
          keep(piece);
          yield pieceSteps + Math.ceil(piece.length / bytesPerStep);
        }
        pieces.push(piece);
      }
      return pieces;
    })(),
  );
}

function deflate({ make }: Item): DeflatedPiece {
  const text = JSON.stringify(make());
  return deflatePiece(Buffer.from(text.slice(text.indexOf(",") + 1)));
}

const tagOf = ({ key, downloads }: Item): string => `${key} ${downloads}`;
/** Texts between the pieces, for each item. */
const itemSlack = 200;
const lengthOf = (pieces: readonly Piece[]): number => pieces.reduce((sum, { length }) => sum + length + itemSlack, 0);

const texts = {
  none: Buffer.alloc(0),
  list: Buffer.from("["),
  next: Buffer.from(","),
  hits: Buffer.from('{"hits":['),
};

/** An answer whose pieces are still to be found or made. */
export interface Draft {
  items: readonly Item[];
  /** `pieces` are those of the items, in the same order. */
  finish(pieces: readonly Piece[], memory: Memory | undefined): JoinedAnswer;
}

/** Undefined if pieces must be made for it. */
export function answerNow(resources: Resources, draft: Draft, memory?: Memory): JoinedAnswer | undefined {
  const pieces = peekPieces(resources, draft.items);
  return pieces && draft.finish(pieces, memory);
}

export const answer = async (resources: Resources, draft: Draft, memory?: Memory): Promise<JoinedAnswer> =>
  answerNow(resources, draft, memory) ?? draft.finish(await loadPieces(resources, draft.items), memory);

export const draftOne = (item: Item): Draft => ({
  items: [item],
  finish: ([piece], memory) =>
    new JoinedAnswer({
      length: piece!.length + itemSlack,
      join: (to) => piece!.addTo(to, texts.none, item),
      tag: () => entityTag(tagOf(item)),
      memory,
    }),
});

function addList(to: Joiner, opening: Buffer, items: readonly Item[], pieces: readonly Piece[]): void {
  if (items.length === 0) to.bytes(opening);
  for (const [index, item] of items.entries()) pieces[index]!.addTo(to, index === 0 ? opening : texts.next, item);
  to.text("]");
}

export const draftList = (items: readonly Item[]): Draft => ({
  items,
  finish: (pieces, memory) =>
    new JoinedAnswer({
      length: lengthOf(pieces),
      join: (to) => addList(to, texts.list, items, pieces),
      tag: () => entityTag(`list ${items.map(tagOf).join("\n")}`),
      memory,
    }),
});

/** `{"hits":[…]` and the other fields of a search. */
export function draftHits(items: readonly Item[], rest: object): Draft {
  const fields = JSON.stringify(rest).slice(1);
  return {
    items,
    finish: (pieces, memory) =>
      new JoinedAnswer({
        length: lengthOf(pieces) + fields.length,
        join(to) {
          addList(to, texts.hits, items, pieces);
          to.text(`,${fields}`);
        },
        tag: () => entityTag(`hits ${fields}\n${items.map(tagOf).join("\n")}`),
        memory,
      }),
  };
}

/** A map, with the items of each key alone or as a list. Keys are hashes, which need no escaping. */
export function draftMap(entries: ReadonlyMap<string, Item>, { asLists = false } = {}): Draft {
  const items = [...entries.values()];
  const [open, close] = asLists ? ["[", "]"] : ["", ""];
  return {
    items,
    finish: (pieces, memory) =>
      new JoinedAnswer({
        length: lengthOf(pieces),
        join(to) {
          let index = 0;
          to.text("{");
          for (const [key, item] of entries) {
            to.text(`${index === 0 ? "" : ","}"${key}":${open}`);
            pieces[index++]!.addTo(to, texts.none, item);
            to.text(close);
          }
          to.text("}");
        },
        tag: () => entityTag(`map ${asLists} ${Array.from(entries, ([key, item]) => key + tagOf(item)).join("\n")}`),
        memory,
      }),
  };
}
