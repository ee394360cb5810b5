// The routes of the page in profile.tsx.
import Type from "typebox";
import * as contract from "#accounts/users/contract.js";
import { changeProfile, getOwnProfile, type ProfileChange } from "#accounts/users/own-account.js";
import { readable, sessionOnly } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { parse } from "#platform/http/validation.js";
import { attempt, formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { texts } from "#words/texts.js";
import { ProfileForm, path } from "./profile.js";
import { settingsPage, wordsFor } from "./settings-frame.js";

export const profileRoutes: Route[] = [
  pageRoute(
    {
      id: "getProfileSettingsPage",
      path,
      access: sessionOnly("user_auth_write"),
      summary: "The form for the user's profile",
      query: Type.Object({ done: Type.Optional(Type.String()) }),
    },
    async ({ request, viewer, query }, resources) => {
      const t = wordsFor(request, texts.account.settings);
      const user = await getOwnProfile(resources, viewer.user.id);
      return settingsPage({
        title: t.profile,
        lead: wordsFor(request, texts.account.profile).lead,
        done: query.done === undefined ? undefined : t.saved,
        children: <ProfileForm user={user} typed={user} />,
      });
    },
  ),

  memberFormRoute(
    {
      id: "submitProfileSettings",
      path,
      access: readable("user_write"),
      summary: "Save the user's profile",
      body: formFields("name", "userName", "bio", "removePicture", "removeBackground"),
      files: {
        avatar: { maxBytes: ({ config }) => config.limits.iconBytes, description: "A picture" },
        profilePageBg: { maxBytes: ({ config }) => config.limits.galleryImageBytes, description: "A wide picture" },
      },
    },
    async ({ request, reply, viewer, actor, body, files }, resources) => {
      const { id } = viewer.user;
      const problems = await attempt(
        async () => {
          const { removePicture, removeBackground, ...given } = body;
          const change = parse<ProfileChange>(
            "body",
            contract.updateProfile.body,
            { ...given, ...(removePicture && { avatar: "" }), ...(removeBackground && { profilePageBg: "" }) },
            "body",
          );
          // If no file was chosen, browsers send an empty one.
          const chosen = Object.entries(files).filter(([, file]) => file && file.bytes.length > 0);
          await changeProfile(resources, actor, id, change, Object.fromEntries(chosen));
        },
        {
          userNameTaken: "userName",
          nameReserved: "userName",
          imageUnusable: files.avatar?.bytes.length ? "avatar" : "profilePageBg",
          quotaReached: files.avatar?.bytes.length ? "avatar" : "profilePageBg",
        },
      );
      if (!problems) return seeOther(reply, `${path}?done=saved`);
      return settingsPage({
        title: wordsFor(request, texts.account.settings).profile,
        lead: wordsFor(request, texts.account.profile).lead,
        status: problems.status,
        children: <ProfileForm user={await getOwnProfile(resources, id)} typed={body} problems={problems} />,
      });
    },
  ),
];
