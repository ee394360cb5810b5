// The routes of the page in consent.tsx: the authorization endpoint of OAuth.
import type { FastifyReply, FastifyRequest } from "fastify";
import {
  type AuthorizationRequest,
  grantRequest,
  isGrantedBefore,
  type ReadRequest,
  readRequest,
  refuseRequest,
  requestParameters,
} from "#accounts/applications/authorize.js";
import { policySource } from "#accounts/applications/redirect-uris.js";
import { isFresh } from "#accounts/users/policy.js";
import { write } from "#platform/changes/write.js";
import { sessionOnly } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { formLists } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import type { Page } from "#web/frame/layout.js";
import { narrowPage } from "#web/frame/narrow-page.js";
import { formRoute, pageRoute } from "#web/frame/page.js";
import { texts } from "#words/texts.js";
import { Consent, ConsentProblem, path, toFields } from "./consent.js";
import { signInAgainPath, wordsFor } from "./settings-frame.js";

// An application acts like a token that the user creates.
const access = sessionOnly("pat_create");

export const consentRoutes: Route[] = [
  pageRoute(
    {
      id: "getConsentPage",
      path,
      access,
      // A user who has agreed before gets a code at once.
      rate: "write",
      summary: "Ask whether an application may use the account",
      query: formLists(...requestParameters),
      cacheControl: "no-store",
    },
    async ({ request, reply, viewer, actor, query }, resources) => {
      const { db, clock, config } = resources;
      const read = await readRequest(db, query, config.http.url);
      if (read.kind !== "valid") return refuse(read, request, reply);
      const isKnown = await isGrantedBefore(db, viewer.user.id, read.request, clock.now());
      const grant = () =>
        write(resources, actor, (tx) => grantRequest(tx, viewer.user.id, read.request, config.http.url));
      if (isKnown) return seeOther(reply, await grant());
      if (!isFresh(viewer, clock.now())) return seeOther(reply, signInAgainPath(urlOf(read.request)));
      return consentPage(read.request, request, viewer.user.userName);
    },
  ),

  formRoute(
    {
      id: "submitConsent",
      path,
      access,
      summary: "Allow or refuse an application to use the account",
      body: formLists(...requestParameters, "decision"),
    },
    async ({ request, reply, viewer, actor, body: { decision, ...given } }, resources) => {
      const { db, clock, config } = resources;
      const read = await readRequest(db, given, config.http.url);
      if (read.kind !== "valid") return refuse(read, request, reply);
      if (decision !== "allow") return seeOther(reply, refuseRequest(read.request, config.http.url));
      if (!isFresh(viewer, clock.now())) return seeOther(reply, signInAgainPath(urlOf(read.request)));
      const location = await write(resources, actor, (tx) =>
        grantRequest(tx, viewer.user.id, read.request, config.http.url),
      );
      return seeOther(reply, location);
    },
  ),
];

const urlOf = (request: AuthorizationRequest): string => `${path}?${new URLSearchParams(toFields(request))}`;

const consentPage = (asked: AuthorizationRequest, request: FastifyRequest, userName: string): Page => ({
  title: wordsFor(request, texts.applications.consent).title(asked.application.name),
  // Browsers apply the policy to the redirect after the form, too.
  formTarget: policySource(asked.redirectUri),
  content: <Consent request={asked} userName={userName} />,
});

function refuse(
  read: Exclude<ReadRequest, { kind: "valid" }>,
  request: FastifyRequest,
  reply: FastifyReply,
): Page | FastifyReply {
  if (read.kind === "sentBack") return seeOther(reply, read.location);
  const t = wordsFor(request, texts.applications.consent);
  return narrowPage(
    { title: t.problemTitle, lead: t.problems[read.problem], status: 400 },
    <ConsentProblem problem={read.problem} />,
  );
}
