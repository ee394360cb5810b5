// Parts of the schemas of other registries' answers. Everything is bounded, and fields that are not named are dropped.
import Type, { type TSchema } from "typebox";
import { Nullable } from "#platform/http/schemas.js";
import { BadAnswer } from "./source.js";

export const Text = (maxLength: number) => Type.String({ maxLength });
export const Id = Type.String({ pattern: "^[\\w.+-]{1,64}$" });
export const UrlText = Type.String({ maxLength: 2048 });
export const Count = Type.Integer({ minimum: 0 });
/** Files larger than this are nowhere allowed. */
export const Size = Type.Integer({ minimum: 0, maximum: 2 ** 40 });
export const Sha1 = Type.String({ pattern: "^[0-9a-f]{40}$" });
export const Sha512 = Type.String({ pattern: "^[0-9a-f]{128}$" });
export const List = <T extends TSchema>(items: T, maxItems: number) => Type.Array(items, { maxItems });
export const maybe = <T extends TSchema>(schema: T) => Type.Optional(Nullable(schema));

const earliest = Date.UTC(1990, 0);
const latest = Date.UTC(2200, 0);

export function dateOf(text: string): number {
  const date = Date.parse(text);
  if (!(date >= earliest && date < latest)) throw new BadAnswer(`"${shown(text)}" is not a date.`);
  return date;
}

/** A text of the source for the terminal, which would obey control characters. */
export const withoutControls = (text: string): string => text.replaceAll(/[\p{C}\u2028\u2029]/gu, "?");

/** A text of the source in a sentence. */
export const shown = (text: string): string => withoutControls(text).slice(0, 200);

const perPage = 100;
const mostProjects = 500_000;

interface Page {
  ids: readonly string[];
  total: number | null | undefined;
}

/** All pages of a list. A list that repeats itself or does not end is refused. */
export async function* listPages(read: (offset: number, limit: number) => Promise<Page>): AsyncGenerator<string> {
  const seen = new Set<string>();
  for (let offset = 0; ; ) {
    const { ids, total } = await read(offset, perPage);
    if (ids.length === 0) return;
    offset += ids.length;
    const fresh = ids.filter((id) => !seen.has(id));
    // A project that is published now moves others to the next page; a whole page of known ones is a loop.
    if (fresh.length === 0) throw new BadAnswer("The list of projects repeats itself.");
    for (const id of fresh) seen.add(id);
    if (seen.size > mostProjects) throw new BadAnswer(`The list has more than ${mostProjects} projects.`);
    yield* fresh;
    if (total != null && offset >= total) return;
  }
}
