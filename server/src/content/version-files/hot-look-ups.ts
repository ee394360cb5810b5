// Hash look-ups of anonymous callers on the hot path, answered from prepared projects. The body is parsed with the same
// parser and contract as on the ordinary route, which also answers invalid requests; only a plain list of hashes is read
// without them.
import { fingerprintKeyOf } from "#content/catalog/fingerprint-secret.js";
import { Scratch } from "#content/catalog/scratch.js";
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
  toPreparedQuery,
  versionsByHashAnswer,
} from "./prepared-look-up.js";
import type { HashQuery } from "./read.js";
import { cutHashes, listMark, widths } from "./sent-hashes.js";

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
    const parse = (body: Buffer): HashQuery => toQuery(parseBody(endpoint, readJson(body)));
    const parseCut = (body: Buffer): PreparedQuery | undefined => {
      const cut = cutHashes(fingerprintKeyOf(resources), body);
      if (!cut) return undefined;
      const { algorithm, hashes, update } = parse(cut.rest);
      const isList = hashes.length === 1 && hashes[0] === listMark && widths[algorithm] === cut.sent.width;
      return isList ? { algorithm, sent: cut.sent, update } : undefined;
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
