// Schema parts that several contracts share. A schema with "x-name" becomes a named component of the OpenAPI document;
// "x-problem" is the sentence for callers if a pattern does not match; "x-shown" is documented instead of the schema.

import Type, { type TProperties, type TSchema } from "typebox";
import { type LengthName, lengths } from "#lib/lengths.js";
import { slugPattern } from "#lib/slugs.js";
import { type Said, say } from "#words/said.js";

/** An object with its own name in the reference. */
export const Named = <T extends TProperties>(name: string, properties: T, options: { description?: string } = {}) =>
  Type.Object(properties, { "x-name": name, ...options });

/** With its own description if that of the schema is not specific enough. */
export const Nullable = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

/** The same schema with another description, for a shared part with a special meaning in one place. */
export const Described = <T extends TSchema>(schema: T, description: string): T => ({ ...schema, description });

/** Checked by the first schema and documented as the second, if the server accepts more than clients should send. */
export const Shown = <T extends TSchema>(schema: T, shown: TSchema): T => ({ ...schema, "x-shown": shown });

/** One of several values, each with its meaning. */
export const Choice = <K extends string>(
  meanings: Readonly<Record<K, string>>,
  options: { description?: string; default?: NoInfer<K>; examples?: NoInfer<K>[] } = {},
) => Type.Enum(Object.keys(meanings) as K[], { "x-enum-descriptions": Object.values(meanings), ...options });

/** A switch in a query or form: "true" is on, and every other text is off. */
export const Switch = (description: string) =>
  Type.Optional(Shown(Type.String({ maxLength: 16 }), Type.Boolean({ default: false, description })));

/**
 * A list that forms can contain too: one part per entry, or one part with the JSON text of the list. A JSON body
 * contains the list itself. The feature checks the entries (content/versions/version-input.ts).
 */
export const FormList = (items: TSchema, options: { description: string; examples?: unknown[][] }) =>
  Shown(
    Type.Union([Type.String({ maxLength: 65_536 }), Type.Array(Type.Unknown(), { maxItems: mostListed })], {
      "x-list": true,
    }),
    Type.Array(items, { maxItems: mostListed, ...options }),
  );

const mostListed = 1000;

/** Text with the lengths that the database checks too. */
export const Text = (
  name: LengthName,
  options: { description?: string; pattern?: string; examples?: string[]; "x-problem"?: Said } = {},
) => Type.String({ minLength: lengths[name][0], maxLength: lengths[name][1], ...options });

/** Letters, digits, punctuation, symbols: a text without any of them looks empty. */
const seen = "\\p{L}\\p{N}\\p{P}\\p{S}";

/** A name on one line: no space at its ends, no invisible characters, and none that change the writing direction. */
export const Line = (name: LengthName, options: { description?: string; examples?: string[] } = {}) =>
  Text(name, {
    pattern: `^(?!\\s)(?![^${seen}]+$)[^\\p{Cc}\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]*(?<!\\s)$`,
    "x-problem": say.problems.line(lengths[name][0], lengths[name][1]),
    ...options,
  });

/** Writes check whether it is reserved (lib/slugs.ts), because that refusal has its own code. */
export const Slug = Text("slug", {
  pattern: slugPattern,
  description: "Name in addresses",
  examples: ["better-grass"],
  "x-problem": say.problems.slug,
});

export const Timestamp = Type.String({
  format: "date-time",
  description: "ISO 8601, UTC",
  examples: ["2026-11-15T09:30:00.000Z"],
});

export const Id = Type.String({ description: "Opaque identifier", examples: ["kX3vQ9aB"] });
export const ImageUrl = Type.String({ format: "uri", description: "Address on the content host" });

/** The parameter of bulk look-ups (platform/http/id-list.ts). */
export const IdList = (what: string, example = "kX3vQ9aB,pT7uLm2C") =>
  Type.String({ description: `Up to 100 ${what}, separated by commas`, examples: [example] });

/** The content of a version's file. The media type says what kind of file it is (platform/archives/file-types.ts). */
export const fileContent = {
  raw: "application/octet-stream",
  types: [
    ...[
      "application/java-archive",
      "application/zip",
      "application/x-7z-compressed",
      "application/x-modrinth-modpack+zip",
      "application/gzip",
    ],
    ...["application/x-tar", "image/png", "image/jpeg", "image/webp", "image/gif"],
    ...["video/mp4", "video/webm", "video/x-matroska"],
  ],
  description: "The file's content, as an attachment. The media type says what kind of file it is",
  isFile: true,
} as const;

/** The meaning of a text in place of a picture. */
export const pictureText = "An empty text removes the present picture, and any other text keeps it";

/** An id or a name in a path; its length is limited before any query. */
export const Ref = (description: string, example = "kX3vQ9aB") =>
  Type.String({ minLength: 1, maxLength: 64, description, examples: [example] });

const success = Type.Literal(true, { description: "Always true; a refusal has false" });
const message = Type.String({ description: "A sentence for people that says what was done" });

/** The answer to a write that returns more than its success. */
export const DoneWith = <T extends TProperties>(properties: T) => Type.Object({ success, message, ...properties });

export const Done = Named("Done", { success, message }, { description: "A change was made" });
export const done = (message: string) => ({ success: true as const, message });

export const ErrorBody = Named(
  "Error",
  {
    success: Type.Literal(false, { description: "Always false; a good answer has true or no such field" }),
    code: Type.String({ description: "Stable name of the refusal", examples: ["userNotFound"] }),
    message: Type.String({ description: "A sentence that says what to do" }),
    issues: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String({ description: "The field, with dots between the steps that lead to it" }),
          message: Type.String({ description: "The problem" }),
        }),
        { description: "Each field that does not fit" },
      ),
    ),
    requestId: Type.String({ description: "Also in the X-Request-Id header; quote it when you ask for help" }),
  },
  { description: "The body of every refusal" },
);

export const timestamp = (ms: number): string => new Date(ms).toISOString();
export const maybeTimestamp = (ms: number | null): string | null => (ms === null ? null : timestamp(ms));
