// Chooses one version for every project that is needed, or says which demands clash. A pure function of its graph:
// backjumping search with a limit on its steps. It yields often, so that it can run in slices (lib/slices.ts). See
// docs/resolve.md.

export interface Need {
  projectId: string;
  /** Null: any version. */
  versionId: string | null;
}

export interface Candidate {
  id: string;
  requires: readonly Need[];
  /** Incompatible projects or versions. */
  conflicts: readonly Need[];
}

/** The candidates of each project, best first. A missing project has no candidates. */
export type Graph = ReadonlyMap<string, readonly Candidate[]>;

/** A project that must be in the result, and the acceptable versions. */
export interface Root {
  projectId: string;
  /** Absent: any version. */
  versionIds?: ReadonlySet<string> | undefined;
}

/** The origin of a demand: the number of a root, or a project whose chosen version makes the demand. */
export type Source = number | string;

/** A reason why a candidate or a whole project was impossible. */
export interface Obstacle {
  /** The project that could not be chosen. */
  projectId: string;
  /** All demands on that project at that moment. */
  demands: readonly { source: Source; candidateId: string | undefined; versionId: string | null; isBan: boolean }[];
}

export type Solution =
  | { kind: "solved"; chosen: ReadonlyMap<string, Candidate> }
  /** `roots` has the numbers of roots that clash, though fewer of them may clash as well. */
  | { kind: "clash"; roots: number[] }
  | { kind: "tooHard" };

/**
 * Shared by all searches for one answer. Examining a candidate or one of its demands is a step; comparing a candidate
 * with a demand of another project is an eighth of a step.
 */
export interface Budget {
  steps: number;
}

interface Demand {
  source: Source;
  /** Undefined: accepts every version. */
  accepts: ((versionId: string) => boolean) | undefined;
  versionId: string | null;
}

type Blame = ReadonlySet<Source>;

/** `onObstacle` is called for every dead end. */
export function* solve(
  graph: Graph,
  roots: ReadonlyMap<number, Root>,
  budget: Budget,
  onObstacle?: (obstacle: Obstacle) => void,
): Generator<number, Solution> {
  const search = new Search(graph, budget, onObstacle);
  try {
    const blame = yield* search.run(roots);
    if (!blame) return { kind: "solved", chosen: search.chosen };
    return { kind: "clash", roots: [...blame].filter((source) => typeof source === "number").sort((a, b) => a - b) };
  } catch (error) {
    if (error instanceof OutOfSteps) return { kind: "tooHard" };
    throw error;
  }
}

class OutOfSteps extends Error {}

const stepsPerComparison = 1 / 8;
const stepsBetweenPauses = 500;

interface Decision {
  projectId: string;
  blame: Set<Source>;
  candidates: readonly Candidate[];
  /** The number of candidates tried so far; the last one is chosen or being tried. */
  tried: number;
  /** Length of the order before this decision. */
  known: number;
}

class Search {
  readonly chosen = new Map<string, Candidate>();
  readonly #graph: Graph;
  readonly #budget: Budget;
  readonly #onObstacle: ((obstacle: Obstacle) => void) | undefined;
  readonly #demands = new Map<string, Demand[]>();
  /** The demands that do not accept every version: a library has few of them and hundreds of others. */
  readonly #wishes = new Map<string, Demand[]>();
  readonly #bans = new Map<string, { source: string; versionId: string | null }[]>();
  /** Projects in the order in which they are decided: the roots, then dependencies as they are found. */
  readonly #order: string[] = [];
  #sincePause = 0;

  constructor(graph: Graph, budget: Budget, onObstacle: ((obstacle: Obstacle) => void) | undefined) {
    this.#graph = graph;
    this.#budget = budget;
    this.#onObstacle = onObstacle;
  }

