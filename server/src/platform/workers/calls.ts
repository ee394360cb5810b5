// The functions that the primary process and its workers call in each other.
import type { Loan, Service, SharedLimit, WorkerReport } from "./peers.js";

/** Everything that a worker needs to start. */
export interface Assignment {
  number: number;
  count: number;
  /** The settings as the primary process has read them (config/handing-over.ts). */
  settings: unknown;
  /** Whether an empty registry is filled with sample content. */
  isDemo: boolean;
}

export interface PrimaryCalls {
  /** The first call of a worker. Answered when the database is ready to be used. */
  begin(): Promise<Assignment>;
  /** From now on the worker is asked to catch up after each write of another. */
  follow(): void;
  /** It answers requests at this address. */
  ready(address: string): void;
  /** It cannot start, for a reason that the operator can remove. */
  failed(message: string, exitCode: number): void;
  lock(key: string): Promise<void>;
  unlock(key: string): void;
  takePlace(key: string, limit: number): boolean;
  giveBack(key: string): void;
  catchUpOthers(): Promise<void>;
  /** The first worker: from now on it can be asked. */
  serve(): void;
  /** Asks the first worker. Rejects if it does not run. */
  askFirst(question: unknown): Promise<unknown>;
  /** The first worker tells all others. */
  tellOthers(news: unknown): void;
  borrow(limit: SharedLimit): Promise<Loan>;
  collectReports(): Promise<WorkerReport[]>;
  collectMetrics(): Promise<string>;
}

export interface WorkerCalls extends Service {
  /** It gets a last few connections, and says that it is not ready for more. */
  prepareStop(): void;
  stop(): void;
  /** Reads the settings file again. */
  reload(): void;
  /** Another worker asks this one, which is the first. */
  asked(question: unknown): Promise<unknown>;
  /** The first worker, or its replacement, can be asked. */
  firstServes(): void;
  /** The first worker tells the others. */
  told(news: unknown): void;
  /** Another worker waits for the lock. */
  wanted(key: string): void;
}
