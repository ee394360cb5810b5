// A request to copy: values from the schemas' examples, written as a curl command.
import { fileName, isBinary, type OpenApiDocument, type Operation, type Parameter } from "#platform/http/openapi.js";
import { type JsonSchema, referencedName } from "#platform/http/openapi-schemas.js";

export interface ExampleRequest {
  method: string;
  url: string;
  credential: "none" | "token" | "session";
  /** Makes curl store the cookie that the answer sets. */
  keepsCookie: boolean;
  json?: unknown;
  /** Parts of a multipart form, in their order. A part with a file has the file's name. */
  parts?: { name: string; text?: string; file?: string }[];
  /** The answer is a file, whose name is taken from the URL or from the answer. */
  download?: "byAddress" | "byAnswer";
}

export function toExample(document: OpenApiDocument, path: string, method: string): ExampleRequest {
  const operation = document.paths[path]![method]!;
  const content = operation.requestBody?.content ?? {};
  const answer = operation.responses[200]!;
  const json = content["application/json"]?.schema;
  const form = content["multipart/form-data"]?.schema;
  const types = Object.keys(answer.content ?? {});
  const download = answer.headers?.["Content-Disposition"] ? "byAnswer" : "byAddress";
  return {
    method: method.toUpperCase(),
    url: toUrl(document, path, operation),
    credential: credentialOf(operation),
    keepsCookie: answer.headers?.["Set-Cookie"] !== undefined,
    ...(json && { json: exampleOf(document, json) }),
    ...(form && { parts: toParts(document, form) }),
    ...(types.some((type) => !/^(?:text\/|application\/json)/.test(type)) && { download }),
  };
}

/** The required parts of a form and those with an example; a list becomes one part for each entry. */
function toParts(document: OpenApiDocument, form: JsonSchema): NonNullable<ExampleRequest["parts"]> {
  const texts = Object.entries(exampleOf(document, form) as Record<string, unknown>).flatMap(([name, value]) =>
    isBinary(form.properties![name]!) ? [] : [value].flat().map((entry) => ({ name, text: toText(entry) })),
  );
  const files = Object.entries(form.properties ?? {}).flatMap(([name, part]) => {
    const file = part[fileName];
    return typeof file === "string" ? [{ name, file }] : [];
  });
  return [...texts, ...files];
}

const toText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

export function toCurl(example: ExampleRequest): string {
  const { method, json, parts = [], credential, download } = example;
  const isImplied = method === "GET" || (method === "POST" && (json !== undefined || parts.length > 0));
  const lines = [
    `curl ${isImplied ? "" : `-X ${method} `}${quoted(example.url)}`,
    ...(credential === "token" ? ['-H "Authorization: Bearer $MODSHELF_TOKEN"'] : []),
    ...(credential === "session" ? ["-b cookies.txt"] : []),
    ...(example.keepsCookie ? ["-c cookies.txt"] : []),
    ...(json !== undefined ? ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(json))}`] : []),
    ...parts.map(({ name, text, file }) =>
      file ? `-F ${quoted(`${name}=@${file}`)}` : `-F ${quoted(`${name}=${text}`)}`,
    ),
    ...(download ? [download === "byAnswer" ? "-OJ" : "-O"] : []),
  ];
  return lines.join(" \\\n  ");
}

/** Quoted for a shell if necessary. */
const quoted = (text: string): string => (/^[\w:/.,@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

function toUrl(document: OpenApiDocument, path: string, operation: Operation): string {
  const parameters = (operation.parameters ?? []).filter((parameter): parameter is Parameter => "name" in parameter);
  const textFor = ({ schema }: Parameter) => String(exampleOf(document, schema));
  // "path" stands for the rest of the path (platform/http/endpoint.ts), including slashes.
  const inPath = (parameter: Parameter) => {
    const text = encodeURIComponent(textFor(parameter));
    return parameter.name === "path" ? text.replaceAll("%2F", "/") : text;
  };
  const filled = parameters
    .filter((parameter) => parameter.in === "path")
    .reduce((url, parameter) => url.replace(`{${parameter.name}}`, inPath(parameter)), path);
  const query = parameters
    .filter((parameter) => parameter.in === "query" && (parameter.required || parameter.schema.examples))
    .map((parameter) => `${parameter.name}=${encodeURIComponent(textFor(parameter)).replaceAll("%2C", ",")}`);
  return `${document.servers[0]!.url}${filled}${query.length > 0 ? `?${query.join("&")}` : ""}`;
}

function credentialOf({ security }: Operation): ExampleRequest["credential"] {
  const [first] = security;
  if (!first || Object.keys(first).length === 0) return "none";
  return "bearer" in first ? "token" : "session";
}

/** A valid value: the schema's own example, or the smallest value that fits. */
export function exampleOf(document: OpenApiDocument, schema: JsonSchema): unknown {
  const name = referencedName(schema);
  if (name !== undefined) return exampleOf(document, document.components.schemas[name]!);
  if (schema.examples) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return exampleOf(document, schema.anyOf[0]!);
  if (schema.type === "object") return exampleObject(document, schema);
  if (schema.type === "array") return schema.items ? [exampleOf(document, schema.items)] : [];
  if (schema.type === "integer" || schema.type === "number") return schema.minimum ?? 1;
  if (schema.type === "boolean") return true;
  return schema.type === "null" ? null : "text";
}

/** Required properties, and optional ones that have an example. */
function exampleObject(document: OpenApiDocument, { properties = {}, required = [] }: JsonSchema): unknown {
  const shown = Object.entries(properties).filter(
    ([name, property]) => required.includes(name) || hasExample(property),
  );
  return Object.fromEntries(shown.map(([name, property]) => [name, exampleOf(document, property)]));
}

const hasExample = (schema: JsonSchema): boolean =>
  schema.examples !== undefined || (schema.anyOf ?? []).some(hasExample);