  /** Undefined if everything is chosen; otherwise the sources of the demands that clash. */
  *run(roots: ReadonlyMap<number, Root>): Generator<number, Blame | undefined> {
    for (const [source, { projectId, versionIds }] of roots) {
      const accepts = versionIds && ((id: string) => versionIds.has(id));
      const [only] = versionIds?.size === 1 ? versionIds : [];
      this.#demand(projectId, { source, accepts, versionId: only ?? null });
    }
    for (const projectId of this.#order) if (!this.#isPossible(projectId)) return this.#blameFor(projectId);
    return yield* this.#decideAll();
  }

  /** Decides one project after the other. The decisions are on an explicit stack, so that the search can be paused. */
  *#decideAll(): Generator<number, Blame | undefined> {
    const decisions: Decision[] = [];
    for (;;) {
      const projectId = this.#order[decisions.length];
      if (projectId === undefined) return undefined;
      decisions.push(this.#open(projectId));
      for (let isTaken = false; !isTaken; ) {
        if (this.#sincePause >= stepsBetweenPauses) yield* this.#pause();
        const last = decisions.at(-1)!;
        let wrong = this.#tryNext(last);
        isTaken = wrong === undefined;
        // No candidate is left: everything that ruled them out is to blame.
        if (wrong === "none") {
          decisions.pop();
          wrong = last.blame;
        }
        if (wrong && !this.#goBack(decisions, wrong)) return wrong;
      }
    }
  }

  #open(projectId: string): Decision {
    // The first demand is the reason why the project must be decided at all.
    const blame = new Set<Source>([this.#demands.get(projectId)![0]!.source]);
    return { projectId, blame, candidates: this.#graph.get(projectId) ?? [], tried: 0, known: this.#order.length };
  }

  /** Undefined if the next candidate could be chosen; otherwise the sources that prevent it. */
  #tryNext(decision: Decision): Blame | undefined | "none" {
    const candidate = decision.candidates[decision.tried];
    if (!candidate) return "none";
    decision.tried++;
    this.#charge(1 + candidate.requires.length + candidate.conflicts.length);
    return this.#choose(decision.projectId, candidate);
  }

  /** Goes back to the last project for which another version may help. False if there is none. */
  #goBack(decisions: Decision[], wrong: Blame): boolean {
    for (let last = decisions.at(-1); last; last = decisions.at(-1)) {
      this.#takeBack(last);
      if (wrong.has(last.projectId)) {
        for (const source of wrong) if (source !== last.projectId) last.blame.add(source);
        return true;
      }
      decisions.pop();
    }
    return false;
  }

  #charge(steps: number): void {
    this.#budget.steps -= steps;
    this.#sincePause += steps;
    if (this.#budget.steps < 0) throw new OutOfSteps();
  }

  *#pause(): Generator<number, void> {
    yield this.#sincePause;
    this.#sincePause = 0;
  }

  /** Chooses the candidate and adds its demands. Returns the sources that prevent it, including this project. */
  #choose(projectId: string, candidate: Candidate): Blame | undefined {
    this.chosen.set(projectId, candidate);
    const touched = new Set<string>([projectId]);
    for (const need of candidate.conflicts) {
      // Conflicts of a version with its own project are ignored.
      if (need.projectId === projectId) continue;
      push(this.#bans, need.projectId, { source: projectId, versionId: need.versionId });
      if (this.#demands.has(need.projectId)) touched.add(need.projectId);
    }
    for (const need of candidate.requires) {
      const { versionId } = need;
      const accepts = versionId === null ? undefined : (id: string) => versionId === id;
      this.#demand(need.projectId, { source: projectId, accepts, versionId });
      touched.add(need.projectId);
    }
    for (const each of touched) if (!this.#isPossible(each)) return this.#blameFor(each).add(projectId);
    return undefined;
  }

  #takeBack({ projectId, candidates, tried, known }: Decision): void {
    const candidate = candidates[tried - 1]!;
    for (const need of candidate.requires) {
      pop(this.#demands, need.projectId);
      if (need.versionId !== null) pop(this.#wishes, need.projectId);
    }
    for (const need of candidate.conflicts) if (need.projectId !== projectId) pop(this.#bans, need.projectId);
    this.#order.length = known;
    this.chosen.delete(projectId);
  }

  #demand(projectId: string, demand: Demand): void {
    if (!this.#demands.has(projectId)) this.#order.push(projectId);
    push(this.#demands, projectId, demand);
    if (demand.accepts) push(this.#wishes, projectId, demand);
  }

  /** Whether the demands on a project can be met, by its choice or else by any candidate. */
  #isPossible(projectId: string): boolean {
    const chosen = this.chosen.get(projectId);
    if (chosen) return this.#fits(projectId, chosen);
    return (this.#graph.get(projectId) ?? []).some((candidate) => this.#fits(projectId, candidate));
  }

  #fits(projectId: string, { id }: Candidate): boolean {
    const wishes = this.#wishes.get(projectId) ?? [];
    const bans = this.#bans.get(projectId) ?? [];
    this.#charge((wishes.length + bans.length) * stepsPerComparison);
    return (
      wishes.every(({ accepts }) => accepts?.(id)) &&
      !bans.some(({ versionId }) => versionId === null || versionId === id)
    );
  }

  /** The sources that make a project impossible: those with special demands, and the first one, which needs it. */
  #blameFor(projectId: string): Set<Source> {
    const chosen = this.chosen.get(projectId);
    const candidates = chosen ? [chosen] : (this.#graph.get(projectId) ?? []);
    const [first] = this.#demands.get(projectId) ?? [];
    const asked = (this.#bans.get(projectId)?.length ?? 0) + (this.#wishes.get(projectId)?.length ?? 0);
    this.#charge(asked * (this.#onObstacle ? 1 : candidates.length * stepsPerComparison));
    const bans = (this.#bans.get(projectId) ?? []).filter(({ versionId }) =>
      candidates.some(({ id }) => versionId === null || versionId === id),
    );
    const wishes = (this.#wishes.get(projectId) ?? []).filter(({ accepts }) =>
      candidates.some(({ id }) => !accepts?.(id)),
    );
    const demands = chosen || !first ? wishes : [...new Set([first, ...wishes])];
    const blame = new Set<Source>([...demands, ...bans].map(({ source }) => source));
    if (chosen) blame.add(projectId);
    this.#onObstacle?.({ projectId, demands: [...demands.map(this.#shown(false)), ...bans.map(this.#shown(true))] });
    return blame;
  }

  #shown = (isBan: boolean) => (demand: { source: Source; versionId: string | null }) => ({
    source: demand.source,
    candidateId: typeof demand.source === "string" ? this.chosen.get(demand.source)?.id : undefined,
    versionId: demand.versionId,
    isBan,
  });
}

function push<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Removes empty lists. */
function pop<T>(lists: Map<string, T[]>, key: string): void {
  const list = lists.get(key);
  list?.pop();
  if (list?.length === 0) lists.delete(key);
}
