// Finds the routes of a path. Fastify passes every request to one route: its own router compiles code for each path and
// method, which was a third of the time in which the server starts.
import type { FastifyRequest } from "fastify";
import type { EndpointSpec, Method, Route } from "./endpoint.js";

/** The routes of one path. The names of its parameters may differ between the methods. */
type Path = Map<Method, { route: Route; names: readonly string[] }>;

/** The paths that begin with the same segments. */
interface Branch {
  here?: Path;
  fixed: Map<string, Branch>;
  /** Segments with a parameter, such as `:id`, `feed.:format` or `:ref.png`: those with more fixed text are tried first. */
  open: { before: string; after: string; branch: Branch }[];
  /** A final `*`. */
  rest?: Path;
}

interface Found {
  path: Path;
  values: readonly string[];
  rest?: string;
}

export interface Match {
  route: Route;
  /** The path that a final `*` stands for is called "path". */
  params: Record<string, string>;
  hasLongParam: boolean;
}

const maxParamLength = 512;

const newBranch = (): Branch => ({ fixed: new Map(), open: [] });

export const endpointOf = (request: FastifyRequest): EndpointSpec | undefined =>
  request.server.router.match(request)?.route.endpoint;

/** The template of the path, for logs and metrics: a raw path may contain secrets, and there are too many of them. */
export const routePathOf = (request: FastifyRequest): string => endpointOf(request)?.path ?? "none";

export class Router {
  readonly #root = newBranch();
  readonly #matches = new WeakMap<FastifyRequest, Match | null>();

  constructor(routes: readonly Route[]) {
    for (const route of routes) this.#add(route);
  }

  /** The route of the request and its decoded parameters. */
  match(request: FastifyRequest): Match | undefined {
    let match = this.#matches.get(request);
    if (match === undefined) {
      match = this.find(request.method, request.url) ?? null;
      this.#matches.set(request, match);
    }
    return match ?? undefined;
  }

  find(method: string, url: string): Match | undefined {
    const found = this.#findPath(url);
    const asked = found?.path.get((method === "HEAD" ? "GET" : method) as Method);
    if (!found || !asked) return undefined;
    const { values, rest } = found;
    const params: Record<string, string> = rest === undefined ? {} : { path: rest };
    for (const [at, name] of asked.names.entries()) params[name] = values[at]!;
    return { route: asked.route, params, hasLongParam: values.some((value) => value.length > maxParamLength) };
  }

  /** All routes of a path; none if there is no such path. */
  routesOf(url: string): readonly Route[] {
    const found = this.#findPath(url);
    // No page has an empty name in its URL, whatever the method is.
    if (!found || found.values.includes("")) return [];
    return [...found.path.values()].map(({ route }) => route);
  }

  #add(route: Route): void {
    const { method, path: text } = route.endpoint;
    const names: string[] = [];
    let branch = this.#root;
    let path: Path | undefined;
    for (const segment of text.split("/").slice(1)) {
      const [, before, name, after] = /^([^:]*):(\w+)((?:\W.*)?)$/.exec(segment) ?? [];
      if (segment === "*") {
        path = branch.rest ??= new Map();
      } else if (before === undefined || name === undefined || after === undefined) {
        const next = branch.fixed.get(segment) ?? newBranch();
        branch.fixed.set(segment, next);
        branch = next;
      } else {
        names.push(name);
        branch = openBranch(branch, before, after);
      }
    }
    path ??= branch.here ??= new Map();
    if (path.has(method)) throw new Error(`Two endpoints have the method and path ${method} ${text}`);
    path.set(method, { route, names });
  }

  #findPath(url: string): Found | undefined {
    const [path = ""] = url.split(/[?#]/, 1);
    // Segments are decoded one by one: an encoded slash is not a separator.
    try {
      return walk(this.#root, path.slice(1).split("/").map(decode), 0, []);
    } catch {
      // Fastify refuses such a URL itself.
      return undefined;
    }
  }
}

function openBranch({ open }: Branch, before: string, after: string): Branch {
  const known = open.find((one) => one.before === before && one.after === after);
  if (known) return known.branch;
  const branch = newBranch();
  open.push({ before, after, branch });
  open.sort((a, b) => b.before.length - a.before.length || b.after.length - a.after.length);
  return branch;
}

const decode = (segment: string): string => (segment.includes("%") ? decodeURIComponent(segment) : segment);

/** Prefers fixed segments to parameters, from the left. */
function walk(branch: Branch, segments: readonly string[], at: number, values: readonly string[]): Found | undefined {
  const segment = segments[at];
  if (segment === undefined) return branch.here && { path: branch.here, values };
  const fixed = branch.fixed.get(segment);
  let found = fixed && walk(fixed, segments, at + 1, values);
  for (const { before, after, branch: next } of branch.open) {
    if (found) return found;
    if (segment.length < before.length + after.length) continue;
    if (!segment.startsWith(before) || !segment.endsWith(after)) continue;
    const value = segment.slice(before.length, segment.length - after.length);
    found = walk(next, segments, at + 1, [...values, value]);
  }
  return found ?? (branch.rest && { path: branch.rest, values, rest: segments.slice(at).join("/") });
}
