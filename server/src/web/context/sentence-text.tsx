// A sentence of the service in the language of the page.
import { capitalized } from "#lib/capitalized.js";
import { Failure } from "#platform/errors.js";
import { type Sentence, sayIn } from "#words/said.js";
import { useFrame } from "./frame.js";

/** The sentence of a refusal, or the problem of a field with a capital letter. */
export const SentenceText = ({ said }: { said: Sentence | Failure }) => {
  const { locale } = useFrame();
  return <>{said instanceof Failure ? said.in(locale) : capitalized(sayIn(locale, said))}</>;
};
