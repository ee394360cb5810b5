// The own profile: picture, name, user name, a few words.

import Type from "typebox";
import * as contract from "#accounts/users/contract.js";
import { changeProfile, getOwnProfile, type ProfileChange } from "#accounts/users/own-account.js";
import { lengths } from "#lib/lengths.js";
import { readable, sessionOnly } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { parse } from "#platform/http/validation.js";
import { attempt, type FormProblems, formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { useTexts } from "#web/context/texts.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { CheckboxField, FileField, TextAreaField } from "#web/parts/input-fields.js";
import { Picture } from "#web/parts/picture.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";
import { TextField } from "#web/parts/text-field.js";
import { texts } from "#words/texts.js";
import { settingsPage, wordsFor } from "./settings-frame.js";

const path = "/settings/profile";

export const profileRoutes: Route[] = [
  pageRoute(
    {
      id: "getProfileSettingsPage",
      path,
      access: sessionOnly("user_auth_write"),
      summary: "The form for the own profile",
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
      summary: "Save the own profile",
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
          // A form without a chosen file still has an empty one in it.
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

interface Props {
  user: contract.User;
  typed: { name?: string; userName?: string; bio?: string | null };
  problems?: FormProblems;
}

const ProfileForm = ({ user, typed, problems }: Props) => {
  const t = useTexts(texts.account.profile);
  const name = problems ? typed.name : user.name === user.userName ? "" : user.name;
  return (
    <div class="stack">
      {problems && (
        <ProblemSummary
          problems={problems}
          labels={{ avatar: t.picture, profilePageBg: t.background, name: t.name, userName: t.userName, bio: t.bio }}
        />
      )}
      <Form class="form card" action={path} hasFiles>
        <div class="row">
          <Picture src={user.avatar} size={96} round />
          <FileField
            name="avatar"
            label={t.picture}
            hint={t.pictureHint}
            accept="image/png,image/jpeg,image/gif,image/webp"
            problems={problems}
          />
        </div>
        <CheckboxField name="removePicture" label={t.removePicture} />
        {user.profilePageBg !== null && (
          <img class="profile-background" src={user.profilePageBg} alt="" width={1240} height={240} loading="lazy" />
        )}
        <FileField
          name="profilePageBg"
          label={t.background}
          hint={t.backgroundHint}
          accept="image/png,image/jpeg,image/gif,image/webp"
          problems={problems}
        />
        {user.profilePageBg !== null && <CheckboxField name="removeBackground" label={t.removeBackground} />}
        <TextField
          name="name"
          label={t.name}
          hint={t.nameHint}
          value={name}
          lengths={[0, 64]}
          autoComplete="nickname"
          problems={problems}
        />
        <TextField
          name="userName"
          label={t.userName}
          hint={t.userNameHint}
          value={typed.userName}
          lengths={lengths.userName}
          autoComplete="username"
          required
          problems={problems}
        />
        <TextAreaField
          name="bio"
          label={t.bio}
          hint={t.bioHint}
          value={typed.bio ?? ""}
          rows={4}
          lengths={lengths.bio}
          problems={problems}
        />
        <Button>{t.save}</Button>
      </Form>
      <p>
        <a href={`/user/${user.userName}`}>{t.view}</a>
      </p>
    </div>
  );
};
