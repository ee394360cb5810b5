// Buttons to accept or decline an offer. Each names the thing that is offered.
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
