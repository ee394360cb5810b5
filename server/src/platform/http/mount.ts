// Mounts endpoints on Fastify: the path of every request, from the access checks to the validated answer.
import { readFile } from "node:fs/promises";
import { METHODS } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { limitKey } from "#lib/client-address.js";
import { seal, unseal } from "#lib/sealed.js";
import { fail } from "#platform/errors.js";
import type { Access } from "./access.js";
import { ReadyAnswer, sendReady, sendText } from "./answers.js";
import { askForBody } from "./arrival.js";
import { checkBody } from "./bodies.js";
import { callerOf, type Gate, identify, toActor } from "./caller.js";
import { variesBy } from "./constant-headers.js";
import { type Call, type EndpointSpec, isRaw, type Route, type StagedFile, type UploadedFile } from "./endpoint.js";
import {
  readIdempotencyKey,
  releaseKey,
  requestDigest,
  reserveKey,
  storeAnswer,
  toKeyedRequest,
} from "./idempotency.js";
import { withLists } from "./list-parts.js";
import { answerOtherMethod, withoutBodyForHead } from "./other-methods.js";
import type { Resources } from "./resources.js";
import { Router } from "./router.js";
import { readStagedForm } from "./staged-form.js";
import { UploadSlots } from "./upload-slots.js";
import { parse, parseBody, validatorFor } from "./validation.js";
import type { Viewer } from "./viewer.js";

const jsonBodyBytes = 256 * 1024;

const accessKinds: ReadonlySet<Access["kind"] | undefined> = new Set([
  "open",
  "readable",
  "needs",
  "needsOneOf",
  "session",
]);

export function mount(app: FastifyInstance, resources: Resources, gate: Gate, routes: readonly Route[]): void {
  for (const { endpoint } of routes)
    if (!accessKinds.has(endpoint.access?.kind))
      throw new Error(`The endpoint ${endpoint.id} does not say who may call it`);
  const { changeLog } = resources;
  const slots = new UploadSlots(resources.peers);
  const router = new Router(routes);
  app.decorate("router", router);
  // Fastify would refuse methods that it does not know with its own error body.
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  // This runs before the body is read, so that an unwanted body is not parsed.
  app.addHook("onRequest", async (request, reply) => {
    const match = router.match(request);
    if (!match) return answerOtherMethod(request, reply, router.routesOf(request.url), gate.origins);
    if (match.hasLongParam) throw fail.invalidUrl();
    const { endpoint } = match.route;
    // Another request was told of a change that could not be read here yet.
    if (changeLog.isBehind && !endpoint.isProbe) await changeLog.catchUp();
    await identify(request, reply, endpoint, gate);
    checkBody(request, endpoint);
  });
  app.route({
    method: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
    url: "*",
    bodyLimit: jsonBodyBytes,
    onSend: withoutBodyForHead,
    handler: (request, reply) => {
      const { route } = router.match(request)!;
      return request.isMultipart()
        ? answerForm(request, reply, route, resources, slots)
        : answer(request, reply, route, resources);
    },
  });
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  route: Route,
  resources: Resources,
): Promise<unknown> {
  const call = readCall(request, reply, route.endpoint);
  call.body = parseBody(route.endpoint, request.body);
  return finish(call, route, resources);
}

/** Refuses a caller who may not send the form before it is read. Its files are deleted before the answer is sent. */
async function answerForm(
  request: FastifyRequest,
  reply: FastifyReply,
  route: Route,
  resources: Resources,
  slots: UploadSlots,
): Promise<unknown> {
  const call = readCall(request, reply, route.endpoint);
  await route.before?.(call, resources);
  const giveBack = await slots.take(call.viewer.kind === "anonymous" ? call.address : call.viewer.user.id);
  try {
    askForBody(request, reply);
    if (isRaw(route.endpoint.answer))
      return await withForm(call, route, resources, () => finish(call, route, resources));
    const text = await withForm(call, route, resources, () => jsonText(call, route, resources));
    return sendText(request, reply, text);
  } finally {
    giveBack();
  }
}

const withForm = <T>(call: Call, { endpoint }: Route, resources: Resources, work: () => Promise<T>): Promise<T> =>
  resources.formMemory.share(async (take) => {
    const isGuest = call.viewer.kind === "anonymous";
    const form = await readStagedForm(call.request, endpoint, resources, { isGuest, take });
    try {
      call.body = (endpoint.body &&
        parse("text", endpoint.body, withLists(endpoint, form.fields), "form")) as Call["body"];
      if (endpoint.streams) call.staged = form.files;
      else call.files = await loadFiles(form.files, take);
      return await work();
    } finally {
      await form.discard();
    }
  });

/** Small files, such as pictures, are passed to the route in memory, once the whole form has arrived. */
async function loadFiles(
  staged: Record<string, StagedFile[]>,
  take: (bytes: number) => void,
): Promise<Record<string, UploadedFile>> {
  const files: Record<string, UploadedFile> = Object.create(null);
  for (const [part, [file]] of Object.entries(staged)) {
    if (!file) continue;
    take(file.blob.size);
    files[part] = { fileName: file.name, bytes: await readFile(file.blob.path) };
  }
  return files;
}

