// Answers that are joined from prepared projects. Their tags are made of those of the parts and of the figures, because
// hashing the whole answer would cost more than sending it.
import type { Joiner, Memory } from "#lib/gzip-join.js";
import { entityTag } from "#platform/http/answers.js";
import { JoinedAnswer } from "#platform/http/joined-answer.js";
import { addPiece, type CoreBytes, pieceLength, projectTag } from "./core-pieces.js";
import type { ListItems } from "./list-items.js";
import type { Form } from "./prepared-format.js";
import type { PreparedProject } from "./prepared-project.js";
import { addBlock, blockTag, versionLengthOf } from "./prepared-version.js";
import type { RecordSource } from "./record-source.js";

/** Texts before pieces, as bytes. */
const openings = {
  project: Buffer.from('{"success":true,"project":'),
  version: Buffer.from('{"success":true,"data":'),
  list: Buffer.from("["),
  hits: Buffer.from('{"hits":['),
  next: Buffer.from(","),
  none: Buffer.alloc(0),
};

/** Texts between the pieces of a list, for each item. */
const itemSlack = 40;

/** `{"success":true,"project":…}`. `core` is called whenever the core is needed: its bytes may be replaced in between. */
export const projectAnswer = (core: () => CoreBytes, record: RecordSource, memory?: Memory): JoinedAnswer =>
  new JoinedAnswer({
    length: pieceLength(core(), "project"),
    join(to) {
      addPiece(to, openings.project, core(), record, "project");
      to.text("}");
    },
    tag: () => projectTag(core()),
    memory,
  });

/** `{"success":true,"data":…}` with the version in this block (toBlockRef). */
export const versionAnswer = (record: RecordSource, block: number, memory?: Memory): JoinedAnswer =>
  new JoinedAnswer({
    length: versionLengthOf(record, block, "own"),
    join(to) {
      addBlock(to, openings.version, record, block, "own");
      to.text("}");
    },
    tag: () => blockTag(record, block),
    memory,
  });

/** One version without a wrapper. */
export const bareVersionAnswer = (project: PreparedProject, ordinal: number, form: Form): JoinedAnswer =>
  new JoinedAnswer({
    length: project.versionLength(ordinal, form),
    join: (to) => project.addVersion(to, openings.none, ordinal, form),
    tag: () => `${form}.${project.versionTag(ordinal)}`,
  });

/** The same for a version whose place is known. */
export const blockAnswer = (record: RecordSource, block: number, form: Form): JoinedAnswer =>
  new JoinedAnswer({
    length: versionLengthOf(record, block, form),
    join: (to) => addBlock(to, openings.none, record, block, form),
    tag: () => `${form}.${blockTag(record, block)}`,
  });

/** `{"success":true,"data":[…]}` with all versions, or some of them. */
export function versionsAnswer(
  project: PreparedProject,
  chosen: Iterable<number> = Array(project.versionCount).keys(),
  memory?: Memory,
): JoinedAnswer {
  const ordinals = [...chosen];
  return new JoinedAnswer({
    length: itemSlack * ordinals.length + project.versionsLength(ordinals, "own"),
    join(to) {
      to.text('{"success":true,"data":[');
      project.addVersions(to, ordinals, "own");
      to.text("]}");
    },
    tag: () =>
      ordinals.length === project.versionCount
        ? entityTag(Buffer.concat([project.digest, project.figures]))
        : entityTag(`versions ${ordinals.map((each) => project.versionTag(each)).join(" ")}`),
    memory,
  });
}

/** An array of list items. */
export const listItemsAnswer = (items: ListItems, memory?: Memory): JoinedAnswer =>
  new JoinedAnswer({
    length: lengthOf(items),
    join: (to) => addItems(to, openings.list, items),
    tag: () => entityTag(items.tags()),
    memory,
  });

/**
 * The result of a search: `{"hits":[…]`, the other fields as JSON, and the time that the search took, which does not change
 * the tag.
 */
export const hitsAnswer = (items: ListItems, fields: string, processingTimeMs: number, memory?: Memory): JoinedAnswer =>
  new JoinedAnswer({
    length: lengthOf(items) + fields.length,
    join(to) {
      addItems(to, openings.hits, items);
      to.text(`,${fields.slice(1, -1)},"processingTimeMs":${processingTimeMs}}`);
    },
    tag: () => entityTag(Buffer.concat([items.tags(), Buffer.from(fields)])),
    memory,
  });

function addItems(to: Joiner, before: Buffer, items: ListItems): void {
  if (items.count === 0) to.bytes(before);
  for (let index = 0; index < items.count; index++) items.addTo(to, index, index === 0 ? before : openings.next);
  to.text("]");
}

const lengthOf = (items: ListItems): number => items.length + itemSlack * items.count;

/** A map from the id of each project to some of its versions. */
export function versionListsAnswer(
  lists: readonly { project: PreparedProject; ordinals: readonly number[] }[],
): JoinedAnswer {
  let length = 2;
  for (const { project, ordinals } of lists)
    length += itemSlack * (1 + ordinals.length) + project.versionsLength(ordinals, "bulk");
  return new JoinedAnswer({
    length,
    join(to) {
      to.text("{");
      for (const [index, { project, ordinals }] of lists.entries()) {
        to.text(`${index === 0 ? "" : ","}${JSON.stringify(project.id)}:[`);
        project.addVersions(to, ordinals, "bulk");
        to.text("]");
      }
      to.text("}");
    },
    tag: () =>
      entityTag(
        lists
          .map(({ project, ordinals }) => `${project.id} ${ordinals.map((each) => project.versionTag(each)).join(" ")}`)
          .join("\n"),
      ),
  });
}
