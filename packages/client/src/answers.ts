// An answer that is read within limits of time and size, and the watch over the request that it belongs to.
import { InvalidAnswerError, NetworkError } from "./errors.js";

/** As much of the global function fetch as the client needs. Redirects are not followed unless `redirect` says so. */
export type Fetch = (
  url: string,
  init: {
    method: string;
    headers: Record<string, string>;
    body?: string | ArrayBuffer;
    redirect: "manual" | "follow";
    credentials: "omit";
    signal: AbortSignal;
  },
) => Promise<Reply>;

export interface Reply extends Pick<Response, "status" | "ok" | "type"> {
  headers: Pick<Headers, "get">;
  body: { getReader(): Reader; cancel(): Promise<void> } | null;
}

interface Reader {
  read(): Promise<{ done?: boolean | undefined; value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** Aborts a request when its caller does, or after a time without progress. */
export class Watch {
  readonly #controller = new AbortController();
  readonly #abort = () => this.#controller.abort();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isSilent = false;
  readonly caller: AbortSignal | undefined;
  readonly timeout: number;
  readonly origin: string;

  constructor(caller: AbortSignal | undefined, timeout: number, origin: string) {
    this.caller = caller;
    this.timeout = timeout;
    this.origin = origin;
    caller?.throwIfAborted();
    caller?.addEventListener("abort", this.#abort);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  restart(extraMs = 0): void {
    this.pause();
    this.#timer = setTimeout(() => {
      this.#isSilent = true;
      this.#abort();
    }, this.timeout + extraMs);
  }

  /** Until restart(), the caller is the one who takes time, not the server. */
  pause(): void {
    clearTimeout(this.#timer);
  }

  stop(): void {
    this.pause();
    this.caller?.removeEventListener("abort", this.#abort);
  }

  /** The error to throw in place of that of fetch. */
  explain(error: unknown): unknown {
    this.stop();
    if (this.caller?.aborted) return this.caller.reason;
    if (this.#isSilent) return new NetworkError(`${this.origin} has sent nothing for ${this.timeout / 1000} seconds.`);
    const { cause, message } = error as { cause?: { code?: string; message?: string }; message?: string };
    const reason = cause?.code ?? cause?.message ?? message;
    return new NetworkError(`The connection to ${this.origin} failed (${reason}).`, error);
  }
}

/** An answer whose body is read at most once. */
export class Answer {
  readonly response: Reply;
  readonly watch: Watch;
  readonly origin: string;

  constructor(response: Reply, watch: Watch, origin: string) {
    this.response = response;
    this.watch = watch;
    this.origin = origin;
  }

  /** The body, piece by piece. Ends the request if the caller stops early. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    const reader = this.response.body?.getReader();
    try {
      while (reader) {
        this.watch.restart();
        const { done, value } = await reader.read().catch((error) => {
          throw this.watch.explain(error);
        });
        this.watch.pause();
        if (done || !value) return;
        yield value;
      }
    } finally {
      this.watch.stop();
      // It fails if the connection is already broken.
      reader?.cancel().catch(() => undefined);
    }
  }

  cancel(): void {
    this.watch.stop();
    this.response.body?.cancel().catch(() => undefined);
  }

  async text(maxBytes: number): Promise<string> {
    const decoder = new TextDecoder();
    let text = "";
    let bytes = 0;
    for await (const chunk of this.chunks()) {
      bytes += chunk.length;
      if (bytes > maxBytes)
        throw new InvalidAnswerError(
          `${this.origin} sent an answer of more than ${maxBytes} bytes.`,
          this.response.status,
        );
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  }

  async json(maxBytes: number): Promise<unknown> {
    const { status, headers } = this.response;
    const type = headers.get("content-type") ?? "no content type";
    if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) {
      this.cancel();
      throw new InvalidAnswerError(
        `${this.origin} sent ${type} in place of JSON. Is it the address of a Modshelf registry?`,
        status,
      );
    }
    const text = await this.text(maxBytes);
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new InvalidAnswerError(`${this.origin} sent JSON that cannot be read.`, status, error);
    }
  }
}
