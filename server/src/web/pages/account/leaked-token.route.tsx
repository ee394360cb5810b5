// The routes of the page in leaked-token.tsx.

import { revokeLeakedToken } from "#accounts/tokens/write.js";
import type { Children } from "#lib/jsx-runtime.js";
import { readSecretToken } from "#lib/secret-token.js";
import { write } from "#platform/changes/write.js";
import { open } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { formFields } from "#web/context/form.js";
import type { Page } from "#web/frame/layout.js";
import { narrowPage } from "#web/frame/narrow-page.js";
import { formRoute, pageRoute } from "#web/frame/page.js";
import { texts } from "#words/texts.js";
import { path, TokenForm, Unknown } from "./leaked-token.js";
import { wordsFor } from "./settings-frame.js";

export const leakedTokenRoutes: Route[] = [
  pageRoute(
    { id: "getLeakedTokenPage", path, access: open, summary: "The form to revoke a leaked token" },
    async ({ request }) => formPage(wordsFor(request, texts.account.leakedToken)),
  ),

  formRoute(
    {
      id: "submitLeakedToken",
      path,
      access: open,
      rate: "signIn",
      summary: "Revoke a token whose value is known",
      body: formFields("token"),
    },
    async ({ request, actor, body }, resources) => {
      const t = wordsFor(request, texts.account.leakedToken);
      const token = readSecretToken((body.token ?? "").trim().replace(/^(authorization:\s*)?(bearer\s+)?/i, ""));
      const isGone =
        token?.kind === "pat" && (await write(resources, actor, (tx) => revokeLeakedToken(tx, token.digest)));
      if (isGone) return narrowPage({ title: t.done, lead: t.doneLead });
      return formPage(t, 404, <Unknown />);
    },
  ),
];

const formPage = (t: { title: string; lead: string }, status?: number, remark?: Children): Page =>
  narrowPage(
    { title: t.title, lead: t.lead, status },
    <>
      {remark}
      <TokenForm />
    </>,
  );
