// Rules for applications: what can be registered, how many, and how long codes and tokens live.
import { applicationScopes, isScope, type Scope, sortScopes } from "#lib/scopes.js";
import { fail, invalid } from "#platform/errors.js";
import { parse } from "#platform/http/validation.js";
import { say } from "#words/said.js";
import { ApplicationInput } from "./contract.js";
import { findUriProblem } from "./redirect-uris.js";

export const maxApplications = 20;
/** A user can connect one application several times, such as a launcher on several machines. */
export const maxConnections = 20;

const minute = 60_000;
export const codeLifeMs = minute;
export const accessLifeMs = 60 * minute;
/** Counted from the last use. */
export const refreshLifeDays = 60;
export const refreshLifeMs = refreshLifeDays * 24 * 60 * minute;

export interface ApplicationFields {
  name: string;
  description: string;
  homepage: string;
  redirectUris: string[];
  scopes: Scope[];
}

/** Throws a 400 that names each problem. */
export function parseApplication(given: Record<keyof ApplicationFields, unknown>): ApplicationFields {
  const input = parse<ApplicationInput>("body", ApplicationInput, given, "body");
  const homepage = URL.parse(input.homepage);
  if (!homepage || !["https:", "http:"].includes(homepage.protocol))
    throw invalid({ path: "homepage", message: say.problems.webAddress });
  if (homepage.username || homepage.password) throw invalid({ path: "homepage", message: say.problems.noCredentials });
  for (const uri of input.redirectUris) {
    const problem = findUriProblem(uri);
    if (problem) throw invalid({ path: "redirectUris", message: say.problems.ofRedirectUri(uri, problem) });
  }
  return { ...input, redirectUris: [...new Set(input.redirectUris)], scopes: parseApplicationScopes(input.scopes) };
}

export function parseApplicationScopes(names: readonly string[]): Scope[] {
  const unknown = names.filter((name) => !isApplicationScope(name));
  if (unknown.length > 0) throw fail.unknownScopes([...new Set(unknown)].join(", "));
  return sortScopes(names.filter(isScope));
}

const isApplicationScope = (name: string): boolean => (applicationScopes as readonly string[]).includes(name);

/** The names in a `scope` parameter; undefined if it is malformed or empty. */
export function splitScopes(scope: string): string[] | undefined {
  const names = scope.split(" ");
  return names.every((name) => /^[a-z_]{1,64}$/.test(name)) ? names : undefined;
}
