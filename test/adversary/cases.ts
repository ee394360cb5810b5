// Every request of the suite, from the contracts of the routes: a new endpoint is attacked automatically. The attacks
// rotate over the routes, so that one round attacks each route in every way and makes each attack on many routes. The
// next round gives every route the attack after its last one.
import type { EndpointSpec } from "#platform/http/endpoint.js";
import { fitting } from "#test/api/fitting-values.js";
import { formToken, formTokenField } from "#web/context/form-token.js";
import { runNames } from "./bait.js";
import { type Body, jsonOf, multipartFile, multipartOf, urlencodedOf, wholeBodies } from "./bodies.js";
import { hostileFor, largest, type Schema } from "./fields.js";
import { encodedBait, endings, headers as hostileHeaders, parameterBait, queries } from "./heads.js";
import type { Sent } from "./measured-server.js";
import type { Who, World } from "./world.js";

export interface Case {
  /** The same on every route. */
  attack: string;
  endpoint: EndpointSpec;
  who: Who;
  make(salt: number): Sent;
}

export class CaseMaker {
  readonly #world: World;
  readonly #round: number;
  #turn: number;

  constructor(world: World, round: number) {
    this.#world = world;
    this.#round = round;
    this.#turn = round;
  }

  /** Every call continues where the last one stopped. */
  #next = <T>(table: readonly T[]): T => table[this.#turn++ % table.length]!;

  /** Anonymous callers and members, each in turn. */
  #caller(endpoint: EndpointSpec): Who {
    const isOpen = endpoint.access.kind === "open" || endpoint.access.kind === "readable";
    const isForStaff = /^\/(?:api\/)?(?:admin|moderation)\b/.test(endpoint.path);
    const member = isForStaff ? "admin" : "member";
    return isOpen && this.#turn++ % 2 === 0 ? "guest" : member;
  }

  of(endpoint: EndpointSpec): Case[] {
    return [...this.#heads(endpoint), ...(endpoint.method === "GET" ? [] : this.#bodies(endpoint))];
  }

  #heads(endpoint: EndpointSpec): Case[] {
    const path = this.#path(endpoint);
    const cases: Case[] = [];
    const add = (attack: string, make: (salt: number) => Omit<Sent, "method">) => {
      const who = this.#caller(endpoint);
      cases.push({ attack, endpoint, who, make: (salt) => this.#sent(endpoint, who, make(salt)) });
    };
    if (endpoint.method === "GET") {
      const reader = { accept: "text/html,*/*;q=0.8", "accept-encoding": "gzip, deflate, br, zstd" };
      add("a read that was never asked before", (salt) => ({ path: `${path}?x=${salt}`, headers: reader }));
      const asked = Object.entries((endpoint.query?.properties ?? {}) as Record<string, Schema>);
      add("a read with all that can be asked", (salt) => ({
        path: `${path}?${asked
          .map(([name, schema]) => `${name}=${encodeURIComponent(`${largest(schema, this.#world.hints, name, salt)}`)}`)
          .join("&")}`.slice(0, 14_000),
        headers: reader,
      }));
      const [name, make] = this.#next(Object.entries(queries));
      add(`query: ${name}`, (salt) => ({ path: `${path}?${make(salt)}`, headers: {} }));
    }
    for (const name of Object.keys(endpoint.query?.properties ?? {})) {
      const run = this.#next(runNames);
      add(`parameter: ${run}`, () => ({ path: `${path}?${name}=${encodedBait(run)}`, headers: {} }));
    }
    for (const name of Object.keys(endpoint.params?.properties ?? {})) {
      const run = this.#next(runNames);
      add(`path: ${run}`, () => ({ path: this.#path(endpoint, { [name]: parameterBait(run) }), headers: {} }));
    }
    const [ending, text] = this.#next(Object.entries(endings));
    add(`path: ${ending}`, () => ({ path: path + text, headers: {} }));
    const [kind, headers] = this.#next(Object.entries(hostileHeaders));
    add(`headers: ${kind}`, () => ({ path, headers }));
    return cases;
  }

  #bodies(endpoint: EndpointSpec): Case[] {
    const path = this.#path(endpoint);
    const fields = (endpoint.body?.properties ?? {}) as Record<string, Schema>;
    const names = [...Object.keys(endpoint.files ?? {}), ...Object.keys(fields)];
    const cases: Case[] = [];
    const add = (attack: string, make: (salt: number, who: Who) => Body) => {
      const who = this.#caller(endpoint);
      cases.push({
        attack,
        endpoint,
        who,
        make: (salt) => {
          const { type, bytes } = make(salt, who);
          return this.#sent(endpoint, who, { path, headers: type ? { "content-type": type } : {}, body: bytes });
        },
      });
    };
    for (const [kind, bodies] of Object.entries(wholeBodies)) {
      const [name, make] = this.#next(Object.entries(bodies));
      add(`${kind}: ${name}`, (salt) => make(names, salt));
    }
    for (const [name, schema] of Object.entries(fields)) {
      const [what, value] = hostileFor(schema, this.#turn++);
      const write = this.#writer(endpoint);
      add(`field: ${what}`, (salt, who) => write({ ...this.#fitting(endpoint, who), [name]: value(salt) }));
    }
    const write = this.#writer(endpoint);
    add("fields: the largest of all", (salt, who) => {
      const all = Object.entries(fields).map(([name, schema]) => [
        name,
        largest(schema, this.#world.hints, name, salt),
      ]);
      return write({ ...this.#fitting(endpoint, who), ...Object.fromEntries(all) });
    });
    for (const [name, part] of Object.entries(endpoint.files ?? {})) {
      const bytes = Math.min(part.maxBytes(this.#world), this.#round === 1 ? 64_000_000 : 17_000_000);
      add("file: the largest", (salt) => multipartFile(name, bytes, salt));
    }
    return cases;
  }

  /** One of the encodings of fields that the route accepts. */
  #writer(endpoint: EndpointSpec): (fields: Record<string, unknown>) => Body {
    return this.#next([jsonOf, ...(endpoint.htmlForm ? [urlencodedOf] : []), ...(endpoint.files ? [multipartOf] : [])]);
  }

  #fitting({ body, htmlForm }: EndpointSpec, who: Who): Record<string, unknown> {
    const { hints, sessions } = this.#world;
    const value = fitting((body ?? { type: "object" }) as Schema, undefined, hints) as Record<string, unknown>;
    if (!htmlForm || who === "guest") return value;
    return { ...value, [formTokenField]: `${formToken("0123456789abcdef", sessions[who])}.0` };
  }

  #path({ path, params }: EndpointSpec, given: Record<string, string> = {}): string {
    const { hints } = this.#world;
    const noun = /^\/(?:api\/|cdn\/data\/)?(\w+)/.exec(path)?.[1];
    return path.replace(/\*$/, ":path").replace(/:(\w+)/g, (_, name) => {
      if (given[name] !== undefined) return given[name];
      const known = `${noun} ${name}` in hints ? `${noun} ${name}` : name;
      const schema = (params?.properties as Record<string, Schema> | undefined)?.[name] ?? {};
      return encodeURIComponent(String(fitting(schema, undefined, hints, known))).replaceAll("%2F", "/");
    });
  }

  #sent({ method }: EndpointSpec, who: Who, { path, headers, body }: Omit<Sent, "method">): Sent {
    return { method, path, headers: { host: "modshelf.test", ...this.#world.credentials[who], ...headers }, body };
  }
}
