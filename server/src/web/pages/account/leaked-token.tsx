// Whoever finds a token in public ends it here: holding it is proof enough to take its power away.

import { revokeLeakedToken } from "#accounts/tokens/write.js";
import { readSecretToken } from "#lib/secret-token.js";
import { write } from "#platform/changes/write.js";
import { open } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { formFields } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import type { Page } from "#web/frame/layout.js";
import { narrowPage } from "#web/frame/narrow-page.js";
import { formRoute, pageRoute } from "#web/frame/page.js";
import { FormCard } from "#web/parts/form-card.js";
import { Notice } from "#web/parts/notice.js";
import { TextField } from "#web/parts/text-field.js";
import { texts } from "#words/texts.js";
import { wordsFor } from "./settings-frame.js";

const path = "/auth/leaked-token";

export const leakedTokenRoutes: Route[] = [
  pageRoute(
    { id: "getLeakedTokenPage", path, access: open, summary: "The form that revokes a token which leaked" },
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

const formPage = (t: { title: string; lead: string }, status?: number, remark?: preact.ComponentChildren): Page =>
  narrowPage(
    { title: t.title, lead: t.lead, status },
    <>
      {remark}
      <TokenForm />
    </>,
  );

const TokenForm = () => {
  const t = useTexts(texts.account.leakedToken);
  return (
    <FormCard action={path} button={t.button}>
      <TextField name="token" label={t.token} hint={t.hint} lengths={[0, 200]} required />
    </FormCard>
  );
};

const Unknown = () => {
  const t = useTexts(texts.account.leakedToken);
  return (
    <Notice kind="problem" title={t.unknown}>
      <p>{t.unknownHint}</p>
    </Notice>
  );
};
