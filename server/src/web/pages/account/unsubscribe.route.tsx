// Unsubscribing from mails about notifications. The mailed link shows a button, because mail scanners open links too.
// Mail programs can do this for the reader (RFC 8058): they send a POST to the same URL and follow no redirect.

import type { FastifyRequest } from "fastify";
import Type from "typebox";
import { endDigests } from "#community/notifications/write.js";
import { write } from "#platform/changes/write.js";
import { open } from "#platform/http/access.js";
import { endpoint, type Route } from "#platform/http/endpoint.js";
import { localeOf } from "#web/context/preferences.js";
import type { Page } from "#web/frame/layout.js";
import { narrowPage } from "#web/frame/narrow-page.js";
import { aPage, formRoute, pageRoute } from "#web/frame/page.js";
import { FormCard } from "#web/parts/form-card.js";
import { texts, textsIn } from "#words/texts.js";

const path = "/unsubscribe";
const shared = {
  path,
  access: open,
  tag: "Website",
  answer: aPage,
  cacheControl: "no-store",
  internal: true,
  query: Type.Object({ token: Type.Optional(Type.String({ maxLength: 512 })) }),
} as const;

const getUnsubscribePage = endpoint({
  ...shared,
  id: "getUnsubscribePage",
  method: "GET",
  rate: "read",
  summary: "The button that ends mails about notifications",
});

const submitUnsubscribe = endpoint({
  ...shared,
  id: "submitUnsubscribe",
  method: "POST",
  rate: "write",
  summary: "End mails about notifications",
  htmlForm: true,
});

export const unsubscribeRoutes: Route[] = [
  pageRoute(getUnsubscribePage, async (call) => confirmForm(wordsFor(call.request), call.query.token ?? "")),

  formRoute(submitUnsubscribe, async (call, resources) => {
    const isGood = await write(resources, call.actor, (tx) => endDigests(tx, call.query.token ?? ""));
    const { dead, unsubscribe: t } = wordsFor(call.request);
    if (isGood) return narrowPage({ title: t.doneTitle, lead: t.doneLead });
    return narrowPage({ title: dead, lead: t.deadLead, status: 400 });
  }),
];

const wordsFor = (request: FastifyRequest) => textsIn(texts.account.doors, localeOf(request));

const confirmForm = ({ unsubscribe: t }: ReturnType<typeof wordsFor>, token: string): Page =>
  narrowPage(
    { title: t.title, lead: t.lead },
    <FormCard action={`${path}?token=${encodeURIComponent(token)}`} button={t.end} />,
  );
