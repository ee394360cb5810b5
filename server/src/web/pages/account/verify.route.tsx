// The routes of the page in verify.tsx.
import type { FastifyRequest } from "fastify";
import Type from "typebox";
import { confirmEmailWithCode, previewEmailChange } from "#accounts/users/address.js";
import { write } from "#platform/changes/write.js";
import { Failure, fail } from "#platform/errors.js";
import { open } from "#platform/http/access.js";
import { endpoint, type Route } from "#platform/http/endpoint.js";
import { formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import type { Page } from "#web/frame/layout.js";
import { narrowPage } from "#web/frame/narrow-page.js";
import { aPage, formRoute, pageRoute } from "#web/frame/page.js";
import { FormCard } from "#web/parts/form-card.js";
import { texts, textsIn } from "#words/texts.js";
import { ToAccount } from "./verify.js";

const path = "/auth/verify";

const shared = { path, access: open, tag: "Website", answer: aPage, cacheControl: "no-store", internal: true } as const;

const getVerifyPage = endpoint({
  ...shared,
  id: "getVerifyPage",
  method: "GET",
  rate: "read",
  summary: "The button that confirms a new email address",
  query: Type.Object({
    code: Type.Optional(Type.String({ maxLength: 512 })),
    done: Type.Optional(Type.String()),
  }),
});

const submitVerify = endpoint({
  ...shared,
  id: "submitVerify",
  once: true,
  method: "POST",
  rate: "signIn",
  summary: "Confirm a new email address",
  body: formFields("code"),
  htmlForm: true,
});

export const verifyRoutes: Route[] = [
  pageRoute(getVerifyPage, async (call, { db, clock }) => {
    const { code = "", done } = call.query;
    const { verify: t } = wordsFor(call.request);
    if (done !== undefined)
      return narrowPage({ title: t.doneTitle, lead: t.doneLead }, <ToAccount text={t.toAccount} />);
    const change = await previewEmailChange(db, code, clock.now());
    if (!change) return linkDead(call.request);
    const lead = change.isFirst ? t.firstLead : t.lead;
    return narrowPage(
      { title: t.title, lead: lead(change.userName, change.email) },
      <FormCard action={path} button={t.confirm} fields={{ code }} />,
    );
  }),

  formRoute(submitVerify, async (call, resources) => {
    try {
      await write(resources, call.actor, (tx) => confirmEmailWithCode(tx, call.body.code ?? ""));
    } catch (error) {
      if (error instanceof Failure && error.code === "codeInvalid") return linkDead(call.request);
      throw error;
    }
    return seeOther(call.reply, `${path}?done`);
  }),
];

const wordsFor = (request: FastifyRequest) => textsIn(texts.account.doors, localeOf(request));

function linkDead(request: FastifyRequest): Page {
  const { dead, verify: t } = wordsFor(request);
  const opening = { title: dead, lead: t.deadLead, status: fail.codeInvalid().status };
  return narrowPage(opening, <ToAccount text={t.toAccount} />);
}
