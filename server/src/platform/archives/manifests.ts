// Reads the manifest of an archive, to fill in fields that its author left empty. The content is untrusted: texts are
// bounded and cleaned, and values that make no sense are ignored.
import { parse as parseToml } from "smol-toml";
import {
  type DependencyPlace,
  gameIds,
  type ManifestRule,
  manifestRules,
  platformIds,
  type Steps,
} from "./manifest-table.js";

export interface FoundManifest {
  kind: string;
  id?: string;
  name?: string;
  version?: string;
  description?: string;
  license?: string;
  loaders: string[];
  dependencies: FoundDependency[];
  /** In the notation of the manifest. */
  gameVersionRange?: string;
}

export interface FoundDependency {
  id: string;
  required: boolean;
}

const maxManifestBytes = 256 * 1024;
/** The nesting of arrays and inline tables in TOML, which is parsed recursively. Manifests need three levels. */
const maxDepth = 16;
const maxLengths = { id: 64, name: 128, version: 64, description: 2000, license: 128, range: 256 };
const maxDependencies = 256;
const idForm = /^[A-Za-z0-9][A-Za-z0-9._+-]*$/;

/** How many bytes of this file to keep; 0 if it is not a manifest. */
export function wantedManifestBytes(path: string): number {
  return manifestRules.some(({ file }) => file === path) ? maxManifestBytes : 0;
}

export function findManifest(files: ReadonlyMap<string, Buffer>): FoundManifest | undefined {
  const found = manifestRules.flatMap((rule) => {
    const bytes = files.get(rule.file);
    const document = bytes && parse(rule, bytes);
    return document === undefined ? [] : [readManifest(rule, document)];
  });
  const [first] = found;
  return first && { ...first, loaders: [...new Set(found.flatMap(({ loaders }) => loaders))] };
}

function parse({ format }: ManifestRule, bytes: Buffer): unknown {
  const text = bytes.toString("utf8").replace(/^\ufeff/, "");
  try {
    return format === "toml" ? parseToml(text, { maxDepth }) : JSON.parse(text);
  } catch {
    // An unreadable manifest is no reason to refuse the file: authors can fill in the same fields themselves.
    return undefined;
  }
}

function readManifest(rule: ManifestRule, document: unknown): FoundManifest {
  const all = rule.dependencies.flatMap((place) => listDependencies(document, place));
  const range = all.find(({ id, range }) => gameIds.includes(id) && range !== undefined)?.range;
  const loaders = all.flatMap(({ id }) => (Object.hasOwn(platformIds, id) ? (platformIds[id] ?? []) : []));
  const projects = all.filter(({ id }) => !gameIds.includes(id) && !Object.hasOwn(platformIds, id));
  const texts = {
    id: findText(document, rule.id, maxLengths.id, idForm),
    name: findText(document, rule.name, maxLengths.name),
    version: findText(document, rule.version, maxLengths.version),
    description: findText(document, rule.description, maxLengths.description),
    license: findText(document, rule.license, maxLengths.license),
    gameVersionRange: range,
  };
  return {
    kind: rule.kind,
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)),
    // A pack has no loader of its own: it uses the loader that it depends on.
    loaders: rule.loaders.length > 0 ? [...rule.loaders] : loaders,
    dependencies: withoutRepeats(projects).slice(0, maxDependencies),
  };
}

/** The first entry wins: required dependencies come before optional ones in the table. */
function withoutRepeats(dependencies: readonly FoundDependency[]): FoundDependency[] {
  const first = new Map<string, FoundDependency>();
  for (const { id, required } of dependencies) if (!first.has(id)) first.set(id, { id, required });
  return [...first.values()];
}

type RangedDependency = FoundDependency & { range?: string };

function listDependencies(document: unknown, { at, shape, required }: DependencyPlace): RangedDependency[] {
  const place = follow(document, at);
  const entries = isObject(place) ? Object.entries(place) : [];
  if (shape === "map") return entries.flatMap(([id, value]) => toDependency(id, value, required));
  const lists = Array.isArray(place) ? [place] : shape === "lists" ? entries.map(([, list]) => list) : [];
  // "One of these" (a list in the list) cannot be expressed as a dependency; each item becomes an optional one.
  return lists.flatMap(listOf).flatMap((item) => {
    if (!Array.isArray(item)) return toDependency(undefined, item, required);
    return item.flatMap((choice) => toDependency(undefined, choice, false));
  });
}

/** Loaders use different fields here; an entry that excludes another project is not a dependency. */
function toDependency(key: string | undefined, value: unknown, required: boolean): RangedDependency[] {
  const fields = isObject(value) ? value : {};
  const named = key ?? (typeof value === "string" ? value : (fields.id ?? fields.modId));
  const id = toText(named, maxLengths.id, undefined)?.split(":").at(-1) ?? "";
  if (!idForm.test(id) || fields.type === "incompatible" || fields.type === "discouraged") return [];
  const isOptional =
    fields.optional === true || fields.isRequired === false || fields.mandatory === false || fields.type === "optional";
  const range = toRange(
    key !== undefined && !isObject(value) ? value : (fields.versions ?? fields.ver ?? fields.versionRange),
  );
  return [{ id, required: required && !isOptional, ...(range === undefined ? {} : { range }) }];
}

function toRange(value: unknown): string | undefined {
  const parts = Array.isArray(value) ? value.filter((part) => typeof part === "string") : [value];
  return toText(parts.length > 1 ? parts.join(" || ") : parts[0], maxLengths.range, undefined);
}

function findText(
  document: unknown,
  places: readonly Steps[] = [],
  maxLength: number,
  form?: RegExp,
): string | undefined {
  for (const steps of places) {
    const text = toText(follow(document, steps), maxLength, form);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Undefined for unreplaced placeholders ("${version}") and for texts that are too long. */
function toText(value: unknown, maxLength: number, form: RegExp | undefined): string | undefined {
  if (typeof value !== "string" || value.includes("${")) return undefined;
  const text = value
    .replace(/[^\P{C}\n\t]/gu, "")
    .normalize("NFC")
    .trim();
  const isFit = text !== "" && text.length <= maxLength && (form?.test(text) ?? true);
  return isFit ? text : undefined;
}

function follow(document: unknown, steps: Steps): unknown {
  return steps.reduce<unknown>((value, step) => {
    if (step === 0) return Array.isArray(value) ? value[0] : undefined;
    return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }, document);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
