// Addresses of other sites that authors give.
import Type from "typebox";
import { lengths } from "../lib/lengths.js";

const [, longest] = lengths.link;

/** Checked by isWebLink; empty where there is none. */
export const Link = Type.String({ maxLength: longest, examples: ["https://example.org/mod"] });

export const linkProblem = "must be an address that begins with http:// or https://";

/** An http or https address that says where it leads: "https://well-known.org@elsewhere.example" does not. */
export function isWebLink(text: string): boolean {
  if (!/^https?:\/\/[^\s\p{Cc}]+$/iu.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && url.username === "" && url.password === "";
}
