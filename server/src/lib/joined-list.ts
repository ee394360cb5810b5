// Words of a list in one sentence: "a, b and c".

/** The first list of a process takes 20 ms, and most processes show none, so that nothing is prepared. */
export function listsIn(locale: string): (parts: readonly string[]) => string {
  let format: Intl.ListFormat | undefined;
  return (parts) => {
    format ??= new Intl.ListFormat(locale);
    return format.format(parts);
  };
}
