// Yes or no to an invitation, wherever it is shown.

import { useTexts } from "#web/context/texts.js";
import { AnswerButtons } from "#web/parts/answer-buttons.js";
import { Form } from "#web/parts/form.js";
import { texts } from "#words/texts.js";

export const InviteButtons = ({ teamId, name }: { teamId: string; name: string }) => {
  const { accept, decline } = useTexts(texts.dashboard.overview);
  return (
    <Form class="actions" action="/dashboard/invitation" fields={{ teamId }}>
      <AnswerButtons {...{ name, accept, decline }} />
    </Form>
  );
};
