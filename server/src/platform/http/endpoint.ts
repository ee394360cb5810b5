// A route as data. Validation, scope checks, rate limits, OpenAPI, the reference, the permission matrix and the fuzzers
// all derive from it; routes.ts pairs it with its handler.
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Static, TObject, TSchema } from "typebox";
import type { StagedBlob } from "#platform/blobs/store.js";
import type { Actor } from "#platform/changes/write.js";
import type { ErrorCode } from "#platform/errors.js";
import type { Access } from "./access.js";
import type { ReadyAnswer } from "./answers.js";
import type { RateClass } from "./rate-limit-fields.js";
import type { Resources } from "./resources.js";
import type { SessionViewer, SignedIn, Viewer } from "./viewer.js";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A file part of a form. */
export interface FilePart {
  /** The request is useless without it, so the body must be a form. */
  required?: true;
  maxBytes: (resources: Resources) => number;
  /** How often it may occur; once by default. Only for streamed forms. */
  maxCount?: (resources: Resources) => number;
  description: string;
  /** The file name in the example of the reference. */
  example?: string;
}

/** An answer that is not JSON: the handler sends it. */
export interface RawAnswer {
  raw: string;
  description: string;
  /** Further media types that it can have. */
  types?: readonly string[];
  /** Carries an ETag and honours If-None-Match. */
  isTagged?: true;
  /** A stored file: sent as an attachment, whole or in parts. */
  isFile?: true;
}

export interface EndpointSpec {
  /** Operation id, SDK method and anchor in the reference. */
  id: string;
  method: Method;
  /** In Fastify's form: "/api/user/:ref". If it ends in "/*", the rest of the URL is the parameter "path". */
  path: string;
  access: Access;
  rate: RateClass;
  tag: string;
  summary: string;
  description?: string;
  params?: TObject;
  query?: TObject;
  body?: TObject;
  /** The body may come as multipart/form-data with these file parts. `*` stands for parts of any other name. */
  files?: Record<string, FilePart>;
  /** Files of the form are written to temporary files as they arrive, and passed to the handler as `staged`. */
  streams?: true;
  /** The body is a picture; the handler takes it from the request. */
  pictureBody?: true;
  answer: TSchema | RawAnswer;
  /** The same answer in other media types, which the handler sends itself, returning the reply. Only for reads. */
  otherForms?: readonly RawAnswer[];
  /** Refusals to name in the reference, besides those that every route can give. */
  errors?: readonly ErrorCode[];
  /**
   * A hot read: the handler may answer with ready bytes. It changes nothing, so an Idempotency-Key needs no storage.
   */
  ready?: true;
  /** Replaces the default Cache-Control. */
  cacheControl?: string;
  /** The answer contains a secret: it is never stored, not even to repeat it for an Idempotency-Key. */
  secretAnswer?: true;
  /** Signs the caller in: a successful answer sets the session cookie. */
  setsCookie?: true;
  /** The handler reads the Authorization header itself: it does not contain one of our tokens. */
  ownAuthorization?: true;
  /** Open, because a mailed code can replace a session; without a code the handler requires a session. */
  sessionOrCode?: true;
  /** A look-up that is POST only because of its length: every page may make it. */
  crossOrigin?: true;
  /** Refusals also have the fields of RFC 6749, for OAuth libraries. */
  oauthErrors?: true;
  /** The body may also come from an HTML form. */
  htmlForm?: true;
  /**
   * A form for members that accepts anonymous requests too, so that an expired session does not lose the typed text.
   */
  givesBack?: true;
  /** Asks for the state of this process, so it must be answered also while the database cannot be read. */
  isProbe?: true;
  /** Not in the reference: made for this site's own pages. */
  internal?: true;
}

export const endpoint = <const E extends EndpointSpec>(spec: E): E => spec;

type PartOf<E extends EndpointSpec> = keyof NonNullable<E["files"]> & string;
export type Parsed<S> = S extends TSchema ? Static<S> : undefined;
export type ViewerFor<A extends Access> = A["kind"] extends "session"
  ? SessionViewer
  : A["kind"] extends "needs" | "needsOneOf"
    ? SignedIn
    : Viewer;

export interface UploadedFile {
  fileName: string;
  bytes: Buffer;
}

/** A file of a streamed form: hashed, durable, and deleted with the request unless it is kept. */
export interface StagedFile {
  /** The client's name for it, made harmless (lib/file-names.ts). */
  name: string;
  /** The name of its part, for forms whose parts may have any name. */
  part?: string;
  blob: StagedBlob;
}

export interface Call<E extends EndpointSpec = EndpointSpec> {
  params: Parsed<E["params"]>;
  query: Parsed<E["query"]>;
  body: Parsed<E["body"]>;
  files: Partial<Record<PartOf<E>, UploadedFile>>;
  /** By part, in the order of arrival; only if the endpoint streams. */
  staged: Record<PartOf<E>, StagedFile[]>;
  viewer: ViewerFor<E["access"]>;
  /** The same caller as the audit log records them. */
  actor: Actor;
  /** The client's address behind trusted proxies. */
  address: string;
  request: FastifyRequest;
  reply: FastifyReply;
}

type JsonAnswer<E extends EndpointSpec> = E["answer"] extends TSchema ? Static<E["answer"]> : FastifyReply;
type Answer<E extends EndpointSpec> =
  | JsonAnswer<E>
  | (E extends { ready: true } ? ReadyAnswer : never)
  | (E extends { otherForms: readonly RawAnswer[] } ? FastifyReply : never);

export interface Route {
  endpoint: EndpointSpec;
  /** Runs before the body of a form with files is read, so that a caller who may not send it is refused at once. */
  before?: ((call: Call, resources: Resources) => Promise<void>) | undefined;
  handle: (call: Call, resources: Resources) => Promise<unknown>;
}

/** Pairs an endpoint with the function that answers it. */
export const route = <E extends EndpointSpec>(
  spec: E,
  handle: (call: Call<E>, resources: Resources) => Promise<Answer<E>>,
  { before }: { before?: (call: Omit<Call<E>, "body" | "staged">, resources: Resources) => Promise<void> } = {},
): Route => ({
  endpoint: spec,
  handle: handle as unknown as Route["handle"],
  before: before as unknown as Route["before"],
});

export const isRaw = (answer: EndpointSpec["answer"]): answer is RawAnswer => "raw" in answer;
