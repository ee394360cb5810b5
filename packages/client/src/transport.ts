// Sends requests: with the credential to the registry's own origin only, again after failures that pass, and within
// limits of time and size, because a server may be slow, broken or hostile.
import { Answer, type Fetch, type Reply, Watch } from "./answers.js";
import { NetworkError, RedirectError, RegistryError, toError } from "./errors.js";

export interface Settings {
  /** Address of the registry, such as https://mods.example.org. */
  host: string;
  /** A personal access token. It is never sent to another origin than that of `host`. */
  token?: string | undefined;
  /** The value of the cookie auth-token, in place of a token; not in browsers, which manage cookies themselves. */
  session?: string | undefined;
  /** Replaces the global function. */
  fetch?: Fetch | undefined;
  /** Name and version of your program, such as "my-launcher/1.2 (me@example.org)". Browsers send their own. */
  userAgent?: string | undefined;
  retry?: Partial<RetrySettings> | undefined;
  /** Milliseconds without a byte from the server after which a request fails; 30,000 unless given. */
  timeout?: number | undefined;
  /** Size of the largest JSON answer that is read; 64 MiB unless given. */
  maxAnswerBytes?: number | undefined;
}

export interface RetrySettings {
  /** Attempts altogether; 4 unless given, 1 for no repetition. */
  attempts: number;
  /** The first pause in milliseconds; 500 unless given. Each further pause is twice as long. */
  pauseMs: number;
  /** The longest pause, also if the server asks for a longer one: then the error is thrown. 60,000 unless given. */
  maxPauseMs: number;
}

export interface Request {
  method: string;
  /** A path below the host, or a whole address for a file. */
  target: string;
  headers?: Record<string, string>;
  body?: string | ArrayBuffer | undefined;
  /** Repeating it does no harm. Requests that are not repeatable are repeated only if the server has refused them. */
  isRepeatable: boolean;
  /** A file may be on another host, whatever its address: its hash is verified. */
  isFile?: boolean;
  signal?: AbortSignal | undefined;
}

const maxRedirects = 5;
const maxErrorBytes = 1 << 20;
/** The slowest upload that is not given up, in bytes per millisecond. */
const slowestUpload = 16;
const passing = new Set([429, 502, 503, 504]);
/** Answers with these status codes mean that the request was not processed. */
const refused = new Set([429, 503]);

export class Transport {
  readonly origin: string;
  readonly retry: RetrySettings;
  readonly #base: string;
  readonly #settings: Settings;
  readonly #fetch: Fetch;

  constructor(settings: Settings) {
    const { protocol, origin, pathname, username } = new URL(settings.host);
    if (!/^https?:$/.test(protocol) || username)
      throw new TypeError(`host must be an address like https://mods.example.org`);
    if (/[^\x21-\x7e]/.test((settings.token ?? "") + (settings.session ?? "")))
      throw new TypeError("The credential contains characters that cannot be part of one.");
    this.origin = origin;
    this.#base = origin + pathname.replace(/\/+$/, "");
    this.#settings = settings;
    this.retry = { attempts: 4, pauseMs: 500, maxPauseMs: 60_000, ...settings.retry };
    // Called as a plain function: browsers refuse to call fetch as a method of another object.
    this.#fetch = settings.fetch ?? ((...args) => fetch(...args));
  }

