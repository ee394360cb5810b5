// The differences between two snapshots of a project, for moderators who have seen the first.
import { type Snapshot, type SnapshotField, snapshotFields } from "./snapshot.js";

export interface TextLine {
  kind: "same" | "added" | "removed";
  text: string;
}

export interface SnapshotChanges {
  fields: { field: SnapshotField; before: string; after: string }[];
  /** Lines of the description around the differences; empty if there are none. */
  description: TextLine[];
  addedPictures: string[];
  removedPictures: string[];
  addedFiles: Snapshot["files"];
  removedFiles: Snapshot["files"];
}

export function findChanges(before: Snapshot, after: Snapshot): SnapshotChanges {
  const lacking = <T>(these: readonly T[], those: readonly T[], keyOf: (one: T) => string): T[] => {
    const known = new Set(those.map(keyOf));
    return these.filter((one) => !known.has(keyOf(one)));
  };
  const picture = ({ id, name }: Snapshot["gallery"][number]) => `${id} ${name}`;
  const file = ({ version, name, sha512 }: Snapshot["files"][number]) => `${version}\n${name}\n${sha512}`;
  return {
    fields: snapshotFields
      // Stored snapshots lack the fields that were added later.
      .map((field) => ({ field, before: before.fields[field] ?? "", after: after.fields[field] ?? "" }))
      .filter((change) => change.before !== change.after),
    description: before.description === after.description ? [] : compareLines(before.description, after.description),
    addedPictures: lacking(after.gallery, before.gallery, picture).map(({ name }) => name),
    removedPictures: lacking(before.gallery, after.gallery, picture).map(({ name }) => name),
    addedFiles: lacking(after.files, before.files, file),
    removedFiles: lacking(before.files, after.files, file),
  };
}

export const isUnchanged = (changes: SnapshotChanges): boolean =>
  Object.values(changes).every((list: readonly unknown[]) => list.length === 0);

/** Lines that are shown around a difference. */
const around = 2;
/** With more pairs of lines than this, both texts are shown completely, because comparing would take too long. */
const mostPairs = 4_000_000;

/** A line diff by longest common subsequence; lines far from a difference are left out. */
export function compareLines(before: string, after: string): TextLine[] {
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < Math.min(old.length, fresh.length) && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, fresh.length) - start && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  const middle = compareMiddle(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end));
  const same = (text: string): TextLine => ({ kind: "same", text });
  const whole = [
    ...fresh.slice(Math.max(0, start - around), start).map(same),
    ...middle,
    ...fresh.slice(fresh.length - end, fresh.length - end + around).map(same),
  ];
  const isNear = (at: number) =>
    whole.slice(Math.max(0, at - around), at + around + 1).some(({ kind }) => kind !== "same");
  return whole.filter((_, at) => isNear(at));
}

function compareMiddle(old: readonly string[], fresh: readonly string[]): TextLine[] {
  const removed = (text: string): TextLine => ({ kind: "removed", text });
  const added = (text: string): TextLine => ({ kind: "added", text });
  if (old.length * fresh.length > mostPairs) return [...old.map(removed), ...fresh.map(added)];
  const lengths = commonLengths(old, fresh);
  const width = fresh.length + 1;
  const lines: TextLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < fresh.length) {
    if (old[i] === fresh[j]) {
      lines.push({ kind: "same", text: old[i]! });
      i++;
      j++;
    } else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) lines.push(removed(old[i++]!));
    else lines.push(added(fresh[j++]!));
  }
  return [...lines, ...old.slice(i).map(removed), ...fresh.slice(j).map(added)];
}

/** For each pair of start lines, the length of the longest common subsequence of the rests. */
function commonLengths(old: readonly string[], fresh: readonly string[]): Uint32Array {
  const width = fresh.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        old[i] === fresh[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
  return lengths;
}
