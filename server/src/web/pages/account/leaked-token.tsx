// Whoever finds a token in public ends it here: holding it is proof enough to take its power away.

import { revokeLeakedToken } from "#accounts/tokens/write.js";
import { readSecretToken } from "#lib/secret-token.js";
import { write } from "#platform/changes/write.js";
import { open } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { formFields } from "#web/form.js";
import type { Page } from "#web/layout.js";
import { formRoute, pageRoute } from "#web/page.js";
import { FormCard } from "#web/parts/form-card.js";
import { narrowPage } from "#web/parts/narrow-page.js";
import { Notice } from "#web/parts/notice.js";
import { TextField } from "#web/parts/text-field.js";
import { defineTexts, useTexts } from "#web/texts.js";
import { wordsFor } from "./settings-frame.js";

const texts = defineTexts({
  en: {
    title: "Revoke a leaked token",
    lead: "Found a token of this site where it should not be? Paste it here, and it stops working at once. You need no account.",
    token: "Token",
    hint: "It begins with msp_.",
    button: "Revoke it",
    done: "The token is revoked",
    doneLead: "It does not work any more, and its owner finds that in the security log.",
    unknown: "This is no token that works here",
    unknownHint: "It may be mistyped, expired or revoked already.",
  },
  de: {
    title: "Ein öffentlich gewordenes Token widerrufen",
    lead: "Ein Token dieser Seite gefunden, wo es nicht sein sollte? Füge es hier ein, und es gilt sofort nicht mehr. Du brauchst kein Konto.",
    token: "Token",
    hint: "Es beginnt mit msp_.",
    button: "Widerrufen",
    done: "Das Token ist widerrufen",
    doneLead: "Es gilt nicht mehr; im Sicherheitsprotokoll steht das auch.",
    unknown: "Dieses Token gilt hier nicht",
    unknownHint: "Es ist vertippt, abgelaufen oder schon widerrufen.",
  },
});

const path = "/auth/leaked-token";

export const leakedTokenRoutes: Route[] = [
  pageRoute(
    { id: "getLeakedTokenPage", path, access: open, summary: "The form that revokes a token which leaked" },
    async ({ request }) => formPage(wordsFor(request, texts)),
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
      const t = wordsFor(request, texts);
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
  const t = useTexts(texts);
  return (
    <FormCard action={path} button={t.button}>
      <TextField name="token" label={t.token} hint={t.hint} lengths={[0, 200]} required />
    </FormCard>
  );
};

const Unknown = () => {
  const t = useTexts(texts);
  return (
    <Notice kind="problem" title={t.unknown}>
      <p>{t.unknownHint}</p>
    </Notice>
  );
};
