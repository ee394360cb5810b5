// Loaded into the real server before it starts (node --import): reports through the IPC channel how long the event loop
// was blocked and how much memory was used. The product itself has no such interface.
import { getHeapStatistics } from "node:v8";
import { isMainThread } from "node:worker_threads";

const most = Number(process.env.ADVERSARY_MOST_BYTES);
// Threads and child processes of the server load this file too; they do not report.
const isAsked = isMainThread && most > 0;
delete process.env.ADVERSARY_MOST_BYTES;

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
const usedBytes = () => {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
};

let [turned, held, grown] = [cpuMs(), 0, 0];
/** Memory after the last collection, and after the last one before these requests; 0 before the first. */
let [live, base] = [0, 0];

function collect() {
  // Another thread frees the memory of buffers; the second collection waits for it.
  globalThis.gc();
  globalThis.gc();
  live = usedBytes();
}

/**
 * Runs every two milliseconds if the loop is free. Since its last turn the loop was blocked, and the processor time of
 * the main thread in that span is the server's own work: the load of other programs does not count.
 */
function look() {
  held = Math.max(held, cpuMs() - turned);
  // Garbage does not count for a request. Collecting it takes long, so it happens only if memory exceeds the limit of a
  // request.
  if (base > 0 && exceeds()) {
    // Most of it is young garbage. Collecting only that takes a fraction of the time, and what is left is never less
    // than the memory in use.
    globalThis.gc({ type: "minor" });
    if (exceeds()) {
      collect();
      grown = Math.max(grown, live - base);
    }
  }
  turned = cpuMs();
}

const exceeds = () => usedBytes() - Math.max(base, live) > most;

function begin() {
  if (live === 0) collect();
  [base, held, grown] = [live, 0, 0];
  turned = cpuMs();
}

function answer(question) {
  if (question === "collect") {
    collect();
    begin();
    process.send("collected");
    return;
  }
  if (question !== "cost") return;
  // Two turns of the timer, so that work after the answer counts too.
  setTimeout(() => {
    look();
    process.send({ held, grown });
    begin();
  }, 4);
}

if (isAsked) {
  process.on("message", answer);
  process.channel.unref();
  setInterval(look, 2).unref();
}
