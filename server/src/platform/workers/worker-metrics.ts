// The figures of all workers and of the primary process as one page for Prometheus: counters are sums, which never fall,
// also when a worker is replaced; each gauge says itself how it is joined ("aggregator" in prom-client).
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";

const startTime = "modshelf_process_start_time_seconds";

/** As Registry.getMetricsAsJSON describes them. */
type Figures = { name: string; type: string; aggregator: string }[];

export class WorkerMetrics {
  readonly #own = new Registry();
  /** The last figures of each worker. */
  readonly #latest = new Map<object, Figures>();
  /** Counters of workers that have ended. */
  #ended: Figures[] = [];

  constructor(count: () => { running: number; restarts: number }) {
    collectDefaultMetrics({ register: this.#own, prefix: "modshelf_" });
    new Gauge({
      name: "modshelf_workers",
      help: "Worker processes that answer requests",
      registers: [this.#own],
      collect() {
        this.set(count().running);
      },
    });
    new Counter({
      name: "modshelf_worker_restarts_total",
      help: "Worker processes that ended and were replaced",
      registers: [this.#own],
      collect() {
        this.reset();
        this.inc(count().restarts);
      },
    });
  }

  get contentType(): string {
    return this.#own.contentType;
  }

  note(worker: object, figures: object[]): void {
    this.#latest.set(worker, figures as Figures);
  }

  /** Anything that the worker counted after it was last asked is lost with it. */
  retire(worker: object): void {
    const last = this.#latest.get(worker);
    this.#latest.delete(worker);
    if (last) this.#ended.push(last.filter(({ type }) => type !== "gauge"));
  }

  async text(): Promise<string> {
    this.#ended = [await sum(this.#ended)];
    const own = (await this.#own.getMetricsAsJSON()) as unknown as Figures;
    const all = [own.map(fromPrimary), ...this.#latest.values(), ...this.#ended];
    return aggregate(all).metrics();
  }
}

/** The first figure of a name decides how it is joined; the server started when the primary process did. */
const fromPrimary = (figure: Figures[number]): Figures[number] =>
  figure.name === startTime ? { ...figure, aggregator: "first" } : figure;

const sum = async (all: readonly Figures[]): Promise<Figures> =>
  (await aggregate(all).getMetricsAsJSON()) as unknown as Figures;

const aggregate = (all: readonly Figures[]): Registry => AggregatorRegistry.aggregate([...all]);
