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

const perCpu = ({ count, elapsed }, spent) => {
  const cpu = Math.max(0.01, spent);
  return { cpu, perCpuSecond: count / cpu, perSecond: count / elapsed };
};

const sumOf = (rounds, part) => rounds.reduce((sum, round) => sum + round[part], 0);

/** All rounds of the product, or of the ceiling, as one. The times of the last one are those of all. */
function joinRounds(rounds) {
  const [count, elapsed] = [sumOf(rounds, "count"), sumOf(rounds, "elapsed")];
  return { ...rounds.at(-1), count, elapsed, ...perCpu({ count, elapsed }, sumOf(rounds, "cpu")) };
}

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

  /**
   * In each round the product answers a sequence of its own once, and then the ceiling the same one: the speed of a shared
   * machine changes within minutes, so that only figures from the same moment can be compared.
   */
  async phase(name, { kinds, seconds, publish }) {
    const { product, folder, databasePids, options } = this.#given;
    const rounds = [];
    for (let n = 1; n <= options.rounds; n++) {
      const plan = this.#plan(`${name} ${n}`, kinds);
      const record = join(folder, name);
      const asked = { ...plan, phase: name, port: product.port, seconds, publish, record, recordBytes };
      const figures = await this.#send(asked, [product.pid, ...databasePids]);
      rounds.push({ ...figures, memory: memoryOf([product.pid]), ceiling: await this.#ceiling(plan, record, figures) });
    }
    return {
      ...joinRounds(rounds),
      ...{ bytes: sumOf(rounds, "bytes"), disk: sumOf(rounds, "disk") },
      heldUpMs: Math.max(...rounds.map((round) => round.heldUpMs)),
      ceiling: joinRounds(rounds.map((round) => round.ceiling)),
      ratios: rounds.map((round) => round.perCpuSecond / round.ceiling.perCpuSecond),
    };
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

  /** The ceiling answers the questions of a round whose answers were recorded. */
  async #ceiling(plan, record, { count }) {
    const { ceiling, options } = this.#given;
    await ceiling.load(record);
    const asked = { ...plan, answers: record, answered: count, repeat: true, port: ceiling.port };
    const seconds = options.ceilingSeconds / options.rounds;
    await this.#send({ ...asked, seconds: seconds / 3 }, [ceiling.pid]);
    return this.#send({ ...asked, seconds }, [ceiling.pid]);
  }

  #plan(name, kinds) {
    const { data, options, folder } = this.#given;
    const { projects, seed, now, stored } = data;
    // Each round of a phase has its own sequence, so that none asks what another has asked.
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
