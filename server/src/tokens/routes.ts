// Personal access tokens: one function a route.
import { write } from "../changes/write.js";
import { type Route, route } from "../http/endpoint.js";
import { done } from "../http/schemas.js";
import * as contract from "./contract.js";
import { parseExpiry, parseScopes } from "./policy.js";
import { listTokenRows, toToken } from "./read.js";
import { createToken, deleteToken, getBoundId, updateToken } from "./write.js";

export const tokenRoutes: Route[] = [
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
