// The taxonomy file: its schema, and the parser that reports the line of every mistake in it. The compiled taxonomy
// that other features use is in taxonomy.ts.

import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { type Static, Type } from "typebox";
import { lengths } from "#lib/lengths.js";
import { fileTypes } from "#platform/archives/file-types.js";
import { type Said, type Sentence, say } from "#words/said.js";
import { didYouMean, findBrokenReferences } from "./references.js";
import { categoryKinds, releaseTypes, sideRules } from "./terms.js";
import { type Path, type Problem, quote, readYaml, type YamlSource } from "./yaml-source.js";

const [, licenseIdLength] = lengths.licenseId;
const texts = {
  name: {
    pattern: "^[a-z0-9][a-z0-9_+.-]{0,31}$",
    advice: say.taxonomy.nameForm,
  },
  version: {
    pattern: "^[A-Za-z0-9][A-Za-z0-9._+ -]{0,31}$",
    advice: say.taxonomy.versionForm,
  },
  license: {
    pattern: `^[A-Za-z0-9][A-Za-z0-9.+-]{0,${licenseIdLength - 1}}$`,
    advice: say.taxonomy.licenseForm(licenseIdLength),
  },
  /** The path of a list, or the name of an icon. */
  slug: { pattern: "^[a-z0-9][a-z0-9-]{0,31}$", advice: say.taxonomy.slugForm },
  color: { pattern: "^#[0-9a-fA-F]{6}$", advice: say.taxonomy.colorForm },
  url: { pattern: "^https?://\\S+$", advice: say.taxonomy.urlForm },
};
const Name = (description: string) => Type.String({ pattern: texts.name.pattern, description });
const Label = Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: "Display name." }));
const Icon = Type.Optional(Type.String({ pattern: texts.slug.pattern, description: "Name of an icon." }));
const TypeNames = Type.Array(Name("Name of a project type."), { minItems: 1 });
const SideRule = Type.Enum([...sideRules], {
  default: "chosen",
  description: "chosen: the author of the project decides.",
});
const closed = { additionalProperties: false };

const ProjectTypeEntry = Type.Object(
  {
    name: Name("As it appears in URLs and answers."),
    label: Label,
    plural: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: "Display name of several. Without it: the label and an s.",
      }),
    ),
    path: Type.Optional(
      Type.String({ pattern: texts.slug.pattern, description: "Path of its list. Without it: the name and an s." }),
    ),
    icon: Icon,
    primaryFileTypes: Type.Array(Type.Enum([...fileTypes]), {
      minItems: 1,
      default: ["jar", "zip", "7z", "gz", "tar"],
      description: "Allowed types of the primary file of a version.",
    }),
    clientSide: SideRule,
    serverSide: SideRule,
  },
  { ...closed, description: "One kind of project. Short form: just its name." },
);
const LoaderEntry = Type.Object(
  {
    name: Name("As versions of projects name it."),
    label: Label,
    icon: Icon,
    color: Type.Optional(Type.String({ pattern: texts.color.pattern, description: "Color of its name: #1a2b3c." })),
    projectTypes: TypeNames,
  },
  { ...closed, description: "A program that loads projects of these types into the game." },
);
const CategoryEntry = Type.Object(
  {
    name: Name("Unique among all kinds of categories."),
    icon: Icon,
    projectTypes: TypeNames,
    kind: Type.Enum([...categoryKinds], { default: "category" }),
    displayed: Type.Boolean({ default: true, description: "Shown on the pages of projects." }),
  },
  { ...closed, description: "A category for projects of these types." },
);
const GameVersionEntry = Type.Object(
  {
    value: Type.String({ pattern: texts.version.pattern, description: "As versions of projects name it." }),
    label: Label,
    releaseType: Type.Optional(Type.Enum([...releaseTypes], { description: "Without it: the default release type." })),
    major: Type.Boolean({ default: false }),
  },
  { ...closed, description: "One version of the game. Short form: just its value." },
);
const LicenseEntry = Type.Object(
  {
    id: Type.String({ pattern: texts.license.pattern, description: "As projects name it." }),
    name: Type.String({ minLength: 1, maxLength: lengths.licenseName[1] }),
    url: Type.Optional(Type.String({ pattern: texts.url.pattern, maxLength: lengths.link[1] })),
    text: Type.Optional(Type.String({ minLength: 1 })),
  },
  closed,
);

export const TaxonomyDocument = Type.Object(
  {
    projectTypes: Type.Array(ProjectTypeEntry, { minItems: 1, description: "In the order in which they are offered." }),
    combinations: Type.Array(Type.Array(Name("Name of a project type."), { minItems: 2 }), {
      default: [],
      description: "Groups of types that one project may have together; subsets are allowed too.",
    }),
    loaders: Type.Array(LoaderEntry, { default: [] }),
    categories: Type.Array(CategoryEntry, { default: [] }),
    defaultReleaseType: Type.Enum([...releaseTypes], { default: "release" }),
    gameVersions: Type.Array(GameVersionEntry, { minItems: 1, description: "Newest first." }),
    licenses: Type.Object(
      {
        spdx: Type.Boolean({ default: true, description: "Offer all current licenses of the SPDX list." }),
        featured: Type.Array(Type.String(), {
          default: [],
          description: "Ids of the featured licenses.",
        }),
        additional: Type.Array(LicenseEntry, {
          default: [],
          description: "Additional licenses that are not on the SPDX list.",
        }),
      },
      { ...closed, default: {} },
    ),
  },
  { ...closed, description: "Project types, loaders, categories, game versions and licenses of one registry." },
);
export type TaxonomyDocument = Static<typeof TaxonomyDocument>;

