// Reads and checks the identity token of a build: issuer, audience, times and the claims of GitHub Actions and GitLab.
// It knows nothing of projects.
import type { Config } from "#config/config.js";
import type { Provenance } from "#lib/provenance.js";
import { type Said, say } from "#words/said.js";
import type { Claims } from "./jwt.js";

export type TrustedIssuer = Config["trustedIssuers"][number];

export interface BuildIdentity {
  issuer: string;
  /** Unique among the tokens of this issuer. */
  tokenId: string;
  dateExpires: number;
  repository: string;
  /** Id of the account that owns the repository. Names can be taken over by others; the id stays. */
  ownerId: string;
  workflow: string;
  environment: string;
  provenance: Provenance;
}

/** The reason for a refusal, for the log of the build. */
export class IdentityRefused extends Error {
  readonly reason: Said;

  constructor(reason: Said) {
    super(`${reason}`);
    this.reason = reason;
  }
}

/** Tolerance for clocks that differ. */
export const leewayMs = 30_000;
/** GitLab tokens live as long as the job may run. Each used token is stored until it expires, so this is bounded. */
const longestMs = 31 * 24 * 60 * 60 * 1000;

export function checkTimes(claims: Claims, now: number): number {
  const { exp, nbf = 0, iat = 0 } = claims;
  if (!isTime(exp) || !isTime(nbf) || !isTime(iat)) throw new IdentityRefused(say.identity.noTimes);
  if (exp * 1000 + leewayMs <= now) throw new IdentityRefused(say.identity.expired);
  if (exp * 1000 > now + longestMs) throw new IdentityRefused(say.identity.tooLong);
  if (Math.max(nbf, iat) * 1000 > now + leewayMs) throw new IdentityRefused(say.identity.notYet);
  return exp * 1000 + leewayMs;
}

const isTime = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value) && value >= 0;

export function checkAudience({ aud }: Claims, audience: string): void {
  const named = Array.isArray(aud) ? aud : [aud];
  if (named.length !== 1 || named[0] !== audience) throw new IdentityRefused(say.identity.audience(audience));
}

export function toIdentity({ kind, url }: TrustedIssuer, claims: Claims, dateExpires: number): BuildIdentity {
  const facts = kind === "github" ? fromGitHub(claims, url) : fromGitLab(claims, url);
  return { issuer: url, tokenId: textOf(claims, "jti"), dateExpires, ...facts };
}

type Facts = Pick<BuildIdentity, "repository" | "ownerId" | "workflow" | "environment" | "provenance">;

/**
 * Events that run with the rights of the repository but can be triggered by outsiders: the author of a fork could
 * publish.
 */
const strangersEvents = new Set(["pull_request_target", "workflow_run"]);

function fromGitHub(claims: Claims, issuer: string): Facts {
  const repository = textOf(claims, "repository");
  const event = textOf(claims, "event_name");
  if (strangersEvents.has(event)) throw new IdentityRefused(say.identity.event(event));
  const workflow = fileIn(textOf(claims, "workflow_ref"), `${repository}/.github/workflows/`);
  const site = issuer === "https://token.actions.githubusercontent.com" ? "https://github.com" : new URL(issuer).origin;
  return {
    repository,
    ownerId: idOf(claims, "repository_owner_id"),
    workflow,
    ...placeOf(claims),
    provenance: provenanceOf(claims, { repository, workflow, site, below: "/commit/", run: "run_id" }),
  };
}

function fromGitLab(claims: Claims, issuer: string): Facts {
  const repository = textOf(claims, "project_path");
  const workflow = fileIn(textOf(claims, "ci_config_ref_uri"), `${new URL(issuer).host}/${repository}//`);
  return {
    repository,
    ownerId: idOf(claims, "namespace_id"),
    workflow,
    ...placeOf(claims),
    provenance: provenanceOf(claims, { repository, workflow, site: issuer, below: "/-/commit/", run: "pipeline_id" }),
  };
}

/** A reusable workflow of another repository is not accepted. */
function fileIn(reference: string, folder: string): string {
  const isInside = reference.slice(0, folder.length).toLowerCase() === folder.toLowerCase();
  const [file = ""] = isInside ? reference.slice(folder.length).split("@") : [];
  if (file === "") throw new IdentityRefused(say.identity.workflow);
  return file;
}

const placeOf = ({ environment = "" }: Claims): { environment: string } => ({
  environment: typeof environment === "string" ? environment : "",
});

function textOf(claims: Claims, name: string): string {
  const value = claims[name];
  if (typeof value !== "string" || !/^[^\p{Cc}\p{Cs}]{1,1000}$/u.test(value))
    throw new IdentityRefused(say.identity.claim(name));
  return value;
}

/** Some services send ids as numbers, others as strings. */
const idOf = (claims: Claims, name: string): string => {
  const value = claims[name];
  return textOf({ [name]: Number.isSafeInteger(value) ? String(value) : value }, name);
};

interface Place {
  repository: string;
  workflow: string;
  /** The site that shows repositories. */
  site: string;
  below: string;
  run: string;
}

/** Provenance is public, so claims with an unexpected format are left out. */
function provenanceOf(claims: Claims, { repository, workflow, site, below, run }: Place): Provenance {
  const shortText = (value: unknown): string | null => {
    const text = typeof value === "number" ? String(value) : value;
    return typeof text === "string" && /^[^\p{Cc}\p{Cs}]{1,255}$/u.test(text) ? text : null;
  };
  const sha = shortText(claims.sha);
  const commit = sha !== null && /^[0-9a-f]{40,64}$/.test(sha) ? sha : null;
  const repositoryUrl = `${site}/${repository}`;
  return {
    ...{ repository, repositoryUrl, workflow, ref: shortText(claims.ref), commit },
    commitUrl: commit === null ? null : `${repositoryUrl}${below}${commit}`,
    run: shortText(claims[run]),
  };
}
