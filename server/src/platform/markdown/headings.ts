// The headings of a text: their levels below the page's own heading, and anchors. The input has passed the allow-list:
// tags are well-formed, text is escaped.

/** The same text gives the same anchor. The prefix keeps it from colliding with ids of the page. */
export const anchorOf = (text: string): string =>
  `h-${text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60)}`;

/** The start of a heading that decides its anchor. */
const mostLetters = 1000;

interface OpenHeading {
  level: number;
  /** Where its start tag is in the output. */
  at: number;
  attributes: string;
  innerFrom: number;
}

/**
 * Authors start with "#" or with "###": the highest level of a text becomes h2, and a level that was left out is closed
 * up, so that the page has one outline.
 */
export function withHeadings(html: string): string {
  const tags = [...html.matchAll(/<(\/?)h([1-6])([^<>]*)>/g)];
  const highest = tags.reduce((level, [, , digit]) => Math.min(level, Number(digit)), 6);
  const used = new Map<string, number>();
  const open: OpenHeading[] = [];
  const output: string[] = [];
  let last = 1;
  let from = 0;
  for (const { 0: tag, 1: slash, 2: digit, 3: attributes = "", index } of tags) {
    output.push(html.slice(from, index));
    from = index + tag.length;
    if (slash === "") {
      last = Math.min(Number(digit) - highest + 2, last + 1, 6);
      open.push({ level: last, at: output.push("") - 1, attributes, innerFrom: from });
      continue;
    }
    const heading = open.pop();
    if (!heading) continue;
    const inner = html.slice(heading.innerFrom, Math.min(index, heading.innerFrom + mostLetters));
    const words = anchorOf(inner.replace(/<[^<>]*>|&\w+;/g, " "));
    const times = used.get(words) ?? 0;
    used.set(words, times + 1);
    const id = times === 0 ? words : `${words}-${times}`;
    output[heading.at] = `<h${heading.level}${heading.attributes} id="${id}">`;
    output.push(`</h${heading.level}>`);
  }
  return output.join("") + html.slice(from);
}
