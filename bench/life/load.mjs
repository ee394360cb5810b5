// Runs the phases: tells the load generator what to send, and measures what the servers spend on it.
import { fork } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { mixed } from "../random.mjs";
import { traffic } from "./parameters.mjs";
import { cpuSeconds, diskBytes, memoryOf } from "./processes.mjs";

const client = fileURLToPath(new URL("client.mjs", import.meta.url));
/** Answers that are kept for the ceiling, in bytes: later questions of a sequence are not asked there. */
const recordBytes = 600 * 1024 * 1024;

/** Rows of the table of a long run, and the time between two samples of its memory. */
const intervals = 12;
const sampleMs = 2000;

const perCpu = ({ sum, elapsed }, spent) => {
  const cpu = Math.max(0.01, spent);
  return { cpu, perCpuSecond: sum.count / cpu, perSecond: sum.count / elapsed };
};

const message = (child) =>
  new Promise((resolve, reject) => {
    const onExit = (code) => reject(new Error(`A process of the benchmark ended with ${code}`));
    child.once("exit", onExit);
    child.once("message", (text) => {
      child.off("exit", onExit);
      if (text.error) reject(new Error(text.error));
      else resolve(text);
    });
  });

export class Load {
  #child = fork(client, { execArgv: ["--max-old-space-size=6000"] });
  #given;

  constructor(given) {
    this.#given = given;
  }

  async warm(kinds, seconds, publish) {
    const { product, databasePids } = this.#given;
    const plan = { ...this.#plan("warm", kinds), port: product.port, seconds, publish };
    return this.#send(plan, [product.pid, ...databasePids]);
  }

  /** The product answers the sequence once. */
  async phase(name, { kinds, seconds, publish }) {
    const { product, folder, databasePids } = this.#given;
    const plan = {
      ...this.#plan(name, kinds),
      port: product.port,
      seconds,
      publish,
      record: join(folder, name),
      recordBytes,
    };
    const figures = await this.#send(plan, [product.pid, ...databasePids]);
    return { ...figures, memory: memoryOf([product.pid]), asked: kinds };
  }

  /**
   * The product answers ever new questions for some minutes, without a pause. Returns figures of each interval, also if the
   * run ended before its time.
   */
  async last(minutes, { kinds, publish, onRow }) {
    const { product, databasePids } = this.#given;
    const pids = [product.pid, ...databasePids];
    const seconds = minutes * 60;
    const intervalSeconds = seconds / intervals;
    const plan = { ...this.#plan("last", kinds), port: product.port, seconds, intervalSeconds, publish };
    this.#child.send(plan);
    await message(this.#child);
    let [before, memory] = [cpuSeconds(pids), []];
    const timer = setInterval(() => memory.push(memoryOf([product.pid])), sampleMs);
    const rows = [];
    try {
      this.#child.send("go");
      for (let isMore = true; isMore; ) {
        const figures = await message(this.#child);
        isMore = figures.isMore;
        const [now, sampled] = [cpuSeconds(pids), memory];
        const row = {
          ...figures,
          ...perCpu(figures, now - before),
          memory: sampled,
          parts: await product.memoryParts(),
        };
        rows.push(row);
        onRow(row);
        [before, memory] = [now, []];
      }
      return { rows };
    } catch (error) {
      return { rows, failure: error.message.split("\n")[0] };
    } finally {
      clearInterval(timer);
    }
  }

  /** The ceiling answers the same sequence. */
  async ceiling(name, { asked, sum }) {
    const { ceiling, folder, options } = this.#given;
    await ceiling.load(join(folder, name));
    const answers = { answers: join(folder, name), answered: sum.count, repeat: true };
    const plan = { ...this.#plan(name, asked), ...answers, port: ceiling.port };
    await this.#send({ ...plan, seconds: options.ceilingSeconds / 3 }, [ceiling.pid]);
    return this.#send({ ...plan, seconds: options.ceilingSeconds }, [ceiling.pid]);
  }

  #plan(name, kinds) {
    const { data, options, folder } = this.#given;
    const { projects, seed, now, stored } = data;
    // Each phase has its own sequence, so that no phase asks what another has asked.
    const own = mixed(options.seed, ...Buffer.from(name));
    return {
      ...{ data: { projects, seed, now, stored }, seed: own, kinds, encoding: options.encoding, folder },
      ...{ connections: traffic.connections, requests: options.requests },
    };
  }

  async #send(plan, pids) {
    this.#child.send(plan);
    await message(this.#child);
    const [cpuBefore, diskBefore] = [cpuSeconds(pids), diskBytes(pids)];
    this.#child.send("go");
    const figures = await message(this.#child);
    const disk = diskBytes(pids) - diskBefore;
    return { ...figures, disk, ...perCpu(figures, cpuSeconds(pids) - cpuBefore) };
  }

  stop = () => this.#child.kill();
}
