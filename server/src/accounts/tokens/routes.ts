// Personal access tokens: one function a route.
import { write } from "#platform/changes/write.js";
import type { Db } from "#platform/db/tables.js";
import { type Route, route } from "#platform/http/endpoint.js";
import { done } from "#platform/http/schemas.js";
import type { SignedIn } from "#platform/http/viewer.js";
import * as contract from "./contract.js";
import { parseExpiry, parseScopes } from "./policy.js";
import { listTokenRows, toToken } from "./read.js";
import { createToken, deleteToken, updateToken } from "./write.js";

/** Accounts do not know projects: app.ts passes the function that finds the project a token may be bound to. */
interface TokenOptions {
  getBoundId(db: Db, viewer: SignedIn, ref: string): Promise<string>;
}

export const tokenRoutes = ({ getBoundId }: TokenOptions): Route[] => [
  route(contract.listTokens, async ({ viewer }, { db }) => {
    const rows = await listTokenRows(db, viewer.user.id);
    return rows.map(toToken);
  }),

  route(contract.createToken, async ({ body, viewer, actor }, resources) => {
    const input = {
      name: body.name,
      dateExpires: parseExpiry(body.dateExpires, resources.clock.now()),
      scopes: parseScopes(body.authScopes, viewer.user),
      projectId: body.projectId ? await getBoundId(resources.db, viewer, body.projectId) : null,
    };
    const { row, value } = await write(resources, actor, (tx) => createToken(tx, viewer.user.id, input));
    return { ...toToken(row), token: value };
  }),

  route(contract.updateToken, async ({ params, body, viewer, actor }, resources) => {
    const input = {
      ...(body.name !== undefined && { name: body.name }),
      ...(body.dateExpires !== undefined && { dateExpires: parseExpiry(body.dateExpires, resources.clock.now()) }),
      ...(body.authScopes !== undefined && { scopes: parseScopes(body.authScopes, viewer.user) }),
    };
    return toToken(await write(resources, actor, (tx) => updateToken(tx, viewer.user, params.patId, input)));
  }),

  route(contract.deleteToken, async ({ params, viewer, actor }, resources) => {
    await write(resources, actor, (tx) => deleteToken(tx, viewer.user.id, params.patId));
    return done("Token deleted");
  }),
];
