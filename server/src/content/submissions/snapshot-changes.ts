// The differences between two snapshots of a project, for moderators who have seen the first.
import { compareLines, type DiffLine } from "#lib/line-diff.js";
import { type Snapshot, type SnapshotField, snapshotFields } from "./snapshot.js";

export interface SnapshotChanges {
  fields: { field: SnapshotField; before: string; after: string }[];
  /** Lines of the description around the differences; empty if there are none. */
  description: DiffLine[];
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
    description: compareLines(before.description, after.description).parts.flat(),
    addedPictures: lacking(after.gallery, before.gallery, picture).map(({ name }) => name),
    removedPictures: lacking(before.gallery, after.gallery, picture).map(({ name }) => name),
    addedFiles: lacking(after.files, before.files, file),
    removedFiles: lacking(before.files, after.files, file),
  };
}

export const isUnchanged = (changes: SnapshotChanges): boolean =>
  Object.values(changes).every((list: readonly unknown[]) => list.length === 0);
