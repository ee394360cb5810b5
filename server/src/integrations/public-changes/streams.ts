// The public feed as streams of server-sent events. Each reads on from its own position as fast as its client takes it,
// so that a slow one holds nobody up and nothing in memory; all of them end when the server stops.
import { Readable } from "node:stream";
import type { ChangeLog } from "#platform/changes/change-log.js";
import { type Failure, fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import type { PublicChange } from "./contract.js";
import { type PublicTail, tailOf } from "./tail.js";

const perAddress = 8;
const inAll = 1000;
const retrySeconds = 60;
const pageSize = 500;
/** Proxies close what is silent for a minute. */
const heartbeatMs = 20_000;
/** Then it begins anew: clients spread over the nodes again, and one that never reads does not stay for ever. */
const lifeMs = 60 * 60_000;
const reconnectMs = 3000;

const toEvent = (change: PublicChange): string =>
  `id: ${change.seq}\nevent: change\ndata: ${JSON.stringify(change)}\n\n`;

/** First the client's position, so that it knows where to go on even if nothing else comes. */
const toOpening = (position: number): string => `retry: ${reconnectMs}\nid: ${position}\n\n`;

/** What waits for the caller, and the end. */
export async function toFiniteEvents(tail: PublicTail, since: number, limit: number): Promise<string> {
  const { changes } = await tail.after(since, limit);
  return toOpening(since) + changes.map(toEvent).join("");
}

/** Goes on until it is told to end, or cannot read: then the client comes back with the number of its last event. */
export async function* eventsAfter(
  tail: PublicTail,
  since: number,
  { signal, quietMs = heartbeatMs }: { signal: AbortSignal; quietMs?: number },
): AsyncGenerator<string> {
  const news = new Bell();
  const stopHearing = tail.hear(() => news.ring());
  signal.addEventListener("abort", () => news.ring(), { once: true });
  let position = since;
  try {
    yield toOpening(position);
    while (!signal.aborted) {
      news.hush();
      const page = await tail.after(position, pageSize).catch(() => undefined);
      if (!page) return;
      position = page.next;
      if (page.changes.length > 0) yield page.changes.map(toEvent).join("");
      if (!page.more && !(await news.rings(quietMs))) yield ":\n\n";
    }
  } finally {
    stopHearing();
  }
}

/** Remembers that it was rung, so that what comes while its owner is busy is not missed. */
class Bell {
  #isRung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  hush(): void {
    this.#isRung = false;
  }

  /** Whether it was rung since it was hushed, or is within that time. */
  async rings(withinMs: number): Promise<boolean> {
    if (this.#isRung) return true;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, withinMs);
    this.#wake = resolve;
    await promise;
    this.#wake = undefined;
    clearTimeout(timer);
    return this.#isRung;
  }
}

const tooMany = (): Failure => {
  const failure = fail.rateLimited(retrySeconds);
  failure.headers["retry-after"] = String(retrySeconds);
  return failure;
};

interface OpenStream {
  stream: Readable;
  /** To be called when the client is gone: the stream itself would notice only with its next word. */
  end(): void;
}

class ChangeStreams {
  readonly #tail: PublicTail;
  readonly #open = new Map<AbortController, string>();
  #isStopped = false;

  constructor(tail: PublicTail) {
    this.#tail = tail;
  }

  open(since: number, address: string): OpenStream {
    if (this.#isStopped) throw fail.unavailable();
    if (this.#open.size >= inAll) throw fail.unavailable();
    const ofCaller = [...this.#open.values()].filter((each) => each === address).length;
    if (ofCaller >= perAddress) throw tooMany();
    const ending = new AbortController();
    this.#open.set(ending, address);
    const stream = Readable.from(eventsAfter(this.#tail, since, ending), { objectMode: false });
    const end = () => ending.abort();
    const life = setTimeout(end, lifeMs);
    life.unref();
    ending.signal.addEventListener("abort", () => {
      clearTimeout(life);
      this.#open.delete(ending);
      // One that is not read never learns that its time is over.
      setTimeout(() => stream.destroy(), reconnectMs).unref();
    });
    stream.once("close", end);
    return { stream, end };
  }

  stop(): void {
    this.#isStopped = true;
    for (const ending of this.#open.keys()) ending.abort();
  }
}

const streams = new WeakMap<ChangeLog, ChangeStreams>();

/** One per server. */
function streamsOf(resources: Resources): ChangeStreams {
  const known = streams.get(resources.changeLog) ?? new ChangeStreams(tailOf(resources));
  streams.set(resources.changeLog, known);
  return known;
}

export const openChangeStream = (resources: Resources, since: number, address: string): OpenStream =>
  streamsOf(resources).open(since, address);

/** Lets no stream hold up the end of the server. */
export const endChangeStreams = (resources: Resources): void => streamsOf(resources).stop();
