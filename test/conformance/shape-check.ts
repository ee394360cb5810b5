// Checks a value against a type as the interface's tables write it: "string (URL) or null", "timestamp", "Member[]" …
import { statements } from "./statements.js";

/** The names in the statement that lists them. */
const namesIn = (id: string): string[] => (statements.get(id) ?? "").split(": ")[1]!.replace(/\.$/, "").split(", ");

export const apiScopes: readonly string[] = namesIn("5.scopes");
export const restrictedScopes: readonly string[] = namesIn("5.restricted");

const isString = (value: unknown): value is string => typeof value === "string";
const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);
const isListOf = (value: unknown, test: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(test);

export const isTimestamp = (value: unknown): boolean =>
  isString(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(value) && !Number.isNaN(Date.parse(value));

const kinds: Record<string, (value: unknown) => boolean> = {
  string: isString,
  "string[]": (value) => isListOf(value, isString),
  "API_SCOPE[]": (value) => isListOf(value, (item) => isString(item) && apiScopes.includes(item)),
  number: Number.isFinite,
  boolean: (value) => typeof value === "boolean",
  timestamp: isTimestamp,
  array: Array.isArray,
  object: isObject,
  varies: Array.isArray,
};

export const isNullable = (type: string): boolean => / or null$/.test(type);

/** Values that the table lists as observed. */
export const observedIn = (type: string): string[] =>
  /observed(?: values?)?: ([^;)]+)/.exec(type)?.[1]?.split(", ") ?? [];

export function fits(type: string, value: unknown): boolean {
  if (value === null) return isNullable(type);
  const kind = type.split(" ")[0]!;
  const isKind = kinds[kind] ?? (kind.endsWith("[]") ? (given: unknown) => isListOf(given, isObject) : isObject);
  if (!isKind(value)) return false;
  if (type.includes("(URL")) return URL.canParse(value as string) && /^https?:\/\//.test(value as string);
  if (type.includes("(hex)")) return /^[0-9a-f]+$/.test(value as string);
  if (type.includes("(file name)")) return /^[^/\\]+$/.test(value as string);
  return true;
}
