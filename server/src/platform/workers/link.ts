// A worker's connection to the primary process, and through it to the other workers.
import { Rounds } from "#lib/rounds.js";
import type { Assignment, PrimaryCalls, WorkerCalls } from "./calls.js";
import { Channel, ChannelClosed, type Port } from "./channel.js";
import { giveBackOnce, type Loan, type Peers, type Service, type SharedLimit } from "./peers.js";
import { WriteTurn } from "./write-turn.js";

const writing = "write";

const noLoan: Loan = { units: 0, left: 0, retryAfterSeconds: 1 };

/** If the primary process was killed, this worker is stopping and needs no permission to finish its work. */
function unlessAlone<T>(answer: Promise<T>, instead: T): Promise<T> {
  return answer.catch((error) => {
    if (error instanceof ChannelClosed) return instead;
    throw error;
  });
}

export class WorkerLink implements Peers {
  readonly number: number;
  readonly count: number;
  readonly assignment: Assignment;
  readonly writeTurn: WriteTurn;
  readonly #primary: Channel<PrimaryCalls>;
  readonly #rounds: Rounds;

  /** Called when the settings file must be read again. */
  onReload: () => void = () => {};
  /** Called shortly before this worker must stop. */
  onPrepareStop: () => void = () => {};
  readonly #onStop: () => void;

  /** Waits until the primary process lets this worker start. `onStop` is called when it must stop. */
  static async open(port: Port, onStop: () => void): Promise<WorkerLink> {
    const primary = new Channel<PrimaryCalls>(port);
    primary.answer<Pick<WorkerCalls, "stop">>({ stop: onStop });
    return new WorkerLink(primary, await primary.request("begin"), onStop);
  }

  private constructor(primary: Channel<PrimaryCalls>, assignment: Assignment, onStop: () => void) {
    this.#primary = primary;
    this.#onStop = onStop;
    this.assignment = assignment;
    this.number = assignment.number;
    this.count = assignment.count;
    this.writeTurn = new WriteTurn({
      lock: () => unlessAlone(primary.request("lock", writing), undefined),
      unlock: () => primary.tell("unlock", writing),
    });
    this.#rounds = new Rounds(() => unlessAlone(primary.request("catchUpOthers"), undefined));
    this.#answer({});
  }

  async join(service: Service): Promise<void> {
    this.#answer(service);
    await this.#primary.request("follow");
    // Changes that were committed before the primary process knew of this worker.
    await service.catchUp();
  }

  #answer(service: Partial<Service>): void {
    this.#primary.answer({
      stop: this.#onStop,
      prepareStop: () => this.onPrepareStop(),
      reload: () => this.onReload(),
      wanted: (key: string) => {
        if (key === writing) this.writeTurn.wanted();
      },
      ...service,
    });
  }

  /** The primary process has ended. */
  close(): void {
    this.#primary.close();
  }

  ready(address: string): void {
    this.#primary.tell("ready", address);
  }

  /** Resolves when the primary process knows it. */
  failed(message: string, exitCode: number): Promise<void> {
    return this.#primary.request("failed", message, exitCode);
  }

  catchUpOthers(): Promise<void> {
    return this.#rounds.next();
  }

  async alone<T>(key: string, work: () => Promise<T>): Promise<T> {
    await unlessAlone(this.#primary.request("lock", key), undefined);
    try {
      return await work();
    } finally {
      this.#primary.tell("unlock", key);
    }
  }

  async takePlace(key: string, limit: number): Promise<(() => void) | undefined> {
    const isTaken = await unlessAlone(this.#primary.request("takePlace", key, limit), true);
    return isTaken ? giveBackOnce(() => this.#primary.tell("giveBack", key)) : undefined;
  }

  borrow = (limit: SharedLimit) => unlessAlone(this.#primary.request("borrow", limit), noLoan);
  collectReports = () => this.#primary.request("collectReports");
  collectMetrics = () => this.#primary.request("collectMetrics");
}
