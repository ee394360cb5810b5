// The public change log as streams of server-sent events. Each reads on from its own position at the speed of its
// client, so that a slow client neither delays others nor takes memory; all of them end when the server stops.
import { Readable } from "node:stream";
import { perServer } from "#platform/changes/server-memory.js";
import { type Failure, fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import type { Peers } from "#platform/workers/peers.js";
import type { PublicChange } from "./contract.js";
import { type PublicTail, tailOf } from "./tail.js";

const perAddress = 8;
const inAll = 1000;
const retrySeconds = 60;
const pageSize = 500;
/** Proxies close connections that are silent for a minute. */
const heartbeatMs = 20_000;
/**
 * After this time the client reconnects: clients spread over the nodes again, and one that never reads does not stay
 * forever.
 */
const lifeMs = 60 * 60_000;
const reconnectMs = 3000;

const toEvent = (change: PublicChange): string =>
  `id: ${change.seq}\nevent: change\ndata: ${JSON.stringify(change)}\n\n`;

/** First the position of the client, so that it can continue from there even if no event follows. */
const toOpening = (position: number): string => `retry: ${reconnectMs}\nid: ${position}\n\n`;

/** The pending changes, and the end of the stream. */
export async function toFiniteEvents(tail: PublicTail, since: number, limit: number): Promise<string> {
  const { changes } = await tail.after(since, limit);
  return toOpening(since) + changes.map(toEvent).join("");
}

/** Continues until it is aborted or cannot read. The client then reconnects with the number of its last event. */
export async function* eventsAfter(
  tail: PublicTail,
  since: number,
  { signal, quietMs = heartbeatMs }: { signal: AbortSignal; quietMs?: number },
): AsyncGenerator<string> {
  const bell = new Bell();
  const unsubscribe = tail.subscribe(() => bell.ring());
  signal.addEventListener("abort", () => bell.ring(), { once: true });
  let position = since;
  try {
    yield toOpening(position);
    while (!signal.aborted) {
      bell.hush();
      const page = await tail.after(position, pageSize).catch(() => undefined);
      if (!page) return;
      position = page.next;
      if (page.changes.length > 0) yield page.changes.map(toEvent).join("");
      if (!page.more && !(await bell.rings(quietMs))) yield ":\n\n";
    }
  } finally {
    unsubscribe();
  }
}

/** Remembers that it was rung, so that a change is not missed while its owner is busy. */
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

  /** Whether it was rung since it was last hushed, or is rung within that time. */
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
  /** Must be called when the client disconnects: the stream itself would notice only with its next event. */
  end(): void;
}

class ChangeStreams {
  readonly #tail: PublicTail;
  readonly #peers: Peers;
  readonly #open = new Set<AbortController>();
  #isStopped = false;

  constructor(tail: PublicTail, peers: Peers) {
    this.#tail = tail;
    this.#peers = peers;
  }

  async open(since: number, address: string): Promise<OpenStream> {
    const giveBack = await this.#takePlaces(address);
    if (this.#isStopped) {
      giveBack();
      throw fail.unavailable();
    }
    const ending = new AbortController();
    this.#open.add(ending);
    const stream = Readable.from(eventsAfter(this.#tail, since, ending), { objectMode: false });
    const end = () => ending.abort();
    const life = setTimeout(end, lifeMs);
    life.unref();
    ending.signal.addEventListener("abort", () => {
      clearTimeout(life);
      this.#open.delete(ending);
      giveBack();
      // A stream that is not read never notices that its time is over.
      setTimeout(() => stream.destroy(), reconnectMs).unref();
    });
    stream.once("close", end);
    return { stream, end };
  }

  async #takePlaces(address: string): Promise<() => void> {
    const giveBackAny = await this.#peers.takePlace("change streams", inAll);
    if (!giveBackAny) throw fail.unavailable();
    const giveBackOwn = await this.#peers.takePlace(`change streams of ${address}`, perAddress);
    if (!giveBackOwn) {
      giveBackAny();
      throw tooMany();
    }
    return () => {
      giveBackOwn();
      giveBackAny();
    };
  }

  stop(): void {
    this.#isStopped = true;
    for (const ending of this.#open) ending.abort();
  }
}

const streamsOf = perServer((resources: Resources) => new ChangeStreams(tailOf(resources), resources.peers));

export const openChangeStream = (resources: Resources, since: number, address: string): Promise<OpenStream> =>
  streamsOf(resources).open(since, address);

/** Ends all streams, so that they do not delay the stop of the server. */
export const endChangeStreams = (resources: Resources): void => streamsOf(resources).stop();
