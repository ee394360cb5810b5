// Schema pieces that several contracts use. A schema with a "x-name" becomes a named component of the OpenAPI document;
// "x-problem" is the sentence a caller reads when a pattern does not fit.
import Type, { type TProperties, type TSchema } from "typebox";
import { type LengthName, lengths } from "../lib/lengths.js";
import { slugPattern } from "../lib/slugs.js";

/** An object with a name of its own in the reference. */
export const Named = <T extends TProperties>(name: string, properties: T, options: { description?: string } = {}) =>
  Type.Object(properties, { "x-name": name, ...options });

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** Text within the limits that the database checks too. */
export const Text = (
  name: LengthName,
  options: { description?: string; pattern?: string; examples?: string[]; "x-problem"?: string } = {},
) => Type.String({ minLength: lengths[name][0], maxLength: lengths[name][1], ...options });

/** Letters, digits, punctuation, symbols: without one of them a text looks empty, whatever is in it. */
const seen = "\\p{L}\\p{N}\\p{P}\\p{S}";

/** A name of one line: no space at its ends, nothing that is not seen or that turns the direction of writing. */
export const Line = (name: LengthName, options: { description?: string; examples?: string[] } = {}) =>
  Text(name, {
    pattern: `^(?!\\s)(?![^${seen}]+$)[^\\p{Cc}\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]*(?<!\\s)$`,
    "x-problem": `must be ${lengths[name].join(" to ")} characters on one line, without spaces at its ends`,
    ...options,
  });

/** Whether it is reserved is asked by the writes (lib/slugs.ts): that refusal has a name of its own. */
export const Slug = Text("slug", {
  pattern: slugPattern,
  description: "Name in addresses",
  examples: ["better-grass"],
  "x-problem": "must be 2 to 64 characters: small letters, digits and . _ + - after the first one",
});

export const Timestamp = Type.String({
  format: "date-time",
  description: "ISO 8601, UTC",
  examples: ["2026-11-15T09:30:00.000Z"],
});

export const Id = Type.String({ description: "Opaque identifier", examples: ["kX3vQ9aB"] });
export const ImageUrl = Type.String({ format: "uri", description: "Address on the content host" });

/** An id or a name in a path: long nonsense is refused before any query. */
export const Ref = (description: string, example = "kX3vQ9aB") =>
  Type.String({ minLength: 1, maxLength: 64, description, examples: [example] });

export const Done = Named("Done", { success: Type.Literal(true), message: Type.String() });
export const done = (message: string) => ({ success: true as const, message });

export const ErrorBody = Named(
  "Error",
  {
    success: Type.Literal(false),
    code: Type.String({ description: "Stable name of the refusal", examples: ["userNotFound"] }),
    message: Type.String({ description: "A sentence that says what to do" }),
    issues: Type.Optional(
      Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
        description: "Each field that does not fit",
      }),
    ),
    requestId: Type.String({ description: "Also in the X-Request-Id header; quote it when you ask for help" }),
  },
  { description: "The body of every refusal" },
);

export const timestamp = (ms: number): string => new Date(ms).toISOString();
export const maybeTimestamp = (ms: number | null): string | null => (ms === null ? null : timestamp(ms));
