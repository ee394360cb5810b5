// The first step of the first run: the administrator, created with the one-time link from the log. It does not exist
// once there is one.
import { lengths } from "#lib/lengths.js";
import type { FormProblems } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { FormCard } from "#web/parts/form-card.js";
import { Notice } from "#web/parts/notice.js";
import { NewPasswordField, TextField } from "#web/parts/text-field.js";
import { WithCode } from "#web/parts/with-code.js";
import { texts } from "#words/texts.js";

export type Input = { code: string; userName: string; email: string; password: string };

export const AdminForm = ({ typed, problems }: { typed: Partial<Input>; problems: FormProblems | undefined }) => {
  const t = useTexts(texts.setup.steps);
  return (
    <FormCard
      action="/setup"
      button={t.make}
      fields={{ code: typed.code ?? "" }}
      labels={{ userName: t.userName, email: t.email, password: t.password }}
      problems={problems}
    >
      <TextField
        name="userName"
        required
        verbatim
        label={t.userName}
        hint={t.userNameHint}
        autocomplete="username"
        lengths={lengths.userName}
        value={typed.userName ?? ""}
        problems={problems}
      />
      <TextField
        name="email"
        required
        label={t.email}
        type="email"
        hint={t.emailHint}
        autocomplete="email"
        lengths={lengths.email}
        value={typed.email ?? ""}
        problems={problems}
      />
      <NewPasswordField name="password" label={t.password} problems={problems} />
    </FormCard>
  );
};

export const NewLink = () => {
  const t = useTexts(texts.setup.steps);
  return (
    <Notice title={t.newLinkTitle}>
      <p>
        <WithCode text={t.newLink("modshelf setup-link", "modshelf admin create NAME EMAIL")} />
      </p>
    </Notice>
  );
};
