// Calls endpoints by their ids with the reference's own examples, and stores the server's answers: shortened, and
// without secrets.
import { routes } from "#app.js";
import { consumers } from "#operations/background/consumers.js";
import { catchUp } from "#platform/changes/consumer.js";
import type { OpenApiDocument } from "#platform/http/openapi.js";
import type { ExampleAnswer } from "#platform/http/openapi-answers.js";
import type { Actor, Reply } from "#test/callers/actors.js";
import type { TestApp } from "#test/server/harness.js";
import { toExample } from "#web/docs/example.js";

export interface Step {
  actor?: Actor;
  /** Overrides the known values. */
  params?: Record<string, string>;
  /** Overrides the example of the reference; an empty text leaves it out. */
  query?: string;
  json?: unknown;
  form?: Record<string, string | Blob>;
  /** Another call of this endpoint is a better example. */
  unseen?: true;
  /** Removes the parts of the answer that differ each time. */
  steady?: (body: unknown) => unknown;
}

export const endpointsById = new Map(routes.map(({ endpoint }) => [endpoint.id, endpoint]));

interface Cast {
  anyone: Actor;
  user: Actor;
  moderator: Actor;
  admin: Actor;
}

const longestText = 300;
const mostEntries = 2;

export class Recorder {
  readonly examples = new Map<string, ExampleAnswer>();
  /** Refused requests with their reasons. */
  readonly refused: string[] = [];
  /** The value of a parameter: by its name, or by the beginning of the path and its name, which takes precedence. */
  readonly known = new Map<string, string>();
  readonly #world: Pick<TestApp, "app" | "clock" | "resources">;
  readonly #document: OpenApiDocument;
  readonly #cast: Cast;
  /** URLs of this run, and their replacements in the examples. */
  readonly #shown: readonly (readonly [string, string])[];

  constructor(
    world: Pick<TestApp, "app" | "clock" | "resources">,
    document: OpenApiDocument,
    cast: Cast,
    shown: readonly (readonly [string, string])[],
  ) {
    this.#world = world;
    this.#document = document;
    this.#cast = cast;
    this.#shown = shown;
  }

  /** Calls the endpoint and stores its answer if it succeeded. */
  async call(id: string, step: Step = {}): Promise<Reply> {
    const endpoint = endpointsById.get(id);
    if (!endpoint) throw new Error(`There is no endpoint ${id}`);
    const path = endpoint.path.replace(/:(\w+)/g, "{$1}").replace(/\*$/, "{path}");
    const method = endpoint.method.toLowerCase();
    const example = toExample(this.#document, path, method);
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => step.params?.[name] ?? this.#value(id, path, name));
    const query = step.query ?? new URL(example.url).search.slice(1);
    const body = step.form ? { body: toForm(step.form) } : { json: step.json ?? example.json };
    const reply = await this.#actorFor(id, step).call(
      endpoint.method,
      `${filled}${query && `?${query}`}`,
      endpoint.method === "GET" ? {} : body,
    );
    if (reply.status !== 200) {
      this.refused.push(`${id}: ${reply.status} ${reply.text.slice(0, 400)}`);
      return reply;
    }
    if (!step.unseen) this.#keep(id, path, method, reply, step.steady);
    if (endpoint.method !== "GET") await this.#finish();
    return reply;
  }

  /** Background work belongs to the moment of its request, so that its times and ids are the same each time. */
  async #finish(): Promise<void> {
    const { app, clock, resources } = this.#world;
    for (const consumer of consumers) await catchUp(resources, consumer);
    await app.jobs.settle();
    clock.advance(1000);
    await app.jobs.settle();
  }

  #actorFor(id: string, { actor }: Step): Actor {
    const { access } = endpointsById.get(id)!;
    if (actor) return actor;
    if (access.role) return this.#cast[access.role];
    return access.kind === "open" || access.kind === "readable" ? this.#cast.anyone : this.#cast.user;
  }

  #value(id: string, path: string, name: string): string {
    const beginnings = [...this.known].filter(
      ([key]) => key.endsWith(` ${name}`) && path.startsWith(key.split(" ")[0]!),
    );
    const value = beginnings.at(-1)?.[1] ?? this.known.get(name);
    if (value === undefined) throw new Error(`${id}: what stands for ${name} in ${path} is not known`);
    return value;
  }

  #keep(id: string, path: string, method: string, reply: Reply, steady: Step["steady"] = (body) => body): void {
    if (this.examples.has(id)) return;
    const declared = Object.keys(this.#document.paths[path]![method]!.responses[200]!.content ?? {});
    const sent = baseOf(reply.headers.get("content-type") ?? "");
    const type = declared.find((one) => baseOf(one) === sent);
    if (type === undefined) throw new Error(`${id}: answers ${sent}, and declares ${declared}`);
    if (sent === "application/json") this.examples.set(id, { body: this.#shorten(steady(reply.body)) });
    else if (/^text\/|[/+]xml$/.test(sent))
      this.examples.set(id, { type, body: this.#shortText(String(steady(reply.text)), 2 * longestText) });
    else this.examples.set(id, { headers: this.#headersOf(reply) });
  }

  #headersOf({ headers }: Reply): Record<string, string> {
    const names = ["accept-ranges", "content-disposition", "content-length", "etag"];
    return Object.fromEntries(names.flatMap((name) => (headers.has(name) ? [[name, headers.get(name)!]] : [])));
  }

  #shorten = (value: unknown): unknown => {
    if (typeof value === "string") return this.#shortText(value, longestText);
    if (Array.isArray(value)) return value.slice(0, mostEntries).map(this.#shorten);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [this.#publicText(name), this.#shorten(one)]));
  };

  #shortText(text: string, longest: number): string {
    const shown = this.#publicText(text);
    return shown.length > longest ? `${shown.slice(0, longest)}…` : shown;
  }

  /** Replaces URLs by those of a generic installation, and secrets by placeholders. */
  #publicText(text: string): string {
    const renamed = this.#shown.reduce((shown, [from, to]) => shown.replaceAll(from, to), text);
    return renamed.replace(/\b(ms[a-z]_|whsec_|code_challenge=)[\w+/=-]{16,}/g, "$1EXAMPLE");
  }
}

const baseOf = (type: string): string => type.split(";")[0]!.trim();

function toForm(parts: Record<string, string | Blob>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts)) form.append(name, value);
  return form;
}
