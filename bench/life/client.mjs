// The load generator, in its own process: raw sockets, one request at a time on each, requests prepared in advance, or drawn
// one by one when the plan has intervals. It receives a plan from its parent, answers with figures, and records answers for
// the ceiling.
import { once } from "node:events";
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { connect } from "node:net";
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { checkAnswers } from "./answer-check.mjs";
import { createReader } from "./answer-reader.mjs";
import { startPublishing } from "./publisher.mjs";
import { knowStored } from "./registry/stored-files.mjs";
import { createWorld } from "./registry/world.mjs";
import { createTraffic } from "./traffic.mjs";

let world;

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
  let requests = Array.from({ length: isEndless ? 0 : plan.requests }, prepare);
  // The ceiling gets only questions whose answers were recorded.
  if (plan.answers) {
    const known = new Set(JSON.parse(readFileSync(`${plan.answers}.json`, "utf8")).map(({ answer }) => answer));
    requests = requests.slice(0, plan.answered).filter(({ answer }) => known.has(answer));
    if (requests.length === 0) throw new Error("No answer was recorded");
  }
  process.send({ ready: true });
  await new Promise((resolve) => process.once("message", resolve));
  const sockets = await openConnections(plan);
  const publishing = plan.publish ? startPublishing(plan, world) : undefined;
  const onInterval = (figures) => process.send({ ...figures, published: publishing?.take(), isMore: true });
  const figures = await send(plan, sockets, isEndless ? { prepare, onInterval } : { requests });
  const published = await publishing?.stop();
  return { ...figures, published };
}

/**
 * The server accepts one connection in each turn of its event loop. If all were opened at the moment when the traffic begins,
 * the last of them would wait for as many turns, each with the questions of the others.
 */
async function openConnections({ port, connections }) {
  const sockets = Array.from({ length: connections }, () => connect({ port, host: "127.0.0.1", noDelay: true }));
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  await pause(acceptMs);
  return sockets;
}

/** A server without traffic has accepted them all by then. */
const acceptMs = 100;

async function send(plan, sockets, { requests, prepare, onInterval }) {
  const { seconds, intervalSeconds, record, recordBytes, repeat } = plan;
  const times = new Map();
  const recorded = new Map();
  const run = {
    next: 0,
    begun: performance.now(),
    until: performance.now() + seconds * 1000,
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
  const note = (request, ms, head, pieces) => {
    const list = times.get(request.kind) ?? [];
    times.set(request.kind, list);
    list.push(ms);
    if (!head.startsWith("HTTP/1.1 200"))
      throw new Error(`${request.bytes.subarray(0, 300)}\n${head}\n${Buffer.concat(pieces).subarray(0, 500)}`);
    for (const piece of pieces) run.bytes += piece.length;
    // Nothing is recorded then; a few answers are checked at once.
    if (prepare && list.length % 500 === 1) checkAnswers([{ request, head, body: Buffer.concat(pieces) }]);
    if (!record || run.room <= 0 || recorded.has(request.answer)) return;
    const body = request.file ? undefined : Buffer.concat(pieces);
    run.room -= body?.length ?? 0;
    recorded.set(request.answer, { request, head, body });
  };
  /** Figures of all answers since the last call. */
  const takeFigures = () => {
    const now = performance.now();
    const [elapsed, bytes] = [(now - run.begun) / 1000, run.bytes];
    const kinds = Object.fromEntries([...times].map(([kind, list]) => [kind, summary(list)]));
    const sum = summary([...times.values()].flat());
    times.clear();
    Object.assign(run, { begun: now, bytes: 0 });
    return { elapsed, bytes, sum, kinds };
  };
  await Promise.all(sockets.map((socket) => talk(socket, take, note, run)));
  const figures = takeFigures();
  if (run.failure) throw run.failure;
  if (record) {
    checkAnswers([...recorded.values()]);
    save(record, recorded);
  }
  return figures;
}

function talk(socket, take, note, run) {
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
    const read = createReader((head, pieces) => {
      note(request, performance.now() - started, head, pieces);
      next();
    });
    socket.on("data", (chunk) => {
      try {
        read(chunk);
      } catch (error) {
        fail(error);
      }
    });
    socket.on("end", () => fail(new Error("The server closed a connection")));
    socket.on("error", fail);
    socket.on("close", resolve);
    next();
  });
}

function summary(times) {
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { count: times.length, p50: at(0.5), p99: at(0.99), p999: at(0.999), max: times.at(-1) ?? 0 };
}

/** Bodies in one file, and a list of where they are. */
function save(path, recorded) {
  const file = openSync(`${path}.bin`, "w");
  let at = 0;
  const list = [...recorded].map(([answer, { request, head, body }]) => {
    const headers = head.split("\r\n").slice(1);
    const entry = { answer, headers, ...(request.file ? { file: request.file } : { at, length: body.length }) };
    if (body) at += writeSync(file, body);
    return entry;
  });
  closeSync(file);
  writeFileSync(`${path}.json`, JSON.stringify(list));
}
