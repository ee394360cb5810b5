// Chooses one version for every project that is needed, or says which demands cannot be met together. A pure function of
// its graph: backtracking that jumps straight to what is to blame, with a bound on its steps. It yields often, so that it
// can be done in slices (lib/slices.ts). docs/resolve.md explains it.

export interface Need {
  projectId: string;
  /** Null: any version. */
  versionId: string | null;
}

export interface Candidate {
  id: string;
  requires: readonly Need[];
  /** What it cannot be together with. */
  conflicts: readonly Need[];
}

/** What can be chosen of each project, best first. A project that is not there has nothing to choose from. */
export type Graph = ReadonlyMap<string, readonly Candidate[]>;

/** Something that must be in the result, and which of its versions will do. */
export interface Root {
  projectId: string;
  /** Absent: any. */
  versionIds?: ReadonlySet<string> | undefined;
}

/** Where a demand comes from: a root, by its number, or the version chosen for a project. */
export type Source = number | string;

/** One reason why a candidate, or a whole project, was out of the question. */
export interface Obstacle {
  /** What the trouble is about. */
  projectId: string;
  /** Everything that was asked of that project at that moment. */
  demands: readonly { source: Source; candidateId: string | undefined; versionId: string | null; isBan: boolean }[];
}

export type Solution =
  | { kind: "solved"; chosen: ReadonlyMap<string, Candidate> }
  /** `roots`: numbers of roots that cannot be met together, though fewer of them may clash as well. */
  | { kind: "clash"; roots: number[] }
  | { kind: "tooHard" };

/**
 * Shared by several searches for one answer. A step is a candidate, or a demand of it, that is looked at; comparing a
 * candidate with what others ask of its project takes an eighth of a step.
 */
export interface Budget {
  steps: number;
}

interface Demand {
  source: Source;
  /** Undefined: whatever it is. */
  accepts: ((versionId: string) => boolean) | undefined;
  versionId: string | null;
}

type Blame = ReadonlySet<Source>;

/** `onObstacle` hears of every dead end on the way. */
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
  /** How many of them; the last of these is taken, or is being tried. */
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
  /** Those of the demands that are not content with every version: a library has few of them and hundreds of others. */
  readonly #wishes = new Map<string, Demand[]>();
  readonly #bans = new Map<string, { source: string; versionId: string | null }[]>();
  /** Projects in the order in which they are decided: the roots, then what these need as it is found. */
  readonly #order: string[] = [];
  #sincePause = 0;

  constructor(graph: Graph, budget: Budget, onObstacle: ((obstacle: Obstacle) => void) | undefined) {
    this.#graph = graph;
    this.#budget = budget;
    this.#onObstacle = onObstacle;
  }

  /** Undefined when everything has been chosen; else whose demands cannot be met together. */
  *run(roots: ReadonlyMap<number, Root>): Generator<number, Blame | undefined> {
    for (const [source, { projectId, versionIds }] of roots) {
      const accepts = versionIds && ((id: string) => versionIds.has(id));
      const [only] = versionIds?.size === 1 ? versionIds : [];
      this.#demand(projectId, { source, accepts, versionId: only ?? null });
    }
    for (const projectId of this.#order) if (!this.#isPossible(projectId)) return this.#blameFor(projectId);
    return yield* this.#decideAll();
  }

  /** Decides one project after the other. The decisions lie on a stack of their own, which may be interrupted. */
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
        // No version is left: whatever ruled them out is to blame.
        if (wrong === "none") {
          decisions.pop();
          wrong = last.blame;
        }
        if (wrong && !this.#goBack(decisions, wrong)) return wrong;
      }
    }
  }

  #open(projectId: string): Decision {
    // The first to ask for the project is the reason why it must be decided at all.
    const blame = new Set<Source>([this.#demands.get(projectId)![0]!.source]);
    return { projectId, blame, candidates: this.#graph.get(projectId) ?? [], tried: 0, known: this.#order.length };
  }

  /** Undefined when the next candidate could be taken; else who is against it. */
  #tryNext(decision: Decision): Blame | undefined | "none" {
    const candidate = decision.candidates[decision.tried];
    if (!candidate) return "none";
    decision.tried++;
    this.#charge(1 + candidate.requires.length + candidate.conflicts.length);
    return this.#choose(decision.projectId, candidate);
  }

  /** To the last project for which another version may help. False when there is none. */
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

  /** Takes the candidate and everything that comes with it. Answers who is against it, this project among them. */
  #choose(projectId: string, candidate: Candidate): Blame | undefined {
    this.chosen.set(projectId, candidate);
    const touched = new Set<string>([projectId]);
    for (const need of candidate.conflicts) {
      // Whatever a version says about its own project, it is there with itself.
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

  /** Whether what is asked of a project leaves something: its choice, or else any candidate. */
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

  /** Who makes a project impossible: those with special wishes, and the first, for whom it must be there. */
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

/** A list that is empty again is as if it had never been. */
function pop<T>(lists: Map<string, T[]>, key: string): void {
  const list = lists.get(key);
  list?.pop();
  if (list?.length === 0) lists.delete(key);
}
