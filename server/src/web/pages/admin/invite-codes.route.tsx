// The routes of the page in invite-codes.tsx.
import Type from "typebox";
import { createInviteCode, InviteInput, listInviteCodes, revokeInviteCode } from "#accounts/users/invite-codes.js";
import { write } from "#platform/changes/write.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { Ref } from "#platform/http/schemas.js";
import { parse } from "#platform/http/validation.js";
import { attempt, formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import type { Page } from "#web/frame/layout.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { forAdmins } from "#web/shared/staff-access.js";
import type { Locale } from "#words/languages.js";
import { adminPage } from "./admin-frame.js";
import { Invites, path, type View } from "./invite-codes.js";

const invitesPage = async (
  { db, config }: Resources,
  locale: Locale,
  more: Pick<View, "made" | "typed" | "problems"> = {},
): Promise<Page> =>
  adminPage(
    { tab: "invites", locale, status: more.problems?.status },
    <Invites codes={await listInviteCodes(db)} isOpen={config.registration === "open"} {...more} />,
  );

export const inviteCodeRoutes: Route[] = [
  pageRoute(
    { id: "getInviteCodesPage", path, access: forAdmins, summary: "The invite codes" },
    async ({ request }, resources) => {
      return invitesPage(resources, localeOf(request));
    },
  ),

  memberFormRoute(
    {
      id: "submitInviteCode",
      once: true,
      path,
      access: forAdmins,
      summary: "Create an invite code, and show it once",
      body: formFields("note", "uses", "days"),
      errors: ["limitReached"],
    },
    async ({ viewer, actor, request, body }, resources) => {
      let made = "";
      const problems = await attempt(
        async () => {
          const given = { note: body.note ?? "", uses: body.uses ?? "", days: body.days ?? "" };
          const input = parse<InviteInput>("text", InviteInput, given, "form");
          made = await write(resources, actor, (tx) => createInviteCode(tx, viewer.user.id, input));
        },
        { limitReached: "uses" },
      );
      return invitesPage(resources, localeOf(request), problems ? { problems, typed: body } : { made });
    },
  ),

  memberFormRoute(
    {
      id: "submitInviteCodeRevocation",
      path: `${path}/:id/revoke`,
      access: forAdmins,
      summary: "Revoke an invite code",
      params: Type.Object({ id: Ref("Id of the invite code") }),
      errors: ["inviteNotFound"],
    },
    async ({ actor, params, reply }, resources) => {
      await write(resources, actor, (tx) => revokeInviteCode(tx, params.id));
      return seeOther(reply, path);
    },
  ),
];
