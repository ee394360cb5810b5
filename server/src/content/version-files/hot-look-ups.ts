// The look-ups of a whole mods folder by a stranger, past the router: what was asked before is answered with the same
// bytes. Undefined for every question that is unusual in any way: the ordinary route then says what is wrong with it.
import { isAscii } from "node:buffer";
import type { KeptAnswers } from "#content/catalog/kept-answers.js";
import { joinMap } from "#content/catalog/ready-bytes.js";
import { type Loan, Scratch } from "#content/catalog/scratch.js";
import { findChannels } from "#content/versions/channels.js";
import type { VersionFilter } from "#content/versions/policy.js";
import type { HotRead, PostedQuestion } from "#platform/http/hot-path.js";
import type { Resources } from "#platform/http/resources.js";
import { anonymous } from "#platform/http/viewer.js";
import { getUpdatesByHashes, getVersionsByHashes, maxHashes } from "./contract.js";
import { type HashQuestion, resolveHashes } from "./read.js";

const scratch = new Scratch();

export function hotLookUps(resources: Resources, kept: KeptAnswers): ReadonlyMap<string, PostedQuestion> {
  const lookUp = (
    route: string,
    read: (body: unknown) => HashQuestion | undefined,
  ): [route: string, ask: PostedQuestion] => [
    route,
    (body) => {
      // Hashes and names are ASCII, and nobody escapes them. Which other texts can be taken is the ordinary route's business.
      if (!isAscii(body) || body.includes("\\")) return undefined;
      const text = route + body.toString("latin1");
      const known = kept.find(text);
      if (known) return known;
      const question = read(parse(body));
      if (!question) return undefined;
      return kept.isAskedAgain(text)
        ? () => kept.keepUnlessChanged(text, resolve(resources, route, question))
        : () => resolve(resources, route, question, scratch.lend());
    },
  ];
  return new Map([
    lookUp(getVersionsByHashes.path, (body) => readQuestion(body)),
    lookUp(getUpdatesByHashes.path, readUpdateQuestion),
  ]);
}

/** On loan, the answer may be sent once. */
async function resolve(resources: Resources, route: string, question: HashQuestion, loan?: Loan): Promise<HotRead> {
  const found = await resolveHashes(resources, anonymous, question);
  const answer = joinMap(found, (version) => version.byHash, loan?.take);
  return { route, answer, rate: "bulk", onSent: loan?.giveBack };
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("latin1"));
  } catch {
    return undefined;
  }
}

const questionKeys: ReadonlySet<string> = new Set(["hashes", "algorithm"]);
const updateKeys: ReadonlySet<string> = new Set([...questionKeys, "gameVersions", "loader", "releaseChannel"]);

function readQuestion(body: unknown, keys = questionKeys): HashQuestion | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const { hashes, algorithm = "sha512" } = body as Record<string, unknown>;
  if (!isTexts(hashes) || hashes.length === 0 || hashes.length > maxHashes) return undefined;
  if (algorithm !== "sha512" && algorithm !== "sha1") return undefined;
  for (const key of Object.keys(body)) if (!keys.has(key)) return undefined;
  return { hashes, algorithm };
}

function readUpdateQuestion(body: unknown): HashQuestion | undefined {
  const question = readQuestion(body, updateKeys);
  const update = question && readFilter(body as Record<string, unknown>);
  return update && { ...question, update };
}

function readFilter({ gameVersions, loader, releaseChannel }: Record<string, unknown>): VersionFilter | undefined {
  if (gameVersions !== undefined && !(isTexts(gameVersions) && gameVersions.length <= 20)) return undefined;
  if (loader !== undefined && !isShort(loader)) return undefined;
  if (releaseChannel === undefined) return { gameVersions, loader };
  const channels = isShort(releaseChannel) ? findChannels(releaseChannel) : undefined;
  return channels && { gameVersions, loader, channels };
}

const isShort = (value: unknown): value is string => typeof value === "string" && value.length <= 32;

function isTexts(value: unknown): value is string[] {
  if (!Array.isArray(value)) return false;
  for (const item of value) if (typeof item !== "string" || item.length > 128) return false;
  return true;
}
