// The part of the primary process that the workers share: locks, places, and calls from one worker to the others.
import type { Assignment, PrimaryCalls, WorkerCalls } from "./calls.js";
import { type Channel, ChannelClosed } from "./channel.js";
import { Locks, Places } from "./locks.js";
import type { Loan, SharedLimit, WorkerReport } from "./peers.js";

export interface Member {
  readonly number: number;
  readonly pid: number | undefined;
  readonly channel: Channel<WorkerCalls>;
  /** Ends a worker that does not answer. */
  kill(reason: string): void;
}

/**
 * A worker that does not answer within this time, twice in a row, is ended: a write is only acknowledged when no
 * worker can answer without it. The second wait is for machines that were asleep.
 */
const patienceMs = 4000;

const firstNumber = 1;
const noLoan: Loan = { units: 0, left: 0, retryAfterSeconds: Number.POSITIVE_INFINITY };

export class Switchboard {
  /** Workers that must read every change before it is acknowledged. */
  readonly #following = new Set<Member>();
  readonly #all = new Set<Member>();
  readonly #locks = new Locks<Member>(
    // A worker that hangs must not keep the others from writing.
    (holder, key) => void mustAnswer(holder, (channel) => channel.request("wanted", key)),
  );
  readonly #places = new Places<Member>();
  /** The first worker, once it can be asked. */
  #first = Promise.withResolvers<Member>();
  #serving: Member | undefined;
  readonly #collectMetrics: () => Promise<string>;

  constructor(collectMetrics: () => Promise<string>) {
    this.#collectMetrics = collectMetrics;
    this.#first.promise.catch(() => undefined);
  }

  /** The members that take part, in the order of their numbers. */
  get members(): Member[] {
    return [...this.#following].sort((a, b) => a.number - b.number);
  }

  /** Answers the calls of a new worker. */
  connect(member: Member, events: Pick<PrimaryCalls, "ready" | "failed"> & { begin(): Promise<Assignment> }): void {
    this.#all.add(member);
    const { channel } = member;
    channel.answer<PrimaryCalls>({
      ...events,
      follow: () => {
        if (this.#all.has(member)) this.#following.add(member);
      },
      lock: (key) => this.#locks.acquire(member, key),
      unlock: (key) => this.#locks.release(member, key),
      takePlace: (key, limit) => this.#places.take(member, key, limit),
      giveBack: (key) => this.#places.giveBack(member, key),
      catchUpOthers: () => this.#catchUpOthers(member),
      serve: () => this.#serve(member),
      askFirst: (question) => this.#askFirst(question),
      tellOthers: (news) => {
        if (member === this.#serving) for (const { channel } of this.#othersThan(member)) channel.tell("told", news);
      },
      borrow: (limit) => this.#borrow(member, limit),
      collectReports: () => this.collectReports(),
      collectMetrics: () => this.#collectMetrics(),
    });
  }

  /** After the process has ended: what it held is free. */
  disconnect(member: Member): void {
    this.#all.delete(member);
    this.#following.delete(member);
    member.channel.close();
    this.#locks.forget(member);
    this.#places.forget(member);
    if (member.number !== firstNumber) return;
    this.#serving = undefined;
    this.#first.reject(new ChannelClosed());
    this.#first = Promise.withResolvers();
    this.#first.promise.catch(() => undefined);
  }

  collectReports(): Promise<WorkerReport[]> {
    return this.askAll((channel) => channel.request("report"));
  }

  /** The answers of all members that answer. */
  async askAll<T>(ask: (channel: Channel<WorkerCalls>) => Promise<T>): Promise<T[]> {
    const answers = await Promise.all(
      this.members.map(({ channel }) => ask(channel).then((answer) => [answer], ignoreEnded<T[]>([]))),
    );
    return answers.flat() as T[];
  }

  async #catchUpOthers(writer: Member): Promise<void> {
    await Promise.all(
      this.#othersThan(writer).map((member) => mustAnswer(member, (channel) => channel.request("catchUp"))),
    );
  }

  #othersThan(one: Member): Member[] {
    return [...this.#following].filter((member) => member !== one);
  }

  #serve(first: Member): void {
    if (!this.#all.has(first)) return;
    this.#serving = first;
    this.#first.resolve(first);
    for (const { channel } of this.#othersThan(first)) channel.tell("firstServes");
  }

  async #askFirst(question: unknown): Promise<unknown> {
    if (![...this.#all].some(({ number }) => number === firstNumber)) throw new ChannelClosed();
    const first = await this.#first.promise;
    // The answer may take long, but a worker that hangs must not keep the others waiting.
    const timer = setTimeout(() => void mustAnswer(first, (channel) => channel.request("wanted", "")), patienceMs);
    try {
      return await first.channel.request("asked", question);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The first of the others that has units left lends half of them. */
  async #borrow(borrower: Member, limit: SharedLimit): Promise<Loan> {
    const { members } = this;
    const at = members.indexOf(borrower);
    const loan: Loan = { ...noLoan };
    for (const { channel } of [...members.slice(at + 1), ...members.slice(0, Math.max(at, 0))]) {
      if (loan.units > 0) break;
      const lent = await channel.request("lend", limit).catch(ignoreEnded(noLoan));
      loan.units += lent.units;
      loan.left += lent.left;
      loan.retryAfterSeconds = Math.min(loan.retryAfterSeconds, lent.retryAfterSeconds);
    }
    return loan;
  }
}

/** Resolves when the worker has answered, or has ended. */
async function mustAnswer(
  { channel, kill }: Member,
  ask: (channel: Channel<WorkerCalls>) => Promise<void>,
): Promise<void> {
  let timer = setTimeout(() => {
    timer = setTimeout(() => kill("It did not answer in time"), patienceMs);
  }, patienceMs);
  try {
    await ask(channel).catch(ignoreEnded(undefined));
  } finally {
    clearTimeout(timer);
  }
}

function ignoreEnded<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof ChannelClosed) return instead;
    throw error;
  };
}
