// Asks another registry, one request at a time: no faster than the operator allows and no faster than the registry asks
// for. Answers are limited in size and time, checked against a schema, and never trusted.
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { TSchema } from "typebox";
import type { Clock } from "#lib/clock.js";
import { hasErrorCode } from "#lib/file-system.js";
import { formatBytes } from "#lib/format-bytes.js";
import { reasonOf } from "#lib/reason-of.js";
import { version } from "#lib/version.js";
import { BlobStorageFull, BlobStorageUnavailable, BlobTooLarge } from "#platform/blobs/errors.js";
import type { BlobStore, StagedBlob } from "#platform/blobs/store.js";
import { validatorFor } from "#platform/http/validation.js";
import { get, isRedirect, OutboundError, readWhole } from "#platform/outbound/client.js";
import { shown } from "./answers.js";
import { BadAnswer, type SourceFile, Unreachable } from "./source.js";

export interface ClientOptions {
  /** The URL of the interface, without a slash at its end. */
  base: string;
  /** Hosts whose addresses may be private, and which may be asked over http. */
  privateHosts: ReadonlySet<string>;
  /** Requests per second. */
  rate: number;
  clock: Clock;
  pause: (ms: number) => Promise<unknown>;
  /** Called before a wait that a user would notice. */
  onWait: (ms: number, why: string) => void;
}

const mostJsonBytes = 32 * 1024 * 1024;
const jsonMs = 60_000;
const slowestBytesPerMs = 16;
const longestFileMs = 4 * 3_600_000;

const mostTries = 8;
const mostFailedConnections = 4;
const firstBackOffMs = 5000;
const longestBackOffMs = 300_000;
/** The import ends instead: it can be continued at any time. */
const longestWaitMs = 20 * 60_000;
const noticedWaitMs = 3000;

const hiccups = new Set([429, 500, 502, 503, 504]);

/** Problems that another try would not solve (words/en/deliveries.ts). */
const lasting: ReadonlySet<string> = new Set(["refusedUrl", "privateHost", "reservedHost", "tooLarge"]);

interface Request<T> {
  redirects: number;
  timeoutMs: number;
  accept: string;
  read: (response: IncomingMessage) => Promise<T>;
}

export class PoliteClient {
  readonly base: string;
  readonly #options: ClientOptions;
  /** No request starts before this moment. */
  #next = 0;
  #bytes = 0;

  constructor(options: ClientOptions) {
    this.base = options.base;
    this.#options = options;
  }

  /** Bytes of pictures and files so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Undefined if there is no such object. Redirects are not followed: the operator has named another address. */
  async json<T>(path: string, schema: TSchema): Promise<T | undefined> {
    const url = this.base + path;
    return this.#ask(url, {
      redirects: 0,
      timeoutMs: jsonMs,
      accept: "application/json",
      read: async (response) => {
        const { statusCode: status = 0, headers } = response;
        if (status === 404 || status === 410) return undefined;
        if (isRedirect(response)) throw new BadAnswer(`${url} redirects to ${hostIn(headers.location, url)}.`);
        if (status !== 200) throw new BadAnswer(`${url} answered with status ${status}.`);
        if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(headers["content-type"] ?? ""))
          throw new BadAnswer(`${url} did not answer with JSON.`);
        return toValue<T>(url, schema, await readWhole(response, mostJsonBytes));
      },
    });
  }

  /** The bytes of a picture. */
  async picture(url: string, maxBytes: number): Promise<Buffer> {
    return this.#ask(url, {
      redirects: 3,
      timeoutMs: jsonMs,
      accept: "image/*",
      read: async (response) => {
        if (response.statusCode !== 200)
          throw new BadAnswer(`${shown(url)} answered with status ${response.statusCode}.`);
        const bytes = await readWhole(response, maxBytes);
        this.#bytes += bytes.length;
        return bytes;
      },
    });
  }

  /** Stages a file, and refuses other bytes than those that the registry has announced. */
  async file(blobs: BlobStore, file: SourceFile): Promise<StagedBlob> {
    const staged = await this.#ask(file.url, {
      redirects: 3,
      timeoutMs: Math.min(longestFileMs, jsonMs + Math.ceil(file.size / slowestBytesPerMs)),
      accept: "*/*",
      read: async (response) => {
        if (response.statusCode !== 200)
          throw new BadAnswer(`${shown(file.url)} answered with status ${response.statusCode}.`);
        return blobs.stage(response, { maxBytes: file.size }).catch((error: unknown) => {
          if (error instanceof BlobTooLarge)
            throw new BadAnswer(`${shown(file.url)} has more than the announced ${formatBytes(file.size)}.`);
          // Errors of the connection are tried again; a full disk ends the import.
          throw isOfStorage(error) ? new Unreachable(`The storage of this site failed: ${reasonOf(error)}.`) : error;
        });
      },
    });
    const wrong = (["size", "sha1", "sha512"] as const).find((fact) => staged[fact] !== file[fact]);
    if (wrong) {
      await staged.discard();
      throw new BadAnswer(`${shown(file.url)} has another ${factNames[wrong]} than announced.`);
    }
    this.#bytes += staged.size;
    return staged;
  }

  async #ask<T>(url: string, request: Request<T>): Promise<T> {
    for (let attempt = 1, lost = 0; ; attempt++) {
      await this.#waitForTurn();
      const answer = await this.#send(url, request).catch((error: unknown) => {
        if (!(error instanceof OutboundError)) throw error;
        if (lasting.has(error.said.key)) throw new BadAnswer(`${shown(url)}: ${error.message}.`);
        if (++lost === mostFailedConnections) throw this.#explainLoss(url, error);
        return { retryMs: 2 ** lost * 500, why: error.message };
      });
      if ("value" in answer) return answer.value;
      if (attempt === mostTries) throw new Unreachable(`${url}: ${answer.why}, also after ${mostTries} tries.`);
      const backOff = Math.min(longestBackOffMs, firstBackOffMs * 2 ** (attempt - 1));
      await this.#wait(answer.retryMs ?? backOff, answer.why);
    }
  }

  /** Files may be on other hosts: one that does not answer is no reason to end the import. */
  #explainLoss(url: string, { message }: Error): Error {
    const sentence = `${shown(url)}: ${message}.`;
    return url.startsWith(`${this.base}/`) ? new Unreachable(sentence) : new BadAnswer(sentence);
  }

  async #send<T>(url: string, { redirects, timeoutMs, accept, read }: Request<T>) {
    const host = URL.parse(url)?.host ?? "";
    const headers = { accept, "user-agent": `Modshelf/${version} (import)` };
    const rules = { allowPrivate: this.#options.privateHosts.has(host), timeoutMs };
    const result = await get({ url, headers, redirects }, rules, async (response) => {
      const { statusCode: status = 0 } = response;
      this.#heed(response.headers);
      if (hiccups.has(status))
        return { retryMs: retryAfter(response.headers, this.#options.clock.now()), why: `it answered with ${status}` };
      // Other errors than those of the connection must not be taken for one (platform/outbound/client.ts).
      return read(response).then(
        (value) => ({ value }),
        (error: unknown) => {
          if (error instanceof BadAnswer || error instanceof Unreachable) return { error };
          throw error;
        },
      );
    });
    if ("error" in result) throw result.error;
    return result;
  }

  /** The registry says how many requests are left, and until when. */
  #heed(headers: IncomingHttpHeaders): void {
    const wait = spentWait(headers, this.#options.clock.now());
    if (wait !== undefined) this.#next = Math.max(this.#next, this.#options.clock.now() + wait);
  }

  async #waitForTurn(): Promise<void> {
    const { clock, rate } = this.#options;
    await this.#wait(this.#next - clock.now(), "the source asks for a pause");
    this.#next = Math.max(this.#next, clock.now()) + 1000 / rate;
  }

  async #wait(ms: number, why: string): Promise<void> {
    if (ms > longestWaitMs)
      throw new Unreachable(
        `The source asks to wait ${Math.ceil(ms / 60_000)} minutes. Run the same command again then: it continues.`,
      );
    if (ms >= noticedWaitMs) this.#options.onWait(ms, why);
    if (ms > 0) await this.#options.pause(ms);
  }
}

