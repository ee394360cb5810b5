// Hash look-ups of anonymous callers on the hot path, answered from prepared projects. The body is parsed with the same
// parser and contract as on the ordinary route, which also answers invalid requests; only a plain list of hashes is read
// without them.

import { preparedOf } from "#content/catalog/prepared-catalog.js";
import { type Loan, Scratch } from "#content/catalog/scratch.js";
import { fingerprintKeyOf } from "#content/hashes/fingerprint-secret.js";
import type { Memory } from "#lib/gzip-join.js";
import type { ReadyAnswer } from "#platform/http/answers.js";
import type { EndpointSpec, Parsed } from "#platform/http/endpoint.js";
import type { HotPost, HotRead } from "#platform/http/hot-path.js";
import { readJson } from "#platform/http/json-body.js";
import type { LocalRateClass } from "#platform/http/rate-limiter.js";
import type { Resources } from "#platform/http/resources.js";
import { parseBody } from "#platform/http/validation.js";
import { getUpdatesByHashes, getVersionsByHashes } from "./contract.js";
import { toHashQuery, toUpdateQuery } from "./hash-query.js";
import {
  type FoundVersions,
  findPreparedByHashes,
  type PreparedQuery,
  peekByHashes,
  type QueryPlan,
  toPlan,
  toPreparedQuery,
  versionsByHashAnswer,
} from "./prepared-look-up.js";
import type { HashQuery } from "./read.js";
import { cutHashes, widths } from "./sent-hashes.js";

const scratch = new Scratch();
/** Launchers send the same few filters again and again: the plans of so many different bodies without hashes are kept. */
const mostKept = 100;
/** In bytes. */
const longestKept = 500;

/** How the versions that were found are shown. */
export interface LookUpAnswers {
  /** Undefined if it cannot be made at once. */
  now(found: FoundVersions, memory: Memory): ReadyAnswer | undefined;
  later(found: FoundVersions, memory: Memory): Promise<ReadyAnswer>;
}

const ownAnswers: LookUpAnswers = {
  now: versionsByHashAnswer,
  later: async (found, memory) => versionsByHashAnswer(found, memory),
};

export const hotLookUps = (resources: Resources): ReadonlyMap<string, HotPost> =>
  new Map([
    hotLookUp(resources, getVersionsByHashes, toHashQuery, ownAnswers),
    hotLookUp(resources, getUpdatesByHashes, toUpdateQuery, ownAnswers),
  ]);

/** A route that takes a list of hashes in the field `hashes` of its body. */
export function hotLookUp<E extends EndpointSpec & { rate: LocalRateClass }>(
  resources: Resources,
  endpoint: E,
  toQuery: (body: Parsed<E["body"]>) => HashQuery,
  answers: LookUpAnswers,
): [path: string, ask: HotPost] {
  const toRead = (answer: ReadyAnswer, { giveBack }: Loan): HotRead => ({
    ...{ route: endpoint.path, answer, rate: endpoint.rate, onSent: giveBack },
  });
  const parse = (body: Buffer): HashQuery => toQuery(parseBody(endpoint, readJson(body)));
  const parseCut = createCutParser(resources, parse);
  const ask: HotPost = (body) => {
    let query: PreparedQuery;
    try {
      query = parseCut(body) ?? toPreparedQuery(resources, parse(body));
    } catch {
      return undefined;
    }
    const loan = scratch.lend();
    const found = preparedOf(resources).pace.isSlow ? undefined : peekByHashes(resources, query);
    const answer = found && answers.now(found, loan.take);
    if (answer) return toRead(answer, loan);
    return async () =>
      toRead(await answers.later(found ?? (await findPreparedByHashes(resources, query)), loan.take), loan);
  };
  return [endpoint.path, ask];
}

/** Reads a body without parsing its hashes. Undefined if it is unusual in any way; throws if it is invalid. */
function createCutParser(resources: Resources, parse: (body: Buffer) => HashQuery) {
  const marks = Object.fromEntries(
    Object.values(widths).map((width) => [width, resources.random.bytes(width / 2).toString("hex")]),
  );
  const plans = new Map<string, QueryPlan>();
  return (body: Buffer): PreparedQuery | undefined => {
    const cut = cutHashes(fingerprintKeyOf(resources), marks, body);
    if (!cut) return undefined;
    const { rest, mark, sent } = cut;
    const isKept = rest.length <= longestKept;
    let plan = isKept ? plans.get(rest) : undefined;
    if (!plan) {
      const query = parse(Buffer.from(rest, "latin1"));
      if (query.hashes.length !== 1 || query.hashes[0] !== mark) return undefined;
      plan = toPlan(query);
      if (plans.size >= mostKept) plans.clear();
      if (isKept) plans.set(rest, plan);
    }
    return widths[plan.algorithm] === sent.width ? { ...plan, sent } : undefined;
  };
}
