// The order in which files can be put in place: what is needed comes before what needs it. Projects that need each other
// come one after the other, wherever one begins.
import type { Candidate } from "./solve.js";

/** Ids of the chosen projects. Where nothing else decides, they stand in the order of the choice. */
export function orderForInstallation(chosen: ReadonlyMap<string, Candidate>): string[] {
  const ordered: string[] = [];
  const seen = new Set<string>();
  for (const start of chosen.keys()) {
    if (seen.has(start)) continue;
    seen.add(start);
    // A stack of its own: a chain may be longer than the one of the engine.
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
