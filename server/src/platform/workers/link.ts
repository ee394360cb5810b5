// A worker's connection to the primary process, and through it to the other workers.
import { Rounds } from "#lib/rounds.js";
import type { Assignment, PrimaryCalls, WorkerCalls } from "./calls.js";
import { Channel, type Port } from "./channel.js";
import { type FirstWorkerListener, giveBackOnce, type Peers, type Service, type SharedLimit } from "./peers.js";
import { WriteTurn } from "./write-turn.js";

const writing = "write";

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
  #service: Partial<Service> = {};
  #first: FirstWorkerListener | undefined;
  #answerOthers: ((question: unknown) => Promise<unknown>) | undefined;

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
      lock: () => primary.request("lock", writing),
      unlock: () => primary.tell("unlock", writing),
    });
    this.#rounds = new Rounds(() => primary.request("catchUpOthers"));
    this.#answer();
  }

  async join(service: Service): Promise<void> {
    this.#service = service;
    this.#answer();
    await this.#primary.request("follow");
    // Changes that were committed before the primary process knew of this worker.
    await service.catchUp();
  }

  #answer(): void {
    this.#primary.answer({
      stop: this.#onStop,
      prepareStop: () => this.onPrepareStop(),
      reload: () => this.onReload(),
      wanted: (key: string) => {
        if (key === writing) this.writeTurn.wanted();
      },
      asked: (question: unknown) => this.#answerOthers?.(question),
      firstServes: () => this.#first?.onServing(),
      told: (news: unknown) => this.#first?.onNews(news),
      ...this.#service,
    });
  }

  serve(answer: (question: unknown) => Promise<unknown>): void {
    this.#answerOthers = answer;
    this.#primary.tell("serve");
  }

  listenToFirst(listener: FirstWorkerListener): void {
    this.#first = listener;
  }

  tellOthers = (news: unknown) => this.#primary.tell("tellOthers", news);
  askFirst = (question: unknown) => this.#primary.request("askFirst", question);

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
    await this.#primary.request("lock", key);
    try {
      return await work();
    } finally {
      this.#primary.tell("unlock", key);
    }
  }

  async takePlace(key: string, limit: number): Promise<(() => void) | undefined> {
    const isTaken = await this.#primary.request("takePlace", key, limit);
    return isTaken ? giveBackOnce(() => this.#primary.tell("giveBack", key)) : undefined;
  }

  borrow = (limit: SharedLimit) => this.#primary.request("borrow", limit);
  collectReports = () => this.#primary.request("collectReports");
  collectMetrics = () => this.#primary.request("collectMetrics");
}
