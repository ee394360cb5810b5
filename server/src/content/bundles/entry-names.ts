// The name of an archive, and names inside it: without folders, so that the files can be extracted into one folder, and
// unique even without regard to case.

/** Only characters that every file system supports; empty if there are none. */
export const toArchiveName = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");

export interface Named {
  name: string;
  /** Prepended if the name is taken. */
  prefix: string;
}

export function toEntryNames(files: readonly Named[], taken: readonly string[] = []): string[] {
  const used = new Set(taken.map((name) => name.toLowerCase()));
  /** The next number to try for each name; lower ones are taken. */
  const nextNumbers = new Map<string, number>();
  const isFree = (candidate: string) => !used.has(candidate.toLowerCase());
  const findFree = ({ name, prefix }: Named): string => {
    const prefixed = `${prefix}-${name}`;
    const simple = [name, prefixed].find(isFree);
    if (simple !== undefined) return simple;
    const key = prefixed.toLowerCase();
    let number = nextNumbers.get(key) ?? 2;
    while (!isFree(`${prefix}-${number}-${name}`)) number++;
    nextNumbers.set(key, number + 1);
    return `${prefix}-${number}-${name}`;
  };
  return files.map((file) => {
    const free = findFree(file);
    used.add(free.toLowerCase());
    return free;
  });
}
