// Answers to invitations and offers of teams, and withdrawing them.
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { texts } from "#words/texts.js";

export const invitationPath = "/auth/invitation";

export const Answer = ({ code, role }: { code: string; role: string }) => {
  const t = useTexts(texts.teams.waiting);
  const shared = useTexts(texts.users.shared);
  return (
    <>
      {role !== "" && <p dir="auto">{t.invitationAs(shared.role(role))}</p>}
      <Form class="actions" action={invitationPath} fields={{ code }}>
        <Button name="answer" value="accept">
          {t.accept}
        </Button>
        <Button kind="quiet" name="answer" value="decline">
          {t.decline}
        </Button>
      </Form>
    </>
  );
};
