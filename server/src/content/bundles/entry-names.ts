// Names inside of an archive: flat, so that the files can be put into a folder as they are, and no two alike even where
// capital and small letters are the same.

export interface Named {
  name: string;
  /** Put in front where the name is taken. */
  prefix: string;
}

export function toEntryNames(files: readonly Named[], taken: readonly string[] = []): string[] {
  const used = new Set(taken.map((name) => name.toLowerCase()));
  /** The number to try next, by the name that it is put into: those before it are taken. */
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
