// Versions that can never be chosen, because something that they need has nothing to choose from: found by looking at
// each demand once, so that the search need not find out again and again.
import type { Candidate, Graph, Need } from "./solve.js";

interface Suspect {
  projectId: string;
  candidate: Candidate;
}

/** The same graph without them. Whatever can be met in the one can be met in the other. */
export function* withoutDeadEnds(graph: Graph): Generator<void, Graph> {
  const left = new Map([...graph].map(([projectId, list]) => [projectId, new Set(list.map(({ id }) => id))]));
  const isMet = ({ projectId, versionId }: Need): boolean => {
    const ids = left.get(projectId);
    return ids !== undefined && (versionId === null ? ids.size > 0 : ids.has(versionId));
  };
  const neededBy = yield* indexNeeds(graph);
  const suspects: Suspect[] = [];
  for (const [projectId, list] of graph) for (const candidate of list) suspects.push({ projectId, candidate });
  for (let suspect = suspects.pop(); suspect; suspect = suspects.pop()) {
    yield;
    const { projectId, candidate } = suspect;
    const ids = left.get(projectId)!;
    if (!ids.has(candidate.id) || candidate.requires.every(isMet)) continue;
    ids.delete(candidate.id);
    // Only those that can notice: each need is looked at once more at most.
    for (const each of neededBy.get(candidate.id) ?? []) suspects.push(each);
    if (ids.size === 0) for (const each of neededBy.get(projectId) ?? []) suspects.push(each);
  }
  return new Map([...graph].map(([id, candidates]) => [id, candidates.filter((each) => left.get(id)!.has(each.id))]));
}

/** By the version where one is named, else by the project. */
function* indexNeeds(graph: Graph): Generator<void, Map<string, Suspect[]>> {
  const index = new Map<string, Suspect[]>();
  for (const [projectId, list] of graph)
    for (const candidate of list) {
      yield;
      for (const need of candidate.requires) {
        const key = need.versionId ?? need.projectId;
        const known = index.get(key);
        if (known) known.push({ projectId, candidate });
        else index.set(key, [{ projectId, candidate }]);
      }
    }
  return index;
}
