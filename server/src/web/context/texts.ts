// The words of a page in the language in which it is rendered.
import { type Texts, textsIn } from "#words/texts.js";
import { useFrame } from "./frame.js";

export const useTexts = <T>(texts: Texts<T>): T => textsIn(texts, useFrame().locale);
