// Names inside of an archive: flat, so that the files can be put into a folder as they are, and no two alike even where
// capital and small letters are the same.

export interface Named {
  name: string;
  /** Put in front where the name is taken. */
  prefix: string;
}

export function toEntryNames(files: readonly Named[], taken: readonly string[] = []): string[] {
  const used = new Set(taken.map((name) => name.toLowerCase()));
  return files.map(({ name, prefix }) => {
    const candidates = [name, `${prefix}-${name}`];
    for (let number = 2; number <= files.length + 2; number++) candidates.push(`${prefix}-${number}-${name}`);
    const free = candidates.find((candidate) => !used.has(candidate.toLowerCase()))!;
    used.add(free.toLowerCase());
    return free;
  });
}
