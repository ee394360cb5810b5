// The difference of two texts, line by line (Myers, "An O(ND) Difference Algorithm"), with a bound on its work: texts
// that differ too much are shown as removed and added as a whole.

export interface DiffLine {
  kind: "same" | "added" | "removed";
  text: string;
  /** The number of the line, from 1: in the old text if it was removed, otherwise in the new one. */
  line: number;
}

export interface LineDiff {
  /** The differences with the lines around them; lines far from a difference are left out between two parts. */
  parts: DiffLine[][];
  /** The texts differ too much to find their common lines. */
  isRough: boolean;
}

/** A step is one comparison of two lines or one number of the trace, so this also bounds the memory: 16 MiB. */
const mostSteps = 4_000_000;

/** `around`: how many common lines are shown before and after a difference. */
export function compareLines(before: string, after: string, around = 2): LineDiff {
  const [old, fresh] = [toLines(before), toLines(after)];
  const [oldIds, freshIds] = toNumbers(old, fresh) as [Int32Array, Int32Array];
  let start = 0;
  while (start < Math.min(old.length, fresh.length) && oldIds[start] === freshIds[start]) start++;
  let end = 0;
  const room = Math.min(old.length, fresh.length) - start;
  while (end < room && oldIds[old.length - 1 - end] === freshIds[fresh.length - 1 - end]) end++;
  const common = findCommon(oldIds.subarray(start, old.length - end), freshIds.subarray(start, fresh.length - end));

  const lines: DiffLine[] = [];
  const push = (kind: DiffLine["kind"], texts: readonly string[], from: number, to: number) => {
    for (let at = from; at < to; at++) lines.push({ kind, text: texts[at]!, line: at + 1 });
  };
  const [oldEnd, freshEnd] = [old.length - end, fresh.length - end];
  push("same", fresh, Math.max(0, start - around), start);
  let [i, j] = [start, start];
  for (const [x, y] of common ?? []) {
    push("removed", old, i, start + x);
    push("added", fresh, j, start + y);
    push("same", fresh, start + y, start + y + 1);
    [i, j] = [start + x + 1, start + y + 1];
  }
  push("removed", old, i, oldEnd);
  push("added", fresh, j, freshEnd);
  push("same", fresh, freshEnd, Math.min(fresh.length, freshEnd + around));
  return { parts: cutApart(lines, around), isRough: common === undefined };
}

const toLines = (text: string): string[] => (text === "" ? [] : text.split("\n"));

/** Equal lines get equal numbers, which are faster to compare. */
function toNumbers(...texts: readonly string[][]): Int32Array[] {
  const known = new Map<string, number>();
  return texts.map((lines) =>
    Int32Array.from(lines, (line) => {
      const number = known.get(line) ?? known.size;
      if (number === known.size) known.set(line, number);
      return number;
    }),
  );
}

/** The positions of a longest common subsequence, in order; undefined if that takes too many steps. */
function findCommon(old: Int32Array, fresh: Int32Array): [number, number][] | undefined {
  const [n, m] = [old.length, fresh.length];
  if (n === 0 || m === 0) return [];
  let steps = 0;
  /** For each number of edits, the furthest positions in the old text by diagonal (-d to d). */
  const trace: Int32Array[] = [];
  let last = Int32Array.of(0);
  for (let d = 0; d <= n + m; d++) {
    const reached = new Int32Array(2 * d + 1);
    steps += reached.length;
    if (steps > mostSteps) return undefined;
    for (let k = -d; k <= d; k += 2) {
      let x = d === 0 ? 0 : isDown(last, k, d) ? last[k + d]! : last[k + d - 2]! + 1;
      let y = x - k;
      while (x < n && y < m && old[x] === fresh[y]) {
        x++;
        y++;
        steps++;
      }
      reached[k + d] = x;
      if (x >= n && y >= m) return walkBack(trace, d, n, m);
    }
    trace.push(reached);
    last = reached;
  }
  return undefined;
}

/** Whether the best way to diagonal k adds a line. `last` has the diagonals from -(d-1), so k+1 is at index k+d. */
const isDown = (last: Int32Array, k: number, d: number): boolean =>
  k === -d || (k !== d && last[k + d - 2]! < last[k + d]!);

function walkBack(trace: readonly Int32Array[], edits: number, n: number, m: number): [number, number][] {
  const common: [number, number][] = [];
  let [x, y] = [n, m];
  for (let d = edits; d >= 0; d--) {
    const k = x - y;
    const before = trace[d - 1];
    const down = before !== undefined && isDown(before, k, d);
    const startX = before === undefined ? 0 : down ? before[k + d]! : before[k + d - 2]! + 1;
    while (x > startX) common.push([--x, --y]);
    if (before === undefined) break;
    if (down) y--;
    else x--;
  }
  return common.reverse();
}

/** Keeps the lines near a difference; each gap starts a new part. */
function cutApart(lines: readonly DiffLine[], around: number): DiffLine[][] {
  const isNear = new Uint8Array(lines.length);
  for (const [at, { kind }] of lines.entries())
    if (kind !== "same") isNear.fill(1, Math.max(0, at - around), at + around + 1);
  const parts: DiffLine[][] = [];
  for (const [at, line] of lines.entries()) {
    if (!isNear[at]) continue;
    if (at === 0 || !isNear[at - 1]) parts.push([]);
    parts.at(-1)!.push(line);
  }
  return parts;
}
