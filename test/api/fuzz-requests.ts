// Requests for the fuzz test, made from the OpenAPI document: the same number always gives the same request.
import { isBinary, type OpenApiDocument, type Operation, type Parameter } from "#platform/http/openapi.js";
import type { JsonSchema } from "#platform/http/openapi-schemas.js";
import { engine } from "#test/server/harness.js";
import { type AnySchema, type Choose, fitting, type Hints, pick } from "./fitting-values.js";
import { multipartBody } from "./hostile-forms.js";
import {
  hostileBodies,
  hostileEncodings,
  hostileHeaders,
  hostileJson,
  hostileNumbers,
  hostileQueries,
  hostileTexts,
  hostileTypes,
} from "./hostile-values.js";

export interface FuzzRequest {
  target: Target;
  method: string;
  path: string;
  headers: Record<string, string | string[]>;
  body: Buffer | undefined;
}

/** The values for requests; they are renewed from time to time, as accounts come and go. */
export interface Cast {
  /** Credentials as headers: valid and invalid ones. */
  sessions: Record<string, string>[];
  tokens: Record<string, string>[];
  strangers: Record<string, string>[];
  hints: Hints;
}

export interface Target {
  id: string;
  method: string;
  path: string;
  parameters: Parameter[];
  json: AnySchema | undefined;
  form: AnySchema | undefined;
  htmlForm: AnySchema | undefined;
  /** Pages show refusals in HTML. */
  isPage: boolean;
  needsSession: boolean;
  /** The relative frequency of the operation. */
  weight: number;
}

/** mulberry32: small, fast and deterministic. */
export function chooser(seed: number): Choose {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export function toTargets(document: OpenApiDocument): Target[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => toTarget(document, path, method, operation)),
  );
}

function toTarget(document: OpenApiDocument, path: string, method: string, operation: Operation): Target {
  const content = operation.requestBody?.content ?? {};
  const schemaOf = (type: string) => content[type] && (inlined(content[type].schema, document) as AnySchema);
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    parameters: (operation.parameters ?? []).map((parameter) => inlined(parameter, document) as Parameter),
    json: schemaOf("application/json") ?? withoutFiles(schemaOf("multipart/form-data")),
    form: schemaOf("multipart/form-data"),
    htmlForm: schemaOf("application/x-www-form-urlencoded"),
    isPage: operation.responses[200]?.content?.["text/html"] !== undefined,
    needsSession: operation.security.length === 1 && "session" in operation.security[0]!,
    // Operations that check passwords cost a thousand times as much as the others.
    weight: operation["x-rate-class"].name === "signIn" ? 1 : 3,
  };
}

/** A form whose files are optional can also be sent as JSON. */
function withoutFiles(form: AnySchema | undefined): AnySchema | undefined {
  const fields = Object.entries(form?.properties ?? {});
  const files = fields.filter(([, field]) => isBinary(field as JsonSchema)).map(([name]) => name);
  if (!form || files.some((name) => form.required?.includes(name))) return undefined;
  const texts = fields.map(([name, field]) => [name, field.anyOf ? { ...field, anyOf: field.anyOf.slice(1) } : field]);
  return { ...form, properties: Object.fromEntries(texts.filter(([, field]) => !isBinary(field as JsonSchema))) };
}

/** References replaced by their targets. */
function inlined(node: unknown, document: OpenApiDocument): unknown {
  if (Array.isArray(node)) return node.map((each) => inlined(each, document));
  if (node === null || typeof node !== "object") return node;
  if ("$ref" in node && typeof node.$ref === "string") {
    const steps = node.$ref.split("/").slice(1);
    // biome-ignore lint/suspicious/noExplicitAny: a walk through a document by names.
    const found = steps.reduce((at: any, step) => at[step], document);
    return inlined(found, document);
  }
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, inlined(value, document)]));
}

/** The number that `npm test` sends on each engine; the long version sends twenty times as many. */
export const fuzzRequests = Number(process.env.FUZZ_REQUESTS ?? 1000);

/**
 * The same requests in every run unless another seed is given, so that a failure can be repeated. The engines get
 * different ones, so that more of them are tried.
 */
export function readSeed(text: string | undefined): number {
  return text === "random" ? Math.floor(Math.random() * 2 ** 31) : Number(text ?? (engine === "sqlite" ? 1 : 2));
}

/** Neighboring numbers give unrelated requests. */
const seedOf = (seed: number, at: number): number => Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(at + 1, 0x85ebca6b);

export class RequestMaker {
  readonly #seed: number;
  readonly #hat: Target[];

  constructor(seed: number, targets: readonly Target[]) {
    this.#seed = seed;
    this.#hat = targets.flatMap((target) => Array.from({ length: target.weight }, () => target));
  }

