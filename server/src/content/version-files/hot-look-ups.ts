// Hash look-ups of anonymous callers on the hot path: a repeated request gets the same bytes from the cache. The body
// is parsed with the same parser and contract as on the ordinary route, which also answers invalid requests.
import type { KeptAnswers } from "#content/catalog/kept-answers.js";
import { joinMap } from "#content/catalog/ready-bytes.js";
import { type Loan, Scratch } from "#content/catalog/scratch.js";
import type { EndpointSpec, Parsed } from "#platform/http/endpoint.js";
import type { HotRead, HotPost as PostedQuestion } from "#platform/http/hot-path.js";
import { readJson } from "#platform/http/json-body.js";
import type { Resources } from "#platform/http/resources.js";
import { parseBody } from "#platform/http/validation.js";
import { anonymous } from "#platform/http/viewer.js";
import { getUpdatesByHashes, getVersionsByHashes } from "./contract.js";
import { toHashQuery, toUpdateQuery } from "./hash-query.js";
import { type HashQuery, resolveHashes } from "./read.js";

const scratch = new Scratch();

export function hotLookUps(resources: Resources, kept: KeptAnswers): ReadonlyMap<string, PostedQuestion> {
  const lookUp = <E extends EndpointSpec>(
    endpoint: E,
    toQuery: (body: Parsed<E["body"]>) => HashQuery,
  ): [route: string, ask: PostedQuestion] => {
    const route = endpoint.path;
    const ask: PostedQuestion = (body) => {
      // latin1 maps each byte to one character, so two keys are equal only if the bodies are equal.
      const text = route + body.toString("latin1");
      const known = kept.find(text);
      if (known) return known;
      let query: HashQuery;
      try {
        query = toQuery(parseBody(endpoint, readJson(body)));
      } catch {
        return undefined;
      }
      return kept.isRepeated(text)
        ? () => kept.keepUnlessChanged(text, () => resolve(resources, route, query))
        : () => resolve(resources, route, query, scratch.lend());
    };
    return [route, ask];
  };
  return new Map([lookUp(getVersionsByHashes, toHashQuery), lookUp(getUpdatesByHashes, toUpdateQuery)]);
}

/** With a loan, the answer may be sent only once. */
async function resolve(resources: Resources, route: string, query: HashQuery, loan?: Loan): Promise<HotRead> {
  const found = await resolveHashes(resources, anonymous, query);
  const answer = joinMap(found, (version) => version.byHash, loan?.take);
  return { route, answer, rate: "bulk", onSent: loan?.giveBack };
}
