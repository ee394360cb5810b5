// Hash look-ups of anonymous callers on the hot path, answered from prepared projects. The body is parsed with the same
// parser and contract as on the ordinary route, which also answers invalid requests; only a plain list of hashes is read
// without them.

import { Scratch } from "#content/catalog/scratch.js";
import { fingerprintKeyOf } from "#content/hashes/fingerprint-secret.js";
import type { EndpointSpec, Parsed } from "#platform/http/endpoint.js";
import type { HotPost, HotRead } from "#platform/http/hot-path.js";
import { readJson } from "#platform/http/json-body.js";
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

export function hotLookUps(resources: Resources): ReadonlyMap<string, HotPost> {
  const mark = resources.random.bytes(16).toString("hex");
  const lookUp = <E extends EndpointSpec>(
    endpoint: E,
    toQuery: (body: Parsed<E["body"]>) => HashQuery,
  ): [route: string, ask: HotPost] => {
    const toRead = (found: FoundVersions): HotRead => {
      const { take, giveBack } = scratch.lend();
      return { route: endpoint.path, answer: versionsByHashAnswer(found, take), rate: "bulk", onSent: giveBack };
    };
    const parse = (body: Buffer): HashQuery => toQuery(parseBody(endpoint, readJson(body)));
    const plans = new Map<string, QueryPlan>();
    const parseCut = (body: Buffer): PreparedQuery | undefined => {
      const cut = cutHashes(fingerprintKeyOf(resources), mark, body);
      if (!cut) return undefined;
      const { rest, sent } = cut;
      const text = rest.length <= longestKept ? rest.toString("latin1") : undefined;
      let plan = text === undefined ? undefined : plans.get(text);
      if (!plan) {
        const query = parse(rest);
        if (query.hashes.length !== 1 || query.hashes[0] !== mark) return undefined;
        plan = toPlan(query);
        if (plans.size >= mostKept) plans.clear();
        if (text !== undefined) plans.set(text, plan);
      }
      return widths[plan.algorithm] === sent.width ? { ...plan, sent } : undefined;
    };
    const ask: HotPost = (body) => {
      let query: PreparedQuery;
      try {
        query = parseCut(body) ?? toPreparedQuery(resources, parse(body));
      } catch {
        return undefined;
      }
      const found = peekByHashes(resources, query);
      return found ? toRead(found) : async () => toRead(await findPreparedByHashes(resources, query));
    };
    return [endpoint.path, ask];
  };
  return new Map([lookUp(getVersionsByHashes, toHashQuery), lookUp(getUpdatesByHashes, toUpdateQuery)]);
}
