// Versions that can never be chosen, because something that they need has nothing to choose from: found by looking at
// each demand once, so that the search need not find out again and again.
import type { Candidate, Graph, Need } from "./solve.js";

/** The same graph without them. Whatever can be met in the one can be met in the other. */
export function withoutDeadEnds(graph: Graph): Graph {
  const live = new Map([...graph].map(([projectId, candidates]) => [projectId, new Set(candidates)]));
  const ids = new Map([...graph].map(([projectId, list]) => [projectId, new Set(list.map(({ id }) => id))]));
  const neededBy = dependentsOf(graph);
  const isMet = ({ projectId, versionId }: Need): boolean => {
    const left = ids.get(projectId);
    return left !== undefined && (versionId === null ? left.size > 0 : left.has(versionId));
  };
  const suspects = [...graph].flatMap(([projectId, candidates]) => candidates.map((each) => ({ projectId, each })));
  for (let suspect = suspects.pop(); suspect; suspect = suspects.pop()) {
    const { projectId, each } = suspect;
    if (!live.get(projectId)!.has(each) || each.requires.every(isMet)) continue;
    live.get(projectId)!.delete(each);
    ids.get(projectId)!.delete(each.id);
    suspects.push(...(neededBy.get(projectId) ?? []));
  }
  return new Map([...graph].map(([id, candidates]) => [id, candidates.filter((each) => live.get(id)!.has(each))]));
}

function dependentsOf(graph: Graph): Map<string, { projectId: string; each: Candidate }[]> {
  const edges = [...graph].flatMap(([projectId, candidates]) =>
    candidates.flatMap((each) => each.requires.map((need) => ({ on: need.projectId, projectId, each }))),
  );
  return Map.groupBy(edges, ({ on }) => on);
}
