// Callers of a server under test, over real HTTP. An actor is a credential and a few verbs.
import type { Scope } from "#lib/scopes.js";
import { type Body, send } from "#test/callers/request.js";

export interface Reply {
  status: number;
  headers: Headers;
  /** The bytes as text. */
  text: string;
  bytes: Buffer;
  /** The parsed JSON; undefined if the answer is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any;
}

export interface Options {
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent unchanged. */
  body?: Body;
}

export class Actor {
  readonly #origin: string;
  readonly #headers: Record<string, string>;

  constructor(origin: string, headers: Record<string, string> = {}) {
    this.#origin = origin;
    this.#headers = headers;
  }

  async call(method: string, path: string, options: Options = {}): Promise<Reply> {
    const isJson = options.json !== undefined;
    const { status, headers, bytes } = await send(
      method,
      this.#origin + path,
      { ...(isJson && { "content-type": "application/json" }), ...this.#headers, ...options.headers },
      isJson ? JSON.stringify(options.json) : options.body,
    );
    const text = bytes.toString("utf8");
    const isJsonAnswer = headers.get("content-type")?.startsWith("application/json") && text !== "";
    return { status, headers, text, bytes, body: isJsonAnswer ? JSON.parse(text) : undefined };
  }

  get = (path: string, options?: Options) => this.call("GET", path, options);
  head = (path: string, options?: Options) => this.call("HEAD", path, options);
  post = (path: string, json?: unknown, options?: Options) => this.call("POST", path, { json, ...options });
  put = (path: string, json?: unknown, options?: Options) => this.call("PUT", path, { json, ...options });
  patch = (path: string, json?: unknown, options?: Options) => this.call("PATCH", path, { json, ...options });
  delete = (path: string, json?: unknown, options?: Options) => this.call("DELETE", path, { json, ...options });
  /** A multipart form. */
  form = (method: string, path: string, parts: Record<string, string | Blob>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(parts)) form.append(name, value);
    return this.call(method, path, { body: form });
  };

  /** The cookies that the actor sends. */
  get cookie(): string {
    return this.#headers.cookie ?? "";
  }

  /** The same caller with more headers. */
  with = (headers: Record<string, string>) => new Actor(this.#origin, { ...this.#headers, ...headers });
}

export interface TestUser {
  id: string;
  userName: string;
  email: string;
  /** Set only if the test requested one. */
  password: string | undefined;
  sessionToken: string;
}

export interface TokenOptions {
  scopes: readonly Scope[];
  dateExpires?: number;
}
