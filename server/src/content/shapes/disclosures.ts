// Statements of authors about a project: the use of AI, telemetry, and features that cost money. A missing statement (null)
// says something else than the statement that there is none.
import Type, { type Static, type TSchema } from "typebox";
import { fromJson } from "#lib/json.js";
import type { Row } from "#platform/db/tables.js";
import { Choice, Line, Named, Nullable } from "#platform/http/schemas.js";
import { Link } from "./web-links.js";

export const aiKinds = ["code", "art", "text"] as const;

const AiUse = Type.Array(
  Choice({
    code: "Code that was written with the help of AI",
    art: "Pictures, models, music or sounds",
    text: "Texts or translations",
  } satisfies Record<(typeof aiKinds)[number], string>),
  { maxItems: aiKinds.length, description: "The parts that AI was used for; empty if it was not used" },
);

const statementOf = <D extends TSchema, U extends TSchema>(details: D, url: U) =>
  Type.Object({
    present: Type.Boolean({ description: "false: the author states that there is none" }),
    details,
    url,
  });

const Statement = statementOf(
  Type.String({ description: "A sentence about it; empty if there is none" }),
  Nullable(Type.String(), "A page with more about it"),
);
export type Statement = Static<typeof Statement>;

export const Disclosures = Named(
  "Disclosures",
  {
    ai: Nullable(AiUse, "Use of AI; null if the author has not stated anything"),
    telemetry: Nullable(Statement, "Whether it sends data to a server; null if the author has not stated anything"),
    paidFeatures: Nullable(Statement, "Whether parts of it cost money; null if the author has not stated anything"),
  },
  { description: "Statements of the author about the project" },
);
export type Disclosures = Static<typeof Disclosures>;

const NewStatement = statementOf(
  Type.Optional(
    Type.Union([Type.Literal(""), Line("disclosure")], {
      description: "A sentence about it; needed if present is true, and ignored otherwise",
      examples: ["Sends the version of the game to stats.example.org once a day"],
    }),
  ),
  Type.Optional(Nullable(Link, "A page with more about it, such as a privacy policy")),
);

/** null withdraws a statement; absent ones stay. */
export const DisclosuresEdit = Type.Object({
  ai: Type.Optional(Nullable(AiUse, "Use of AI; null withdraws the statement")),
  telemetry: Type.Optional(Nullable(NewStatement, "Whether it sends data to a server; null withdraws the statement")),
  paidFeatures: Type.Optional(Nullable(NewStatement, "Whether parts of it cost money; null withdraws the statement")),
});
export type DisclosuresEdit = Static<typeof DisclosuresEdit>;

export const statementNames = ["telemetry", "paidFeatures"] as const;

export const toDisclosures = (stored: Row<"projects">["disclosures"]): Disclosures => ({
  ...{ ai: null, telemetry: null, paidFeatures: null },
  ...(fromJson(stored) as Partial<Disclosures>),
});

/** The values by which lists are filtered, in the order in which they are offered. */
export const disclosureMeanings = {
  ai: "AI was used for at least one of the following",
  "ai-code": "AI was used for its code",
  "ai-art": "AI was used for its pictures, models, music or sounds",
  "ai-text": "AI was used for its texts or translations",
  "no-ai": "AI was not used",
  telemetry: "It sends data to a server",
  "no-telemetry": "It sends no data",
  paid: "Parts of it cost money",
  "no-paid": "No part of it costs money",
} as const;
export type DisclosureTag = keyof typeof disclosureMeanings;
export const disclosureTags = Object.keys(disclosureMeanings) as DisclosureTag[];
export const isDisclosureTag = (text: string): boolean => Object.hasOwn(disclosureMeanings, text);

/** Nothing for statements that are missing. */
export function tagsOf({ ai, telemetry, paidFeatures }: Disclosures): DisclosureTag[] {
  const tags: DisclosureTag[] = [];
  if (ai)
    tags.push(...(ai.length === 0 ? ["no-ai" as const] : ["ai" as const, ...ai.map((kind) => `ai-${kind}` as const)]));
  if (telemetry) tags.push(telemetry.present ? "telemetry" : "no-telemetry");
  if (paidFeatures) tags.push(paidFeatures.present ? "paid" : "no-paid");
  return tags;
}
