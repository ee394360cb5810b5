// Yes or no to something that was offered, each with the name of what it is about.
export const AnswerButtons = ({ name, accept, decline }: { name: string; accept: string; decline: string }) => (
  <>
    <button class="button small" type="submit" name="answer" value="accept" aria-label={`${accept}: ${name}`}>
      {accept}
    </button>
    <button class="button quiet small" type="submit" name="answer" value="decline" aria-label={`${decline}: ${name}`}>
      {decline}
    </button>
  </>
);
