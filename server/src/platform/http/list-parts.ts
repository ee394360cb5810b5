// Lists in multipart forms. A list may be sent as one part per entry, as generated clients do, or as one part with the
// JSON text of the whole list, as publish scripts do.
import type { TSchema } from "typebox";
import type { EndpointSpec } from "./endpoint.js";

const listSchema = ({ body }: EndpointSpec, name: string): TSchema | undefined => {
  const schema = body?.properties[name] as (TSchema & { "x-list"?: true; "x-shown"?: TSchema }) | undefined;
  return schema?.["x-list"] ? schema["x-shown"] : undefined;
};

/** Whether a part with this name may come more than once. */
export const isListPart = (endpoint: EndpointSpec, name: string): boolean => listSchema(endpoint, name) !== undefined;

/** Whether the form may contain many more parts than fields. */
export const hasListParts = (endpoint: EndpointSpec): boolean =>
  Object.keys(endpoint.body?.properties ?? {}).some((name) => isListPart(endpoint, name));

/** The fields of a form with lists as arrays. A JSON text stays a text: the feature reads it, as in a JSON body. */
export const withLists = (
  endpoint: EndpointSpec,
  fields: Readonly<Record<string, string | string[]>>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const schema = listSchema(endpoint, name);
      if (!schema || isWholeList(value)) return [name, value];
      const holdsObjects = (schema as { items?: { type?: string } }).items?.type === "object";
      return [name, [value].flat().map((entry) => (holdsObjects ? parseEntry(entry) : entry))];
    }),
  );

/** An empty text means absent in forms. */
const isWholeList = (value: string | string[]): boolean => typeof value === "string" && /^\s*(?:\[|$)/.test(value);

function parseEntry(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the feature says what was expected.
    return text;
  }
}
