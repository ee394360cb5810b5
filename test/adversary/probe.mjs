// Loaded into the real server before it starts (node --import): tells the test, through the channel between the two
// processes, how long the event loop was held and how much memory was taken. The product itself has no such door.
import { getHeapStatistics } from "node:v8";
import { isMainThread } from "node:worker_threads";

const most = Number(process.env.ADVERSARY_MOST_BYTES);
// Threads and child processes of the server load this file too; they are not asked.
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
/** What was there after the last collection, and after the last one before these requests; 0 before the first of all. */
let [live, base] = [0, 0];

function collect() {
  // What buffers took is given back by another thread, which the second collection waits for.
  globalThis.gc();
  globalThis.gc();
  live = usedBytes();
}

/**
 * Every two milliseconds, where the loop is free. Since its last turn the loop was held, and the processor time of the main
 * thread in that span is what the server itself did: what other programs take from the machine does not count.
 */
function look() {
  held = Math.max(held, cpuMs() - turned);
  // A request does not hold garbage. Collecting it takes long and is done only where there is more than a request may take.
  if (base > 0 && usedBytes() - Math.max(base, live) > most) {
    collect();
    grown = Math.max(grown, live - base);
  }
  turned = cpuMs();
}

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
  // Two turns of the timer, so that what was still waiting behind the answer counts too.
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
