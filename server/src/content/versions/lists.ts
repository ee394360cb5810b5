// Lists as clients send them: the list itself in a JSON body, its JSON text in a form.

const longest = 1000;

/** "absent" also for an empty text or null, which some clients send for nothing; undefined for what is no list. */
export function parseList(given: string | readonly unknown[] | undefined): readonly unknown[] | "absent" | undefined {
  if (given === undefined || given === "") return "absent";
  const list = typeof given === "string" ? parseJson(given) : given;
  if (list === null) return "absent";
  return Array.isArray(list) && list.length <= longest ? list : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON at all: the caller says what was expected.
    return undefined;
  }
}
