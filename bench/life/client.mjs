// The load generator, in its own process: raw sockets, one request at a time on each, requests prepared in advance, or drawn
// one by one when the plan has intervals. It receives a plan from its parent, answers with figures, and records answers for
// the ceiling.
import { once } from "node:events";
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { connect } from "node:net";
import { createHistogram, performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { checkAnswers } from "./answer-check.mjs";
import { createReader } from "./answer-reader.mjs";
import { slowMs } from "./parameters.mjs";
import { startPublishing, summarize } from "./publisher.mjs";
import { knowStored } from "./registry/stored-files.mjs";
import { createWorld } from "./registry/world.mjs";
import { createTraffic } from "./traffic.mjs";

let world;
/** The times of answers by their kind, and the publications, in all rounds of each phase so far. */
const phases = new Map();
const newPhase = () => ({ times: new Map(), published: [] });

process.on("message", async (plan) => {
  if (plan === "go") return;
  try {
    process.send(await run(plan));
  } catch (error) {
    process.send({ error: error.stack });
  }
});

async function run(plan) {
  if (!world) {
    world = createWorld(plan.data);
    knowStored(world, plan.data.stored);
  }
  const isEndless = plan.intervalSeconds !== undefined;
  const draw = createTraffic(world, { ...plan, isNamed: plan.answers !== undefined, isEndless });
  const prepare = () => {
    const { text, ...rest } = draw();
    return { ...rest, bytes: Buffer.from(text) };
  };
  const copy = createCopier();
  const prepareToKeep = () => {
    const request = prepare();
    return { ...request, bytes: copy(request.bytes) };
  };
  let requests = Array.from({ length: isEndless ? 0 : plan.requests }, prepareToKeep);
  // The ceiling gets only questions whose answers were recorded.
  if (plan.answers) {
    const known = new Set(JSON.parse(readFileSync(`${plan.answers}.json`, "utf8")).map(({ answer }) => answer));
    requests = requests.slice(0, plan.answered).filter(({ answer }) => known.has(answer));
    if (requests.length === 0) throw new Error("No answer was recorded");
  }
  process.send({ ready: true });
  await new Promise((resolve) => process.once("message", resolve));
  const connections = await openConnections(plan);
  const publishing = plan.publish ? startPublishing(plan, world) : undefined;
  const phase = phases.get(plan.phase) ?? newPhase();
  if (plan.phase) phases.set(plan.phase, phase);
  const onInterval = (figures) =>
    process.send({ ...figures, published: publishing && summarize([publishing.take()]), isMore: true });
  const figures = await send(plan, connections, isEndless ? { prepare, onInterval } : { requests }, phase.times);
  if (!publishing) return figures;
  phase.published.push(await publishing.stop());
  return { ...figures, published: summarize(phase.published) };
}

/**
 * The server accepts one connection in each turn of its event loop. If all were opened at the moment when the traffic begins,
 * the last of them would wait for as many turns, each with the questions of the others.
 */
async function openConnections({ port, connections: count }) {
  const connections = Array.from({ length: count }, () => {
    const onread = {
      buffer: received,
      callback: (length) => {
        connection.onData(received.subarray(0, length));
        return true;
      },
    };
    const connection = { socket: connect({ port, host: "127.0.0.1", noDelay: true, onread }), onData: undefined };
    return connection;
  });
  await Promise.all(connections.map(({ socket }) => once(socket, "connect")));
  await pause(acceptMs);
  return connections;
}

/** A server without traffic has accepted them all by then. */
const acceptMs = 100;

/**
 * All sockets read into this memory. With new memory for each piece, the garbage collector of this process ran every second,
 * on a core that the server needed: single answers took 200 ms longer.
 */
const received = Buffer.allocUnsafeSlow(256 * 1024);

/** Returns a function that copies bytes into large blocks, which the garbage collector does not have to count one by one. */
function createCopier() {
  let block = Buffer.alloc(0);
  let used = 0;
  return (bytes) => {
    if (used + bytes.length > block.length) {
      block = Buffer.allocUnsafeSlow(Math.max(blockBytes, bytes.length));
      used = 0;
    }
    used += bytes.copy(block, used);
    return block.subarray(used - bytes.length, used);
  };
}

const blockBytes = 16 * 1024 * 1024;

/** `times`: those of earlier rounds, by kind. The times of this one are added to them. */
async function send(plan, connections, { requests, prepare, onInterval }, times) {
  const { seconds, intervalSeconds, record, recordBytes, repeat } = plan;
  const recorded = new Map();
  const run = {
    next: 0,
    begun: performance.now(),
    until: performance.now() + seconds * 1000,
    count: 0,
    bytes: 0,
    room: recordBytes ?? 0,
    failure: undefined,
  };
  const take = () => {
    const now = performance.now();
    if (run.failure || now >= run.until) return undefined;
    if (prepare) {
      if (now >= run.begun + intervalSeconds * 1000) onInterval(takeFigures());
      return prepare();
    }
    if (run.next === requests.length) {
      if (!repeat) return undefined;
      run.next = 0;
    }
    return requests[run.next++];
  };
  /** Bodies of the answers that are recorded or checked. In an endless run, nothing is recorded, and a few are checked at once. */
  const isKept = (request, head) => {
    if (!head.startsWith(success)) return true;
    if (request.file) return false;
    if (prepare) return (times.get(request.kind)?.histogram.count ?? 0) % 500 === 0;
    return record !== undefined && run.room > 0 && !recorded.has(request.answer);
  };
  const note = (request, ms, { head, pieces, bytes }) => {
    if (!times.has(request.kind)) times.set(request.kind, new Times());
    times.get(request.kind).add(ms);
    if (!head.startsWith(success))
      throw new Error(`${request.bytes.subarray(0, 300)}\n${head}\n${Buffer.concat(pieces).subarray(0, 500)}`);
    run.count++;
    run.bytes += bytes;
    if (prepare && pieces) checkAnswers([{ request, head, pieces }]);
    if (!record || run.room <= 0 || recorded.has(request.answer)) return;
    if (!request.file) run.room -= bytes;
    recorded.set(request.answer, { request, head, pieces, bytes });
  };
  /** The number of answers since the last call and their bytes, and the times of all answers that are noted. */
  const takeFigures = () => {
    const now = performance.now();
    const { count, bytes, begun } = run;
    const elapsed = (now - begun) / 1000;
    const kinds = Object.fromEntries([...times].map(([kind, own]) => [kind, own.summary()]));
    const all = new Times();
    for (const own of times.values()) all.join(own);
    const sum = all.summary();
    // Each interval of an endless run has its own times.
    if (prepare) times.clear();
    const heldUpMs = watch.take();
    Object.assign(run, { begun: now, count: 0, bytes: 0 });
    return { count, elapsed, bytes, sum, kinds, heldUpMs };
  };
  const watch = watchForPauses();
  const copy = createCopier();
  await Promise.all(connections.map((connection) => talk(connection, { take, isKept, copy, note }, run)));
  const figures = takeFigures();
  watch.stop();
  if (run.failure) throw run.failure;
  if (record) {
    checkAnswers([...recorded.values()]);
    save(record, recorded);
  }
  return figures;
}

const success = "HTTP/1.1 200";

/** How long this process could do nothing, at most: answers that it received in that time waited for it. */
function watchForPauses() {
  const everyMs = 5;
  let last = performance.now();
  let longest = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last - everyMs);
    last = now;
  }, everyMs);
  const take = () => {
    const taken = longest;
    longest = 0;
    return taken;
  };
  return { take, stop: () => clearInterval(timer) };
}

