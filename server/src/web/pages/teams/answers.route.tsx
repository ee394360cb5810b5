// The routes of the page in answers.tsx.
import type { FastifyRequest } from "fastify";
import Type from "typebox";
import { listUserNamesLike } from "#accounts/users/read.js";
import { answerInvite } from "#content/teams/answer-invitation.js";
import { answerMailInvite, findInviteByCode, withdrawMailInvite } from "#content/teams/mail-invites.js";
import { answerOffer, withdrawOffer } from "#content/teams/ownership.js";
import { findMailedInvite, type PendingInvite } from "#content/teams/pending.js";
import { write } from "#platform/changes/write.js";
import { needs, readable } from "#platform/http/access.js";
import { endpoint, type Route, route } from "#platform/http/endpoint.js";
import { formFields } from "#web/context/form.js";
import { safeNext, seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import type { Page } from "#web/frame/layout.js";
import { narrowPage } from "#web/frame/narrow-page.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { ButtonLink } from "#web/parts/button.js";
import { texts, textsIn } from "#words/texts.js";
import { Answer, invitationPath } from "./answers.js";

const suggested = 8;

const suggestPeople = endpoint({
  id: "suggestPeople",
  method: "GET",
  path: "/dashboard/people",
  access: needs("user_read"),
  rate: "read",
  tag: "Website",
  summary: "Suggestions for a username field",
  query: Type.Object({ q: Type.String({ minLength: 2, maxLength: 32 }) }),
  answer: Type.Array(Type.String()),
  cacheControl: "private, no-store",
  internal: true,
});

export const teamAnswerRoutes: Route[] = [
  route(suggestPeople, ({ query }, { db }) => listUserNamesLike(db, query.q, suggested)),

  memberFormRoute(
    {
      id: "submitInvitationAnswer",
      path: "/dashboard/invitation",
      access: readable("user_write"),
      summary: "Accept or decline an invitation",
      body: formFields("teamId", "answer"),
      errors: ["inviteNotFound", "memberNotFound", "teamNotFound"],
    },
    async ({ reply, viewer, actor, body }, resources) => {
      const { teamId = "", answer } = body;
      await write(resources, actor, (tx) => answerInvite(tx, viewer, teamId, answer === "accept"));
      return seeOther(reply, "/dashboard");
    },
  ),

  memberFormRoute(
    {
      id: "submitOfferAnswer",
      once: true,
      path: "/dashboard/offer",
      access: readable("user_write"),
      summary: "Accept or decline an offer of ownership, or withdraw one's own offer",
      body: formFields("teamId", "answer", "next"),
      errors: ["offerNotFound", "teamNotFound", "ownerOnly"],
    },
    async ({ reply, viewer, actor, body }, resources) => {
      const { teamId = "", answer, next } = body;
      await write(resources, actor, (tx) =>
        answer === "withdraw"
          ? withdrawOffer(tx, viewer, teamId)
          : answerOffer(tx, viewer, teamId, answer === "accept"),
      );
      return seeOther(reply, safeNext(next, "/dashboard"));
    },
  ),

  memberFormRoute(
    {
      id: "submitMailInvitationWithdrawal",
      path: "/dashboard/mail-invitation",
      access: readable("user_write"),
      summary: "Withdraw a mailed invitation",
      body: formFields("teamId", "inviteId", "next"),
      errors: ["inviteNotFound", "teamNotFound", "permissionMissing"],
    },
    async ({ reply, viewer, actor, body }, resources) => {
      const { teamId = "", inviteId = "", next } = body;
      await write(resources, actor, (tx) => withdrawMailInvite(tx, viewer, teamId, inviteId));
      return seeOther(reply, safeNext(next, "/dashboard"));
    },
  ),

  pageRoute(
    {
      id: "getMailedInvitationPage",
      path: invitationPath,
      access: needs("user_read"),
      summary: "A mailed invitation",
      query: Type.Object({ code: Type.Optional(Type.String({ maxLength: 128 })) }),
      cacheControl: "no-store",
    },
    async ({ request, query }, { db, clock }) => {
      const { code = "" } = query;
      const invite = await findInviteByCode(db, code, clock.now());
      const shown = invite && (await findMailedInvite(db, invite.id));
      return shown ? invitationPage(request, shown, code) : gonePage(request);
    },
  ),

  memberFormRoute(
    {
      id: "submitMailedInvitation",
      once: true,
      path: invitationPath,
      access: readable("user_write"),
      summary: "Answer a mailed invitation",
      body: formFields("code", "answer"),
      errors: ["inviteNotFound", "alreadyMember", "alreadyOwner"],
    },
    async ({ request, reply, viewer, actor, body }, resources) => {
      const { code = "", answer } = body;
      const invite = await findInviteByCode(resources.db, code, resources.clock.now());
      if (!invite) return gonePage(request);
      await write(resources, actor, (tx) => answerMailInvite(tx, viewer, invite, answer === "accept"));
      return seeOther(reply, answer === "accept" ? "/dashboard/projects" : "/dashboard");
    },
  ),
];

function invitationPage(request: FastifyRequest, invite: PendingInvite, code: string): Page {
  const t = textsIn(texts.teams.waiting, localeOf(request));
  return narrowPage(
    { title: t.invitation(invite.name), lead: t.invitationLead(invite.invitedBy ?? "") },
    <Answer code={code} role={invite.role} />,
  );
}

function gonePage(request: FastifyRequest): Page {
  const t = textsIn(texts.teams.waiting, localeOf(request));
  return narrowPage(
    { title: t.gone, lead: t.goneLead, status: 404 },
    <p>
      <ButtonLink href="/dashboard">{t.goneLink}</ButtonLink>
    </p>,
  );
}
