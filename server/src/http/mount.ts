// Puts endpoints onto Fastify: the one path that every request takes, from the gate to the checked answer.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { fail } from "../errors.js";
import { sendText } from "./answers.js";
import { type Caller, type Gate, identify, toActor } from "./caller.js";
import { answerPreflight, isPublicRead } from "./cross-origin.js";
import { type Call, type EndpointSpec, isRaw, type Method, type Route } from "./endpoint.js";
import { readForm } from "./forms.js";
import {
  claimKey,
  type KeyedRequest,
  keepAnswer,
  readIdempotencyKey,
  releaseKey,
  requestDigest,
} from "./idempotency.js";
import type { Resources } from "./resources.js";
import { parse, validatorFor } from "./validation.js";

const jsonBodyBytes = 256 * 1024;
const allMethods: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

const callers = new WeakMap<FastifyRequest, Caller>();

export function mount(app: FastifyInstance, resources: Resources, gate: Gate, routes: readonly Route[]): void {
  for (const { endpoint, handle } of routes) {
    if (!endpoint.access?.kind) throw new Error(`The endpoint ${endpoint.id} does not say who may call it`);
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      bodyLimit: jsonBodyBytes,
      config: { endpoint },
      onRequest: async (request, reply) => {
        callers.set(request, await identify(request, reply, endpoint, gate));
      },
      handler: (request, reply) => answer(request, reply, endpoint, handle, resources),
    });
  }
  mountOtherMethods(app, gate, routes);
}

/** OPTIONS answers preflights; every other method that a path does not have gets a 405 that names those it has. */
function mountOtherMethods(app: FastifyInstance, gate: Gate, routes: readonly Route[]): void {
  const byPath = Map.groupBy(routes, ({ endpoint }) => endpoint.path);
  for (const [url, here] of byPath) {
    const methods = here.map(({ endpoint }) => endpoint.method);
    const allowed = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"];
    const isPublic = here.some(({ endpoint }) => isPublicRead(endpoint));
    app.options(url, (request, reply) => answerPreflight(request, reply, allowed, gate.origins, isPublic));
    const refused = allMethods.filter((method) => !methods.includes(method));
    app.route({
      method: refused,
      url,
      exposeHeadRoute: true,
      onRequest: async (_request, reply) => {
        reply.header("allow", allowed.join(", "));
        throw fail.methodNotAllowed(allowed.join(", "));
      },
      handler: async () => undefined,
    });
  }
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: EndpointSpec,
  handle: Route["handle"],
  resources: Resources,
): Promise<unknown> {
  const call = await readCall(request, reply, endpoint, resources);
  reply.header("cache-control", endpoint.cacheControl ?? defaultCacheControl(endpoint));
  reply.header("vary", "Accept-Encoding, Authorization, Cookie, Origin");
  if (isRaw(endpoint.answer)) return handle(call, resources);
  const text = await once(call, endpoint, resources, async () => checkedJson(endpoint, await handle(call, resources)));
  reply.type("application/json; charset=utf-8");
  return sendText(request, reply, text);
}

async function readCall(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: EndpointSpec,
  resources: Resources,
): Promise<Call> {
  const { viewer, address } = callers.get(request)!;
  const params = endpoint.params && parse("text", endpoint.params, request.params, "path");
  const query = endpoint.query && parse("text", endpoint.query, { ...(request.query as object) }, "query");
  const form = endpoint.files && request.isMultipart() ? await readForm(request, endpoint, resources) : undefined;
  if (!form && request.body !== undefined && !accepts(endpoint, request))
    throw fail.unsupportedMediaType("application/json");
  const given = form ? { ...form.fields } : (request.body ?? {});
  const body = endpoint.body && parse(form ? "text" : "body", endpoint.body, given, "body");
  const actor = toActor(viewer, address, request.id);
  return { params, query, body, files: form?.files ?? {}, viewer, actor, address, request, reply } as unknown as Call;
}

function accepts(endpoint: EndpointSpec, request: FastifyRequest): boolean {
  if (request.isMultipart()) return false;
  return (
    endpoint.htmlForm === true || !request.headers["content-type"]?.startsWith("application/x-www-form-urlencoded")
  );
}

/** The answer as JSON text, cut to its schema. One that does not fit is our fault and never leaves the house. */
function checkedJson(endpoint: EndpointSpec, value: unknown): string {
  if (isRaw(endpoint.answer)) throw new Error(`${endpoint.id} answers with bytes, not JSON`);
  const validate = validatorFor("answer", endpoint.answer);
  if (!validate(value)) {
    const [error] = validate.errors ?? [];
    throw new Error(`The answer of ${endpoint.id} does not fit its contract: ${error?.instancePath} ${error?.message}`);
  }
  return JSON.stringify(value);
}

/** Runs the work, or repeats the answer that an earlier request with the same Idempotency-Key got. */
async function once(
  call: Call,
  endpoint: EndpointSpec,
  { db, clock }: Resources,
  work: () => Promise<string>,
): Promise<string> {
  const key = endpoint.method === "POST" ? readIdempotencyKey(call.request.headers["idempotency-key"]) : undefined;
  if (key === undefined || call.viewer.kind === "anonymous") return work();
  const keyed: KeyedRequest = {
    actor: call.viewer.user.id,
    key,
    digest: requestDigest(endpoint.method, call.request.url, call.body),
  };
  const kept = await claimKey(db, clock, keyed);
  if (kept) {
    call.reply.code(kept.status).header("idempotent-replayed", "true");
    return kept.body;
  }
  try {
    const text = await work();
    await keepAnswer(db, keyed, call.reply.statusCode, endpoint.secretAnswer ? null : text);
    return text;
  } catch (error) {
    await releaseKey(db, keyed);
    throw error;
  }
}

function defaultCacheControl(endpoint: EndpointSpec): string {
  const isPublic = endpoint.access.kind === "open" || endpoint.access.kind === "readable";
  return endpoint.method === "GET" && isPublic ? "no-cache" : "private, no-store";
}