function talk(connection, { take, isKept, copy, note }, run) {
  const { socket } = connection;
  return new Promise((resolve) => {
    let request;
    let started = 0;
    const next = () => {
      request = take();
      if (!request) return socket.destroy();
      started = performance.now();
      socket.write(request.bytes);
    };
    const fail = (error) => {
      run.failure ??= error;
      socket.destroy();
    };
    const read = createReader({
      isKept: (head) => isKept(request, head),
      copy,
      onAnswer(answer) {
        note(request, performance.now() - started, answer);
        next();
      },
    });
    connection.onData = (bytes) => {
      try {
        read(bytes);
      } catch (error) {
        fail(error);
      }
    };
    socket.on("end", () => fail(new Error("The server closed a connection")));
    socket.on("error", fail);
    socket.on("close", resolve);
    next();
  });
}

/** Times of answers, counted. A list of them would have to be sorted, and all answers on the way would wait for that. */
class Times {
  /** In microseconds, to three digits. */
  histogram = createHistogram({ highest: 600_000_000, figures: 3 });
  slow = 0;

  add(ms) {
    this.histogram.record(Math.max(1, Math.round(ms * 1000)));
    if (ms > slowMs) this.slow++;
  }

  join(other) {
    this.histogram.add(other.histogram);
    this.slow += other.slow;
  }

  summary() {
    const { count, max } = this.histogram;
    const at = (percent) => (count ? this.histogram.percentile(percent) / 1000 : 0);
    return { count, p50: at(50), p99: at(99), p999: at(99.9), max: count ? max / 1000 : 0, slow: this.slow };
  }
}

/** Bodies in one file, and a list of where they are. */
function save(path, recorded) {
  const file = openSync(`${path}.bin`, "w");
  let at = 0;
  const list = [...recorded].map(([answer, { request, head, pieces, bytes }]) => {
    const headers = head.split("\r\n").slice(1);
    const entry = { answer, headers, ...(request.file ? { file: request.file } : { at, length: bytes }) };
    if (!request.file) for (const piece of pieces) at += writeSync(file, piece);
    return entry;
  });
  closeSync(file);
  writeFileSync(`${path}.json`, JSON.stringify(list));
}
