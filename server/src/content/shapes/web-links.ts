// Links to other sites that authors enter.

import Type, { type Static } from "typebox";
import { lengths } from "#lib/lengths.js";
import { Line } from "#platform/http/schemas.js";
import { say } from "#words/said.js";

const [, longest] = lengths.link;

/** Checked by isWebLink; an empty string means no link. */
export const Link = Type.String({
  maxLength: longest,
  description: "An http or https URL",
  examples: ["https://example.org/mod"],
});

export const maxDonationLinks = 4;

export const DonationLink = Type.Object({
  platform: Line("donationPlatform", { description: "Name of the platform", examples: ["Ko-fi"] }),
  url: Type.String({ maxLength: longest, description: "https only", examples: ["https://ko-fi.com/example"] }),
});
export type DonationLink = Static<typeof DonationLink>;

export const donationProblem = say.problems.httpsAddress;

/** Only https, so that a link to a payment page cannot be changed on the way. */
export const isDonationLink = (text: string): boolean => /^https:/i.test(text) && isWebLink(text);

export const linkProblem = say.problems.webAddress;

/** An http or https URL without a username: "https://well-known.org@elsewhere.example" misleads readers. */
export function isWebLink(text: string): boolean {
  if (!/^https?:\/\/[^\s\p{Cc}]+$/iu.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && url.username === "" && url.password === "";
}
