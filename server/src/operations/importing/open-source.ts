// Finds out which interface a registry has, and opens it.
import { createCrmm, crmmProbe } from "./crmm.js";
import { createModrinth, modrinthProbe } from "./modrinth.js";
import { type ClientOptions, PoliteClient } from "./polite-client.js";
import { BadAnswer, type Source, type SourceKind } from "./source.js";

export interface Opened {
  client: PoliteClient;
  source: Source;
}

/** The URL as the operator wrote it, perhaps with the path of the interface, which also tells its kind. */
export function parseSourceUrl(text: string): { base: string; kind: SourceKind | undefined } | undefined {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  if (url?.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") return undefined;
  const path = url.pathname.replace(/(?<!\/)\/+$/, "");
  const [, before = path, end] = /^(.*)\/(v2|api)$/.exec(path) ?? [];
  const kind = end === "v2" ? "modrinth" : end === "api" ? "crmm" : undefined;
  return { base: url.origin + before, kind };
}

const kinds = {
  crmm: { probe: crmmProbe, create: createCrmm },
  modrinth: { probe: modrinthProbe, create: createModrinth },
} as const;

export const sourceKinds = Object.keys(kinds) as SourceKind[];

/** Without a kind, both are tried; our own interface comes first, because it shows more. */
export async function openSource(options: ClientOptions, kind: SourceKind | undefined): Promise<Opened> {
  const client = new PoliteClient(options);
  const problems: string[] = [];
  for (const name of kind ? [kind] : sourceKinds) {
    const { probe, create } = kinds[name];
    try {
      if (await client.json(probe.path, probe.schema)) return { client, source: create(client) };
      problems.push(`${options.base}${probe.path} was not found.`);
    } catch (error) {
      if (!(error instanceof BadAnswer)) throw error;
      problems.push(error.message);
    }
  }
  throw new BadAnswer(["No registry that can be imported was found there.", ...problems].join("\n"));
}
