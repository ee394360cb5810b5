// Families ("0.5") and ranges of game versions, which the form ticks as a whole.

/** "0.5.13" belongs to 0.5. */
export const familyOf = (version: string): string => version.split(".").slice(0, 2).join(".");

/** The versions that were ticked, with all of each ticked family. An unknown family stays, and is refused by its name. */
export function withFamilies(
  ticked: readonly string[],
  families: readonly string[],
  known: readonly string[],
): string[] {
  const wanted = new Set(families);
  const found = known.filter((version) => wanted.has(familyOf(version)));
  for (const version of found) wanted.delete(familyOf(version));
  return [...new Set([...ticked, ...found, ...wanted])];
}

/** All versions from one to the other, in either order; `to` may be empty: the newest. An unknown end is refused later. */
export function withRange(ticked: readonly string[], from: string, to: string, known: readonly string[]): string[] {
  if (from === "") return [...ticked];
  const ends = [from, to || known[0]!];
  const [start, end] = ends.map((each) => known.indexOf(each)).sort((a, b) => a - b);
  const found = start === -1 ? ends : known.slice(start, end! + 1);
  return [...new Set([...ticked, ...found])];
}
