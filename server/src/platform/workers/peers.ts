// The workers of one server, as each of them sees the others. A server that runs in one process has none.
import { Locks, Places } from "./locks.js";

/** A rate limit whose units the workers share out among themselves (platform/http/shared-buckets.ts). */
export interface SharedLimit {
  key: string;
  quota: number;
  windowSeconds: number;
}

export interface Loan {
  units: number;
  /** Units that the lenders have left. */
  left: number;
  /** When the first of them has a unit again; 0 if one has. */
  retryAfterSeconds: number;
}

/** The state of a worker, for operators. */
export interface WorkerReport {
  number: number;
  pid: number;
  /** When it began to answer, in milliseconds since 1970. */
  since: number;
  residentBytes: number;
  /** The state of the parts of the server (platform/http/server-report.ts). */
  parts: unknown;
}

/** For the workers that leave something to the first one. */
export interface FirstWorkerListener {
  /** It can be asked: from now on, or a replacement again. Not called if it could be asked before. */
  onServing(): void;
  /** In the order in which it told them. */
  onNews(news: unknown): void;
}

export interface Peers {
  /** From 1 on. The first worker also does the work in the background. */
  readonly number: number;
  readonly count: number;
  /** Resolves when every other worker has read all changes that were committed before the call. */
  catchUpOthers(): Promise<void>;
  /** Runs the work while no other worker holds the lock. */
  alone<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Takes one of so many places, which all workers share. Returns how to give it back; undefined if none is free. */
  takePlace(key: string, limit: number): Promise<(() => void) | undefined>;
  /** For the first worker: it answers the questions of the others from now on. */
  serve(answer: (question: unknown) => Promise<unknown>): void;
  /** For the first worker. */
  tellOthers(news: unknown): void;
  listenToFirst(listener: FirstWorkerListener): void;
  /**
   * If the first worker is starting, this waits until it serves. Rejects if it does not run. News that were told before the
   * answer arrive before it, and so may some that were told afterwards.
   */
  askFirst(question: unknown): Promise<unknown>;
  /** Asks the other workers for units of a limit. */
  borrow(limit: SharedLimit): Promise<Loan>;
  /** One for each worker, in the order of their numbers. */
  collectReports(): Promise<WorkerReport[]>;
  /** The figures of all workers together, in the text format of Prometheus. */
  collectMetrics(): Promise<string>;
  /** From now on the others call these functions. Resolves when this worker cannot miss a change any more. */
  join(service: Service): Promise<void>;
}

/** The functions of a running server that other workers call. */
export interface Service {
  /** Resolves when all changes that were committed before are known, or nothing is answered without them. */
  catchUp(): Promise<void>;
  lend(limit: SharedLimit): Loan;
  report(): WorkerReport;
  /** As prom-client describes them. */
  metrics(): Promise<object[]>;
}

/** The state of a server in one process. */
export interface SelfDescription {
  report(): WorkerReport;
  metrics(): Promise<string>;
}

const me = "me";

/** For a server in one process, which must describe itself. */
export function onlyProcess(self: SelfDescription): Peers {
  const locks = new Locks<object>();
  const places = new Places<string>();
  return {
    number: 1,
    count: 1,
    catchUpOthers: async () => {},
    async alone(key, work) {
      const owner = {};
      await locks.acquire(owner, key);
      try {
        return await work();
      } finally {
        locks.release(owner, key);
      }
    },
    async takePlace(key, limit) {
      return places.take(me, key, limit) ? giveBackOnce(() => places.giveBack(me, key)) : undefined;
    },
    serve: () => {},
    tellOthers: () => {},
    listenToFirst: () => {},
    askFirst: async () => {
      throw new Error("There is only one process");
    },
    borrow: async () => ({ units: 0, left: 0, retryAfterSeconds: Number.POSITIVE_INFINITY }),
    collectReports: async () => [self.report()],
    collectMetrics: () => self.metrics(),
    join: async () => {},
  };
}

export function giveBackOnce(giveBack: () => void): () => void {
  let isHeld = true;
  return () => {
    if (isHeld) giveBack();
    isHeld = false;
  };
}
