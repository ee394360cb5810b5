// The routes of the page in tokens.tsx.
import Type from "typebox";
import { listTokenRows, toToken } from "#accounts/tokens/read.js";
import { deleteToken } from "#accounts/tokens/write.js";
import { listProjectNames } from "#content/projects/read.js";
import { write } from "#platform/changes/write.js";
import { sessionOnly } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { seeOther } from "#web/context/paths.js";
import { formRoute, pageRoute } from "#web/frame/page.js";
import { texts } from "#words/texts.js";
import { settingsPage, wordsFor } from "./settings-frame.js";
import { TokenList, tokensPath } from "./tokens.js";

export const tokenListRoutes: Route[] = [
  pageRoute(
    {
      id: "getTokensPage",
      path: tokensPath,
      access: sessionOnly("pat_read"),
      summary: "The user's tokens",
      query: Type.Object({ done: Type.Optional(Type.String()) }),
    },
    async ({ request, viewer, query }, { db }) => {
      const t = wordsFor(request, texts.account.token);
      const rows = await listTokenRows(db, viewer.user.id);
      const names = await listProjectNames(
        db,
        rows.flatMap(({ project_id }) => project_id ?? []),
      );
      return settingsPage({
        title: wordsFor(request, texts.account.settings).tokens,
        lead: t.lead,
        done: { revoked: t.revoked, changed: t.changed }[query.done ?? ""],
        children: <TokenList tokens={rows.map(toToken)} names={names} />,
      });
    },
  ),

  formRoute(
    {
      id: "submitTokenRevocation",
      path: `${tokensPath}/:patId/revoke`,
      access: sessionOnly("pat_delete"),
      summary: "Revoke a token",
      params: Type.Object({ patId: Type.String({ maxLength: 64 }) }),
      errors: ["tokenNotFound"],
    },
    async ({ params, viewer, actor, reply }, resources) => {
      await write(resources, actor, (tx) => deleteToken(tx, viewer.user.id, params.patId));
      return seeOther(reply, `${tokensPath}?done=revoked`);
    },
  ),
];