const isOfStorage = (error: unknown): boolean =>
  error instanceof BlobStorageFull ||
  error instanceof BlobStorageUnavailable ||
  hasErrorCode(error, "EACCES", "EDQUOT", "EIO", "EMFILE", "ENOENT", "ENOSPC", "EPERM", "EROFS");

const factNames = { size: "size", sha1: "SHA-1", sha512: "SHA-512" };

const hostIn = (location: string | undefined, url: string): string => URL.parse(location ?? "", url)?.host ?? "nowhere";

function toValue<T>(url: string, schema: TSchema, bytes: Buffer): T {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    // The parser's message would quote the answer.
    throw new BadAnswer(`${url} answered with invalid JSON.`);
  }
  const validate = validatorFor("answer", schema);
  if (validate(value)) return value as T;
  const [error] = validate.errors ?? [];
  const place = error?.instancePath.replaceAll("/", ".") || "the answer";
  throw new BadAnswer(`${url}: ${place} ${error?.message ?? "does not fit"}.`);
}

const numberIn = (value: unknown): number | undefined =>
  typeof value === "string" && /^\d{1,12}(\.\d+)?$/.test(value.trim()) ? Number(value) : undefined;

/** Milliseconds, from seconds or an HTTP date. */
export function retryAfter(headers: IncomingHttpHeaders, now: number): number | undefined {
  const value = headers["retry-after"];
  const seconds = numberIn(value);
  if (seconds !== undefined) return seconds * 1000;
  const date = Date.parse(value ?? "");
  return Number.isNaN(date) ? spentWait(headers, now) : Math.max(0, date - now);
}

/** A point in time rather than a number of seconds, as some registries send it. */
const isMoment = (seconds: number): boolean => seconds > 1_000_000_000;

/** Both forms of the drafts: `limit=100, remaining=0, reset=12`, and `"default";r=0;t=12`. */
const combinedForms = {
  remaining: /(?:^|[;,\s])(?:r|remaining)=(\d{1,12})/,
  reset: /(?:^|[;,\s])(?:t|reset)=(\d{1,12})/,
};

/** How long to wait if no request is left: from X-Ratelimit-*, RateLimit-* or RateLimit. */
export function spentWait(headers: IncomingHttpHeaders, now: number): number | undefined {
  const combined = String(headers.ratelimit ?? "");
  const field = (name: "remaining" | "reset"): number | undefined =>
    numberIn(headers[`x-ratelimit-${name}`]) ??
    numberIn(headers[`ratelimit-${name}`]) ??
    numberIn(combinedForms[name].exec(combined)?.[1]);
  if (field("remaining") !== 0) return undefined;
  const reset = field("reset");
  if (reset === undefined) return undefined;
  return isMoment(reset) ? Math.max(0, reset * 1000 - now) : reset * 1000;
}
