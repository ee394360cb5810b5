// The cost of processes: CPU time and memory of a process and all that it has started, read from /proc.
import { readdirSync, readFileSync } from "node:fs";

const ticksPerSecond = 100;

function readStat(pid) {
  try {
    const [, fields] = readFileSync(`/proc/${pid}/stat`, "utf8").split(/\) (?=[A-Za-z] )/);
    const values = fields.split(" ");
    // Its own time, and that of children that have ended.
    return {
      pid,
      parent: Number(values[1]),
      ticks: values.slice(11, 15).reduce((sum, value) => sum + Number(value), 0),
    };
  } catch {
    return undefined;
  }
}

/** The process and everything below it. */
function family(pid) {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readStat(Number(name)))
    .filter(Boolean);
  const found = all.filter((each) => each.pid === pid);
  for (const member of found) found.push(...all.filter((each) => each.parent === member.pid));
  return found;
}

export const cpuSeconds = (pids) => pids.flatMap(family).reduce((sum, { ticks }) => sum + ticks, 0) / ticksPerSecond;

/** Bytes that were read from the disk, because the system did not have them in its memory. */
export const diskBytes = (pids) =>
  pids.flatMap(family).reduce((sum, { pid }) => {
    try {
      return sum + Number(/^read_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, "utf8"))[1]);
    } catch {
      // It has just ended.
      return sum;
    }
  }, 0);

/** MiB: resident, and proportional (memory that several processes share is counted once). */
export function memoryOf(pids) {
  let [rss, pss] = [0, 0];
  for (const { pid } of pids.flatMap(family))
    try {
      const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
      rss += Number(/^Rss:\s+(\d+)/m.exec(text)[1]);
      pss += Number(/^Pss:\s+(\d+)/m.exec(text)[1]);
    } catch {
      // It has just ended.
    }
  return { rss: Math.round(rss / 1024), pss: Math.round(pss / 1024) };
}
