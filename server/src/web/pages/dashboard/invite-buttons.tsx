// Yes or no to an invitation, wherever it is shown.

import { AnswerButtons } from "#web/parts/answer-buttons.js";
import { ButtonForm } from "#web/parts/button-form.js";
import { useTexts } from "#web/texts.js";
import { texts } from "#words/texts.js";

export const InviteButtons = ({ teamId, name }: { teamId: string; name: string }) => {
  const { accept, decline } = useTexts(texts.dashboard.overview);
  return (
    <ButtonForm action="/dashboard/invitation" fields={{ teamId }}>
      <AnswerButtons {...{ name, accept, decline }} />
    </ButtonForm>
  );
};
