// Answers in Modrinth's form, joined from pieces: one item, a list, the hits of a search, or a map by hash.
import { hashText, type SentHashes } from "#content/version-files/sent-hashes.js";
import type { Joiner, Memory } from "#lib/gzip-join.js";
import { entityTag } from "#platform/http/answers.js";
import { JoinedAnswer } from "#platform/http/joined-answer.js";
import type { Resources } from "#platform/http/resources.js";
import type { Item } from "./items.js";
import { loadPieces, type Piece, peekPieces } from "./pieces.js";

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

const tagOf = ({ kind, content: { high, low, downloads } }: Item): string => `${kind} ${high} ${low} ${downloads}`;
/** Texts between the pieces, for each item. */
const itemSlack = 200;

function lengthOf(pieces: readonly Piece[]): number {
  let length = 0;
  for (const piece of pieces) length += piece.length + itemSlack;
  return length;
}

const texts = {
  none: Buffer.alloc(0),
  list: Buffer.from("["),
  next: Buffer.from(","),
  hits: Buffer.from('{"hits":['),
  map: Buffer.from("{"),
  endOfMap: Buffer.from("}"),
  afterKey: Buffer.from(":"),
  listAfterKey: Buffer.from(":["),
  endOfList: Buffer.from("]"),
};

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
  to.bytes(texts.endOfList);
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

/** Items by hashes, which are written as they were sent: they need no escaping. */
export interface ItemsByHash {
  sent: SentHashes;
  /** The number of each item's hash in `sent`. */
  numbers: readonly number[];
  items: readonly Item[];
}

/** A map, with the item of each hash alone or as a list. No hash may be in two of the parts. */
export function draftMap(parts: readonly ItemsByHash[], { asLists = false } = {}): Draft {
  const afterKey = asLists ? texts.listAfterKey : texts.afterKey;
  return {
    items: parts.length === 1 ? parts[0]!.items : parts.flatMap(({ items }) => items),
    finish: (pieces, memory) =>
      new JoinedAnswer({
        length: lengthOf(pieces),
        join(to) {
          let [before, next] = [texts.map, 0];
          for (const { sent, numbers, items } of parts)
            for (const [index, item] of items.entries()) {
              const at = sent.at[numbers[index]!]!;
              to.bytes(before);
              to.bytes(sent.bytes, at - 1, at + sent.width + 1);
              pieces[next++]!.addTo(to, afterKey, item);
              if (asLists) to.bytes(texts.endOfList);
              before = texts.next;
            }
          if (next === 0) to.bytes(texts.map);
          to.bytes(texts.endOfMap);
        },
        tag: () => entityTag(`map ${asLists} ${parts.flatMap(tagsOf).join("\n")}`),
        memory,
      }),
  };
}

const tagsOf = ({ sent, numbers, items }: ItemsByHash): string[] =>
  items.map((item, index) => hashText(sent, numbers[index]!) + tagOf(item));
