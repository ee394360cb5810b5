// The user's profile: picture, name, username, bio.
import type * as contract from "#accounts/users/contract.js";
import { lengths } from "#lib/lengths.js";
import type { FormProblems } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { CheckboxField, FileField, TextAreaField } from "#web/parts/input-fields.js";
import { Picture } from "#web/parts/picture.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";
import { TextField } from "#web/parts/text-field.js";
import { texts } from "#words/texts.js";

export const path = "/settings/profile";

interface Props {
  user: contract.User;
  typed: { name?: string; userName?: string; bio?: string | null };
  problems?: FormProblems;
}

export const ProfileForm = ({ user, typed, problems }: Props) => {
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
          autocomplete="nickname"
          problems={problems}
        />
        <TextField
          name="userName"
          label={t.userName}
          hint={t.userNameHint}
          value={typed.userName}
          lengths={lengths.userName}
          autocomplete="username"
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