async function finish(call: Call, route: Route, resources: Resources): Promise<unknown> {
  const { endpoint, handle } = route;
  const { request, reply } = call;
  if (!isRaw(endpoint.answer) && !endpoint.ready && !endpoint.otherForms)
    return sendText(request, reply, await jsonText(call, route, resources));
  setHeaders(call, endpoint);
  if (isRaw(endpoint.answer)) return handle(call, resources);
  const value = await handle(call, resources);
  // Awaiting a reply that was already sent yields undefined, also if the caller has disconnected.
  if (value === reply || (value === undefined && (reply.sent || reply.raw.destroyed))) return reply;
  return sendReady(request, reply, await readyAnswer(endpoint, value, request.server.checksReadyAnswers));
}

async function jsonText(call: Call, { endpoint, handle }: Route, resources: Resources): Promise<string> {
  setHeaders(call, endpoint);
  return once(call, endpoint, resources, async () => checkedJson(endpoint, await handle(call, resources)));
}

function setHeaders({ reply, viewer }: Call, endpoint: EndpointSpec): void {
  reply.header("cache-control", endpoint.cacheControl ?? defaultCacheControl(endpoint, viewer));
  reply.header("vary", variesBy);
  if (!isRaw(endpoint.answer)) reply.type("application/json; charset=utf-8");
}

/** Reads everything except the body. */
function readCall(request: FastifyRequest, reply: FastifyReply, endpoint: EndpointSpec): Call {
  const { viewer, address } = callerOf(request)!;
  const params =
    endpoint.params && parse("text", endpoint.params, request.server.router.match(request)!.params, "path");
  const query = endpoint.query && parse("text", endpoint.query, { ...(request.query as object) }, "query");
  const actor = toActor(viewer, address, request.id);
  const noFiles = Object.fromEntries(Object.keys(endpoint.files ?? {}).map((part) => [part, []]));
  return {
    ...{ params, query, body: undefined, files: {}, staged: noFiles },
    ...{ viewer, actor, address, request, reply },
  } as unknown as Call;
}

/** The answer as JSON text, reduced to its schema. An answer that violates its schema is an error and is never sent. */
function checkedJson(endpoint: EndpointSpec, value: unknown): string {
  if (isRaw(endpoint.answer)) throw new Error(`${endpoint.id} answers with bytes, not JSON`);
  const validate = validatorFor("answer", endpoint.answer);
  if (!validate(value)) {
    const [error] = validate.errors ?? [];
    throw new Error(`The answer of ${endpoint.id} does not fit its contract: ${error?.instancePath} ${error?.message}`);
  }
  return JSON.stringify(value);
}

/** Bytes that were joined from validated parts are sent unchecked, unless the server is configured to check them. */
async function readyAnswer(endpoint: EndpointSpec, value: unknown, isChecked: boolean): Promise<ReadyAnswer> {
  if (!(value instanceof ReadyAnswer)) return new ReadyAnswer(Buffer.from(checkedJson(endpoint, value)));
  if (isChecked) checkedJson(endpoint, JSON.parse(value.bytes.toString("utf8")));
  return value;
}

/**
 * Runs the work, or repeats the stored answer of an earlier request with the same Idempotency-Key, including its
 * cookie. Look-ups are simply repeated, because they change nothing.
 */
async function once(
  call: Call,
  endpoint: EndpointSpec,
  { db, clock, log }: Resources,
  work: () => Promise<string>,
): Promise<string> {
  const key = endpoint.method === "POST" ? readIdempotencyKey(call.request.headers["idempotency-key"]) : undefined;
  if (key === undefined || endpoint.crossOrigin) return work();
  const digest = requestDigest(endpoint.method, call.request.url, call);
  const keyed = toKeyedRequest(call.actor.credential ?? `address ${limitKey(call.address)}`, key, digest);
  const reserved = await reserveKey(db, clock, keyed);
  if ("answer" in reserved) {
    const kept: Kept = JSON.parse(unseal(reserved.answer.body, keyed.lock));
    call.reply.code(reserved.answer.status).header("idempotent-replayed", "true");
    if (kept.cookies) call.reply.header("set-cookie", kept.cookies);
    return kept.text;
  }
  const { reservation } = reserved;
  call.actor.reservation = reservation;
  // The request itself has succeeded or failed: if its key cannot be updated now, the reservation expires.
  const noteTrouble = (error: unknown) =>
    log.warn({ err: error }, "The answer for an Idempotency-Key could not be stored");
  try {
    const text = await work();
    const kept: Kept = { text, ...(endpoint.setsCookie && { cookies: cookiesOf(call.reply) }) };
    const sealed = endpoint.secretAnswer ? null : seal(JSON.stringify(kept), keyed.lock);
    await storeAnswer(db, reservation, call.reply.statusCode, sealed).catch(noteTrouble);
    return text;
  } catch (error) {
    await releaseKey(db, reservation).catch(noteTrouble);
    throw error;
  }
}

/** The stored parts of an answer. */
interface Kept {
  text: string;
  cookies?: string[];
}

const cookiesOf = (reply: FastifyReply): string[] => [reply.getHeader("set-cookie") ?? []].flat().map(String);

function defaultCacheControl({ method, access }: EndpointSpec, viewer: Viewer): string {
  const isPublic = access.kind === "open" || access.kind === "readable";
  if (method !== "GET" || !isPublic) return "private, no-store";
  return access.kind === "readable" && viewer.kind !== "anonymous" ? "private, no-cache" : "no-cache";
}