  /** The request with this number. */
  make(at: number, cast: Cast): FuzzRequest {
    const choose = chooser(seedOf(this.#seed, at));
    const target = pick(this.#hat, choose);
    return new Draft(target, cast, choose).request();
  }
}

/** Most requests have only one fault, because those get furthest. */
const breakages = [
  "nothing",
  "nothing",
  "path",
  "query",
  "field",
  "field",
  "field",
  "body",
  "type",
  "headers",
  "all",
] as const;
type Breakage = (typeof breakages)[number];

class Draft {
  readonly #target: Target;
  readonly #cast: Cast;
  readonly #choose: Choose;
  readonly #breakage: Breakage;

  constructor(target: Target, cast: Cast, choose: Choose) {
    this.#target = target;
    this.#cast = cast;
    this.#choose = choose;
    this.#breakage = pick(breakages, choose);
  }

  request(): FuzzRequest {
    const { method } = this.#target;
    const { body, headers } = this.#body();
    return {
      target: this.#target,
      method: this.#breakage === "all" && this.#oneIn(4) ? this.#pick(methods) : method,
      path: this.#path() + this.#query(),
      headers: {
        ...headers,
        ...this.#credential(),
        ...(this.#breaks("headers") && this.#pick(hostileHeaders)),
        ...(this.#breaks("type") && body && { "content-type": this.#pick(hostileTypes) }),
      },
      body,
    };
  }

  #pick = <T>(from: readonly T[]): T => pick(from, this.#choose);
  #oneIn = (times: number): boolean => this.#choose(times) === 0;
  #breaks = (part: Breakage): boolean => this.#breakage === part || (this.#breakage === "all" && this.#oneIn(2));
  #fitting = (schema: AnySchema, name = ""): unknown => fitting(schema, this.#choose, this.#cast.hints, name);

  #credential(): Record<string, string> {
    const { sessions, tokens, strangers } = this.#cast;
    if (this.#oneIn(4)) return this.#pick(strangers);
    return this.#target.needsSession || this.#oneIn(2) ? this.#pick(sessions) : this.#pick(tokens);
  }

  #path(): string {
    const { path, parameters } = this.#target;
    const breaks = this.#breaks("path");
    // The meaning of "ref" depends on the noun before it.
    const noun = /^\/(?:api\/|cdn\/data\/)?(\w+)/.exec(path)?.[1];
    const named = (name: string) => (`${noun} ${name}` in this.#cast.hints ? `${noun} ${name}` : name);
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
      if (breaks && this.#oneIn(2)) return this.#pick(hostileEncodings);
      const schema = parameters.find((parameter) => parameter.name === name)?.schema;
      return this.#encoded(breaks ? this.#pick(hostileTexts) : this.#fitting((schema ?? {}) as AnySchema, named(name)));
    });
    if (!breaks || !this.#oneIn(3)) return filled;
    return this.#pick([
      `${filled}/`,
      `/${filled}`,
      `${filled}/%2e%2e`,
      filled.toUpperCase(),
      `${filled}#x`,
      "//",
      "/%",
    ]);
  }

  #query(): string {
    const breaks = this.#breaks("query");
    if (breaks && this.#oneIn(3)) return `?${this.#pick(hostileQueries)}`;
    const given = this.#target.parameters.filter((each) => each.in === "query" && (each.required || this.#oneIn(2)));
    const pairs = given.map(({ name, schema }) => {
      if (breaks && this.#oneIn(4)) return `${name}=${this.#pick(hostileEncodings)}`;
      return `${name}=${this.#encoded(breaks ? this.#pick(hostileTexts) : this.#fitting(schema as AnySchema, name))}`;
    });
    if (breaks && this.#oneIn(2)) pairs.push(...pairs, this.#pick(hostileQueries));
    return pairs.length > 0 ? `?${pairs.join("&")}` : "";
  }

  #body(): Pick<FuzzRequest, "body" | "headers"> {
    const { json, form, htmlForm, method } = this.#target;
    const breaks = this.#breaks("body");
    if (htmlForm && this.#oneIn(2)) return this.#htmlForm(htmlForm);
    if ((form && this.#oneIn(2)) || (breaks && this.#oneIn(6)))
      return this.#multipart(form ?? json ?? {}, breaks || this.#breaks("field"));
    if (!json && (method === "GET" || !breaks)) return { body: undefined, headers: {} };
    const text = breaks ? this.#pick(hostileBodies) : this.#json(json ?? {});
    return { body: Buffer.from(text as string), headers: { "content-type": "application/json" } };
  }

  #multipart(schema: AnySchema, breaks: boolean): Pick<FuzzRequest, "body" | "headers"> {
    return multipartBody(schema, this.#fitting(schema), this.#choose, breaks);
  }

  #htmlForm(schema: AnySchema): Pick<FuzzRequest, "body" | "headers"> {
    const breaks = this.#breaks("field");
    const pairs = Object.entries(this.#fitting(schema) ?? {}).map(([name, value]) => {
      if (breaks && this.#oneIn(4)) return `${name}=${this.#pick(hostileEncodings)}`;
      return `${name}=${this.#encoded(breaks && this.#oneIn(2) ? this.#pick(hostileTexts) : value)}`;
    });
    if (breaks && this.#oneIn(3)) pairs.push(this.#pick(hostileQueries));
    return { body: Buffer.from(pairs.join("&")), headers: { "content-type": "application/x-www-form-urlencoded" } };
  }

  #json(schema: AnySchema): string {
    const value = this.#fitting(schema);
    const names = Object.keys(schema.properties ?? {});
    if (!this.#breaks("field") || names.length === 0) return JSON.stringify(value);
    const fields = new Map(Object.entries(value as object).map(([name, field]) => [name, JSON.stringify(field)]));
    const name = this.#pick([...names, ...names, "__proto__", "id", "role"]);
    if (this.#oneIn(6)) fields.delete(name);
    else fields.set(name, this.#hostileField());
    return `{${[...fields].map(([key, field]) => `${JSON.stringify(key)}:${field}`).join()}}`;
  }

  #hostileField(): string {
    const kind = this.#choose(6);
    if (kind === 0) return this.#pick(hostileJson);
    if (kind === 1) return JSON.stringify(this.#pick(hostileNumbers));
    if (kind === 2) return JSON.stringify([this.#pick(hostileTexts), this.#pick(hostileTexts)]);
    return JSON.stringify(this.#pick(hostileTexts));
  }

  /** Like encodeURIComponent, which refuses half a surrogate pair; and short enough to pass the first line's limit. */
  #encoded = (value: unknown): string => encodeURIComponent(String(value).toWellFormed().slice(0, 4000).toWellFormed());
}

const methods = ["HEAD", "OPTIONS", "GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "QUERY"];
