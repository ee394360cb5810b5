// Removes versions that can never be chosen, because a dependency of them has no candidates. Each demand is examined
// once here, so that the search does not repeat it.
import type { Candidate, Graph, Need } from "./solve.js";

interface Suspect {
  projectId: string;
  candidate: Candidate;
}

/** The same graph without dead ends. It has the same solutions. */
export function* withoutDeadEnds(graph: Graph): Generator<number, Graph> {
  const left = new Map<string, Set<string>>();
  const suspects: Suspect[] = [];
  /** By version if one is named, otherwise by project. */
  const neededBy = new Map<string, Suspect[]>();
  for (const [projectId, candidates] of graph) {
    left.set(projectId, new Set(candidates.map(({ id }) => id)));
    for (const candidate of candidates) {
      yield 2 + 2 * candidate.requires.length;
      const suspect = { projectId, candidate };
      suspects.push(suspect);
      for (const need of candidate.requires) {
        const known = neededBy.get(need.versionId ?? need.projectId);
        if (known) known.push(suspect);
        else neededBy.set(need.versionId ?? need.projectId, [suspect]);
      }
    }
  }
  const isMet = ({ projectId, versionId }: Need): boolean => {
    const ids = left.get(projectId);
    return ids !== undefined && (versionId === null ? ids.size > 0 : ids.has(versionId));
  };
  for (let suspect = suspects.pop(); suspect; suspect = suspects.pop()) {
    const { projectId, candidate } = suspect;
    yield 1 + candidate.requires.length;
    const ids = left.get(projectId)!;
    if (!ids.has(candidate.id) || candidate.requires.every(isMet)) continue;
    ids.delete(candidate.id);
    // Only the versions that depend on it: each demand is examined at most once more.
    for (const each of neededBy.get(candidate.id) ?? []) suspects.push(each);
    if (ids.size === 0) for (const each of neededBy.get(projectId) ?? []) suspects.push(each);
  }
  const live = new Map<string, Candidate[]>();
  for (const [projectId, candidates] of graph) {
    yield 1 + candidates.length;
    live.set(
      projectId,
      candidates.filter(({ id }) => left.get(projectId)!.has(id)),
    );
  }
  return live;
}
