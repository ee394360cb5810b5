// Yes or no to something that was offered, each with the name of what it is about.
import { Button } from "./button.js";

export const AnswerButtons = ({ name, accept, decline }: { name: string; accept: string; decline: string }) => (
  <>
    <Button small name="answer" value="accept" aria-label={`${accept}: ${name}`}>
      {accept}
    </Button>
    <Button kind="quiet" small name="answer" value="decline" aria-label={`${decline}: ${name}`}>
      {decline}
    </Button>
  </>
);
