// A sentence that the service says, in the language of the page.
import { capitalized } from "#lib/capitalized.js";
import { Failure } from "#platform/errors.js";
import { type Sentence, sayIn } from "#words/said.js";
import { useFrame } from "./frame.js";

/** A refusal as it is, or what is wrong with a field, with a capital letter. */
export const SentenceText = ({ said }: { said: Sentence | Failure }) => {
  const { locale } = useFrame();
  return <>{said instanceof Failure ? said.in(locale) : capitalized(sayIn(locale, said))}</>;
};
