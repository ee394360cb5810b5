// Hash look-ups of anonymous callers on the hot path, answered from prepared projects. The body is parsed with the same
// parser and contract as on the ordinary route, which also answers invalid requests.
import { Scratch } from "#content/catalog/scratch.js";
import type { EndpointSpec, Parsed } from "#platform/http/endpoint.js";
import type { HotPost, HotRead } from "#platform/http/hot-path.js";
import { readJson } from "#platform/http/json-body.js";
import type { Resources } from "#platform/http/resources.js";
import { parseBody } from "#platform/http/validation.js";
import { getUpdatesByHashes, getVersionsByHashes } from "./contract.js";
import { toHashQuery, toUpdateQuery } from "./hash-query.js";
import { type FoundVersions, findPreparedByHashes, peekByHashes, versionsByHashAnswer } from "./prepared-look-up.js";
import type { HashQuery } from "./read.js";

const scratch = new Scratch();

export function hotLookUps(resources: Resources): ReadonlyMap<string, HotPost> {
  const lookUp = <E extends EndpointSpec>(
    endpoint: E,
    toQuery: (body: Parsed<E["body"]>) => HashQuery,
  ): [route: string, ask: HotPost] => {
    const toRead = (found: FoundVersions): HotRead => {
      const { take, giveBack } = scratch.lend();
      return { route: endpoint.path, answer: versionsByHashAnswer(found, take), rate: "bulk", onSent: giveBack };
    };
    const ask: HotPost = (body) => {
      let query: HashQuery;
      try {
        query = toQuery(parseBody(endpoint, readJson(body)));
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
