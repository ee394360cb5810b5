// The order of installation: dependencies come before their dependents. Projects that depend on each other are
// adjacent.
import type { Candidate } from "./solve.js";

/** Ids of the chosen projects. Ties keep the order of `chosen`. */
export function orderForInstallation(chosen: ReadonlyMap<string, Candidate>): string[] {
  const ordered: string[] = [];
  const seen = new Set<string>();
  for (const start of chosen.keys()) {
    if (seen.has(start)) continue;
    seen.add(start);
    // An explicit stack, because a chain may be longer than the call stack allows.
    const path = [{ projectId: start, needs: needsOf(chosen, start) }];
    while (path.length > 0) {
      const { projectId, needs } = path.at(-1)!;
      const next = needs.shift();
      if (next === undefined) {
        ordered.push(projectId);
        path.pop();
      } else if (!seen.has(next)) {
        seen.add(next);
        path.push({ projectId: next, needs: needsOf(chosen, next) });
      }
    }
  }
  return ordered;
}

const needsOf = (chosen: ReadonlyMap<string, Candidate>, projectId: string): string[] =>
  chosen.get(projectId)!.requires.map((need) => need.projectId);
