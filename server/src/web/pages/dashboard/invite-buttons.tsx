// Yes or no to an invitation, wherever it is shown.
import { useTexts } from "../../texts.js";
import { dashboardTexts } from "./dashboard-texts.js";

export const InviteButtons = ({ teamId, name }: { teamId: string; name: string }) => {
  const t = useTexts(dashboardTexts);
  return (
    <form class="actions" method="post" action="/dashboard/invitation">
      <input type="hidden" name="teamId" value={teamId} />
      <button class="button small" type="submit" name="answer" value="accept" aria-label={`${t.accept}: ${name}`}>
        {t.accept}
      </button>
      <button
        class="button quiet small"
        type="submit"
        name="answer"
        value="decline"
        aria-label={`${t.decline}: ${name}`}
      >
        {t.decline}
      </button>
    </form>
  );
};