export type ParsedTaxonomy =
  | { ok: true; document: TaxonomyDocument }
  /** `report` is the same for a terminal or a log, with the name of the file. */
  | { ok: false; problems: Problem[]; report: string };

// A test checks the schema itself (test/laws/endpoints.test.ts). Compiled when first used: most starts read no file.
let validator: ValidateFunction<TaxonomyDocument> | undefined;
const getValidator = (): ValidateFunction<TaxonomyDocument> => {
  const options = { allErrors: true, useDefaults: true, verbose: true, validateSchema: false };
  validator ??= new Ajv(options).compile<TaxonomyDocument>(TaxonomyDocument);
  return validator;
};

const maxProblems = 100;

/**
 * Reads a taxonomy file (YAML or JSON). All problems are reported together, but a YAML syntax error hides the others.
 */
export function parseTaxonomy(text: string, fileName: string): ParsedTaxonomy {
  const read = readYaml(text);
  if ("problems" in read) return refuse(fileName, read.problems);

  const value = expandShortForms(read.source.value);
  const place = read.source.place;
  const validate = getValidator();
  const valid = validate(value);
  const problems = (validate.errors ?? []).slice(0, maxProblems).map((error) => toProblem(error, read.source));
  for (const { path, message } of findBrokenReferences(value, (path) => place(path).line)) {
    problems.push({ ...place(path), message });
    if (problems.length >= maxProblems) break;
  }
  return valid && problems.length === 0 ? { ok: true, document: value } : refuse(fileName, problems);
}

function refuse(fileName: string, found: Problem[]): ParsedTaxonomy {
  const problems = found.toSorted((a, b) => a.line - b.line || a.column - b.column).slice(0, maxProblems);
  const lines = problems.map(({ line, column, message }) => `  line ${line}, column ${column}: ${message}`);
  if (problems.length === maxProblems) lines.push(`  Only the first ${maxProblems} problems are shown.`);
  return { ok: false, problems, report: [`The taxonomy file ${fileName} cannot be used.`, ...lines].join("\n") };
}

/** A plain string in these lists is short for an entry with only that name. */
function expandShortForms(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const expand = (list: unknown, key: string) =>
    Array.isArray(list) ? list.map((item) => (typeof item === "string" ? { [key]: item } : item)) : list;
  const { projectTypes, gameVersions } = value as Record<string, unknown>;
  return {
    ...value,
    ...(projectTypes !== undefined && { projectTypes: expand(projectTypes, "name") }),
    ...(gameVersions !== undefined && { gameVersions: expand(gameVersions, "value") }),
  };
}

const expected: Record<string, Said> = {
  object: say.taxonomy.expectedObject,
  array: say.taxonomy.expectedArray,
  string: say.taxonomy.expectedString,
  boolean: say.taxonomy.expectedBoolean,
};

function toProblem(error: ErrorObject, source: YamlSource): Problem {
  const path: Path = error.instancePath
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (error.keyword !== "additionalProperties") return { ...source.place(path), message: describe(error) };
  const key: string = error.params.additionalProperty;
  const hint = didYouMean(key, Object.keys(error.parentSchema?.properties ?? {}));
  return { ...source.placeOfKey(path, key), message: say.taxonomy.unknownKey(quote(key), hint) };
}

function describe({ keyword, params, data }: ErrorObject): Said {
  switch (keyword) {
    case "required":
      return say.taxonomy.missingKey(quote(params.missingProperty));
    case "type":
      return say.taxonomy.wrongType(expected[params.type]!, found(data));
    case "enum":
      return say.taxonomy.notAllowed(found(data), didYouMean(String(data), params.allowedValues));
    case "pattern": {
      const text = Object.values(texts).find(({ pattern }) => pattern === params.pattern);
      return say.taxonomy.notAllowed(found(data), say.taxonomy.useForm(text!.advice));
    }
    case "minItems":
      return params.limit === 1 ? say.taxonomy.atLeastOne : say.taxonomy.atLeast(params.limit);
    case "minLength":
      return say.taxonomy.emptyText;
    default:
      return say.taxonomy.longText(params.limit);
  }
}

function found(data: unknown): Sentence {
  if (data === null) return say.taxonomy.foundNothing;
  if (Array.isArray(data)) return say.taxonomy.foundList;
  if (typeof data === "object") return say.taxonomy.foundKeys;
  return typeof data === "string" ? quote(data) : String(data);
}
