// Routes of trusted publishers.

import { changeProject, getEditableProject } from "#content/projects/change.js";
import { write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import { type Route, route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { done, timestamp } from "#platform/http/schemas.js";
import { JsonError } from "#platform/outbound/json.js";
import { say } from "#words/said.js";
import * as contract from "./contract.js";
import { type BuildIdentity, checkAudience, checkTimes, IdentityRefused, toIdentity } from "./identity.js";
import { IssuerKeys } from "./issuer-keys.js";
import { readJwt } from "./jwt.js";
import { listPublishers, toPublisher } from "./read.js";
import { createPublisher, deletePublisher, exchangeIdentity } from "./write.js";

export function publisherRoutes(keys = new IssuerKeys()): Route[] {
  return [
    route(contract.listTrustedPublishers, async ({ params, viewer }, { db }) => {
      const { project } = await getEditableProject(db, viewer, params.ref, "upload_version");
      return (await listPublishers(db, project.id)).map(toPublisher);
    }),

    route(contract.createTrustedPublisher, async (call, resources) => {
      const { trustedIssuers } = resources.config;
      const row = await changeProject(resources, call, "upload_version", (tx, project) =>
        createPublisher(tx, project, call.viewer.user.id, call.body, trustedIssuers),
      );
      return { ...done("Trusted publisher added"), publisher: toPublisher(row) };
    }),

    route(contract.deleteTrustedPublisher, async (call, resources) => {
      await changeProject(resources, call, "upload_version", (tx, project) =>
        deletePublisher(tx, project, call.params.publisherId),
      );
      return done("Trusted publisher removed");
    }),

    route(contract.getPublishingAudience, async (_call, { config }) => ({
      audience: config.http.url,
      issuers: config.trustedIssuers.map(({ url }) => url),
    })),

    route(contract.createPublishingToken, async ({ params, body, actor }, resources) => {
      try {
        const identity = await identify(resources, keys, body.token);
        const { row, value } = await write(resources, actor, (tx) => exchangeIdentity(tx, params.ref, identity));
        const dateExpires = timestamp(row.date_expires);
        return { success: true as const, token: value, dateExpires, projectId: row.project_id! };
      } catch (error) {
        if (!(error instanceof IdentityRefused)) throw error;
        resources.log.info({ project: params.ref, reason: error.message }, "The identity token of a build was refused");
        throw fail.identityRefused(error.reason);
      }
    }),
  ];
}

/**
 * The identity of the build, if a trusted issuer signed the token. Until the signature is verified, its claims only
 * select the key.
 */
async function identify({ config, clock, log }: Resources, keys: IssuerKeys, token: string): Promise<BuildIdentity> {
  const jwt = readJwt(token);
  if (!jwt) throw new IdentityRefused(say.identity.notSigned);
  const now = clock.now();
  const issuer = config.trustedIssuers.find(({ url }) => url === jwt.claims.iss);
  if (!issuer) throw new IdentityRefused(say.identity.issuer);
  const key = await keys.find(issuer.url, jwt.keyId, now).catch((error: unknown) => {
    if (!(error instanceof JsonError)) throw error;
    log.warn({ err: error, issuer: issuer.url }, "The keys of a build service could not be fetched");
    throw fail.issuerSilent(issuer.url);
  });
  if (!key || !(await jwt.isSignedWith(key))) throw new IdentityRefused(say.identity.signature);
  checkAudience(jwt.claims, config.http.url);
  return toIdentity(issuer, jwt.claims, checkTimes(jwt.claims, now));
}
