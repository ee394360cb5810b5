// One call of the API, by the id of its operation: typed input, the request made of it, and the untouched answer.
import { type Operations, routes } from "./api.js";
import type { Request, Transport } from "./transport.js";

export interface CallOptions {
  /** Ends the call; its promise is then rejected with the signal's reason. */
  signal?: AbortSignal | undefined;
}

export type OperationId = keyof Operations;
export type AnswerOf<K extends OperationId> = Operations[K]["answer"];
type Sent<K extends OperationId, P extends string> = P extends keyof Operations[K]
  ? NonNullable<Operations[K][P]>
  : never;
export type QueryOf<K extends OperationId> = Sent<K, "query">;
export type BodyOf<K extends OperationId> = Sent<K, "body">;

export type InputOf<K extends OperationId> = Omit<Operations[K], "answer"> &
  CallOptions & {
    /** With POST: repeating the call with the same key repeats its answer. A random one unless given. */
    idempotencyKey?: string | undefined;
  };
type InputArguments<K extends OperationId> =
  Record<never, never> extends Omit<Operations[K], "answer"> ? [input?: InputOf<K>] : [input: InputOf<K>];

/** Calls an operation and returns its answer as it is. */
export type Call = <K extends OperationId>(id: K, ...input: InputArguments<K>) => Promise<AnswerOf<K>>;

/** Look-ups that are POST because of their length: they change nothing, and every page may send them. */
const lookUps: ReadonlySet<OperationId> = new Set<OperationId>([
  "getVersionsByHashes",
  "getUpdatesByHashes",
  "getUpdateByHash",
  "resolveDependencies",
  "previewUpdate",
]);

interface Input extends CallOptions {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
  idempotencyKey?: string;
}

export const makeCall =
  (transport: Transport): Call =>
  async (id, ...[given]) =>
    (await transport.json(await toRequest(id, (given ?? {}) as Input))) as AnswerOf<typeof id>;

async function toRequest(id: OperationId, { path = {}, query, body, signal, idempotencyKey }: Input): Promise<Request> {
  const [method, template] = routes[id].split(" ") as [string, string];
  const target = template.replace(/\{(\w+)\}/g, (_, name: string) => toSegment(name, path[name])) + toQuery(query);
  const sent = await toBody(body);
  const isChange = method === "POST" && !lookUps.has(id);
  return {
    method,
    target,
    ...sent,
    headers: {
      Accept: "application/json",
      ...sent.headers,
      ...(isChange && { "Idempotency-Key": idempotencyKey ?? randomKey() }),
    },
    // A part that was sent twice is accepted once. All other changes could be made twice.
    isRepeatable: method === "GET" || method === "POST" || id === "sendPart",
    signal,
  };
}

/** An id that is "." or ".." would lead to another path. */
function toSegment(name: string, value: unknown): string {
  if (typeof value !== "string" || /^\.{0,2}$/.test(value))
    throw new TypeError(`${name} must be an id or a name, not "${value}".`);
  return encodeURIComponent(value);
}

function toQuery(query: Record<string, unknown> = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one) => [name, String(one)]),
  );
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : "";
}

async function toBody(body: Record<string, unknown> | undefined): Promise<Pick<Request, "body" | "headers">> {
  if (!body) return {};
  const entries = Object.entries(body).filter(([, value]) => value !== undefined);
  if (!entries.some(([, value]) => [value].flat().some((one) => one instanceof Blob)))
    return { body: JSON.stringify(Object.fromEntries(entries)), headers: { "Content-Type": "application/json" } };
  const form = new FormData();
  for (const [name, value] of entries)
    if (value instanceof Blob || (Array.isArray(value) && value[0] instanceof Blob))
      for (const file of [value].flat()) form.append(name, file, (file as { name?: string }).name ?? "file");
    else form.append(name, typeof value === "string" ? value : JSON.stringify(value));
  // As bytes: if a request with a form is aborted, Node.js ends the program with an error that cannot be caught.
  const encoded = new Response(form);
  const type = encoded.headers.get("content-type") ?? "multipart/form-data";
  return { body: await encoded.arrayBuffer(), headers: { "Content-Type": type } };
}

// Unlike crypto.randomUUID, this also exists on pages without HTTPS.
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