  /** The answer's JSON. */
  async json(request: Request): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      // Not inside of the try: send() has its own attempts.
      const answer = await this.send(request);
      try {
        return await answer.json(this.#settings.maxAnswerBytes ?? 1 << 26);
      } catch (error) {
        // The body may break off after a good start.
        if (!(error instanceof NetworkError) || !request.isRepeatable || attempt >= this.retry.attempts) throw error;
        await this.pause(attempt, request.signal);
      }
    }
  }

  /** A successful answer, whose body has not been read. */
  async send(request: Request): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#sendOnce(request);
      } catch (error) {
        if (!(error instanceof RegistryError) || attempt >= this.retry.attempts) throw error;
        const { status = 0, retryAfter } = error;
        const isPassing = error instanceof NetworkError || passing.has(status);
        if (!isPassing || !(request.isRepeatable || refused.has(status))) throw error;
        if (retryAfter !== undefined && retryAfter * 1000 > this.retry.maxPauseMs) throw error;
        await this.pause(attempt, request.signal, retryAfter);
      }
    }
  }

  /** Waits before the next attempt. The pauses of many clients must not end at the same moment, so they vary. */
  pause(attempt: number, signal?: AbortSignal, retryAfter?: number): Promise<void> {
    const { pauseMs, maxPauseMs } = this.retry;
    const grown = Math.min(pauseMs * 2 ** (attempt - 1), maxPauseMs) * (0.5 + Math.random() / 2);
    return sleep(retryAfter === undefined ? grown : Math.max(retryAfter * 1000, 1), signal);
  }

  async #sendOnce(request: Request): Promise<Answer> {
    let url = new URL(/^https?:/.test(request.target) ? request.target : this.#base + request.target);
    for (let hops = 0; ; hops++) {
      const answer = await this.#ask(url, request, "manual");
      const { response } = answer;
      if (response.type === "opaqueredirect" && request.isFile) {
        // A browser does not say where to. Without a credential it may go there by itself.
        answer.cancel();
        return this.#check(await this.#ask(url, request, "follow"));
      }
      if (response.type !== "opaqueredirect" && ![301, 302, 303, 307, 308].includes(response.status))
        return this.#check(answer);
      answer.cancel();
      if (hops >= maxRedirects) throw new RedirectError(`${url.origin} redirects too often.`, response.status);
      url = this.#nextUrl(url, response, request);
    }
  }

  #nextUrl(from: URL, { headers, status }: Reply, { isFile, method }: Request): URL {
    const location = headers.get("location");
    const to = location && URL.canParse(location, from) ? new URL(location, from) : undefined;
    const isOther = to?.origin !== from.origin;
    const isDowngrade = from.protocol === "https:" && to?.protocol !== "https:";
    if (to && method === "GET" && (!isOther || (isFile && /^https?:$/.test(to.protocol) && !isDowngrade))) return to;
    const where = to ? `to ${to.origin}` : "to an unknown place";
    throw new RedirectError(
      `${from.origin} redirects ${where}, and this request must not go there. If the registry has moved, change the host.`,
      status,
    );
  }

  async #ask(url: URL, request: Request, redirect: "manual" | "follow"): Promise<Answer> {
    const { timeout = 30_000 } = this.#settings;
    const watch = new Watch(request.signal, timeout, url.origin);
    const maySend = url.origin === this.origin && redirect === "manual";
    try {
      const { body = "" } = request;
      watch.restart((typeof body === "string" ? body.length : body.byteLength) / slowestUpload);
      const response = await this.#fetch(url.href, {
        method: request.method,
        headers: { ...request.headers, ...this.#ownHeaders(maySend) },
        ...(request.body !== undefined && { body: request.body }),
        redirect,
        credentials: "omit",
        signal: watch.signal,
      });
      return new Answer(response, watch, url.origin);
    } catch (error) {
      throw watch.explain(error);
    }
  }

  #ownHeaders(maySend: boolean): Record<string, string> {
    const { token, session, userAgent = "modshelf-client" } = this.#settings;
    return {
      ...(!isBrowser && { "User-Agent": userAgent }),
      ...(maySend && token && { Authorization: `Bearer ${token}` }),
      ...(maySend && session && { Cookie: `auth-token=${session}` }),
    };
  }

  async #check(answer: Answer): Promise<Answer> {
    const { response } = answer;
    if (response.ok) return answer;
    const text = await answer.text(maxErrorBytes).catch(() => "");
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      // A proxy in front of the registry may answer with a page: the status has to be enough.
    }
    throw toError(response.status, response.headers, body);
  }
}

const isBrowser = /Mozilla\//.test((globalThis as { navigator?: { userAgent?: string } }).navigator?.userAgent ?? "");

/** Waits, unless the signal is aborted. */
function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
