// The search compared with brute force on small graphs, and its behavior on large and hostile ones.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { solve, solveOrExplain, toSolverInput } from "#test/server/solving.js";
import { orderForInstallation } from "./order.js";
import type { Budget, Candidate, Graph, Need, Root } from "./solve.js";

const plenty = (): Budget => ({ steps: 1_000_000 });
const numbered = (roots: readonly Root[]): Map<number, Root> => new Map(roots.entries());
const need = (text: string): Need => {
  const [projectId = "", version] = text.split("@");
  return { projectId, versionId: version === undefined ? null : `${projectId}@${version}` };
};
/** `{ "a@1": "b c@2 !d" }`: version 1 of a requires b and version 2 of c, and conflicts with d. Best first. */
function graphOf(versions: Record<string, string>): Graph {
  const graph = new Map<string, Candidate[]>();
  for (const [id, words] of Object.entries(versions)) {
    const needs = words.split(" ").filter((word) => word !== "");
    const candidate = {
      id,
      requires: needs.filter((word) => !word.startsWith("!")).map(need),
      conflicts: needs.filter((word) => word.startsWith("!")).map((word) => need(word.slice(1))),
    };
    const projectId = id.split("@")[0]!;
    graph.set(projectId, [...(graph.get(projectId) ?? []), candidate]);
  }
  return graph;
}
const rootOf = (text: string): Root => {
  const { projectId, versionId } = need(text);
  return { projectId, versionIds: versionId === null ? undefined : new Set([versionId]) };
};
const ask = (versions: Record<string, string>, ...wanted: string[]) =>
  solveOrExplain(toSolverInput(graphOf(versions)), numbered(wanted.map(rootOf)), plenty(), plenty());
const idsOf = (outcome: ReturnType<typeof solveOrExplain>) =>
  outcome.kind === "solved" ? [...outcome.chosen.values()].map(({ id }) => id).sort() : outcome.kind;
const clashOf = (outcome: ReturnType<typeof solveOrExplain>) =>
  outcome.kind === "clash" ? outcome.clash : expect.unreachable(`it is ${outcome.kind}`);

describe("a plan", () => {
  test("chooses the best version of wanted projects and their dependencies", () => {
    expect(idsOf(ask({ "a@2": "b", "a@1": "", "b@2": "c", "b@1": "", "c@1": "" }, "a"))).toEqual(["a@2", "b@2", "c@1"]);
  });

  test("chooses nothing unnecessary", () => {
    expect(idsOf(ask({ "a@1": "!c", "b@1": "", "c@1": "" }, "a"))).toEqual(["a@1"]);
  });

  test("respects pinned dependencies, and chooses an older version if pins differ", () => {
    const versions = { "a@1": "l@1", "b@2": "l@2", "b@1": "l@1", "l@3": "", "l@2": "", "l@1": "" };
    expect(idsOf(ask(versions, "a"))).toEqual(["a@1", "l@1"]);
    expect(idsOf(ask(versions, "a", "b"))).toEqual(["a@1", "b@1", "l@1"]);
    // Projects that are wanted first have the first choice.
    expect(idsOf(ask(versions, "b", "l"))).toEqual(["b@2", "l@2"]);
  });

  test("follows cycles once, and a version may name its own project", () => {
    expect(idsOf(ask({ "a@1": "b", "b@1": "c", "c@1": "a@1" }, "a"))).toEqual(["a@1", "b@1", "c@1"]);
    expect(idsOf(ask({ "a@2": "a@1", "a@1": "a !a" }, "a"))).toEqual(["a@1"]);
  });

  test("chooses an older version if the newest conflicts with another project", () => {
    expect(idsOf(ask({ "a@2": "!b", "a@1": "!b@2", "b@2": "", "b@1": "" }, "a", "b"))).toEqual(["a@1", "b@1"]);
    expect(idsOf(ask({ "a@1": "", "b@2": "!a", "b@1": "" }, "a", "b"))).toEqual(["a@1", "b@1"]);
  });
});

describe("a clash", () => {
  test("names exactly the projects that conflict", () => {
    const versions = { "a@1": "", "b@1": "x", "x@1": "!y", "c@1": "y", "y@1": "", "d@1": "" };
    const { roots, isSmallest, obstacles } = clashOf(ask(versions, "a", "b", "d", "c"));
    expect([roots, isSmallest]).toEqual([[1, 3], true]);
    expect(obstacles).toContainEqual({
      projectId: "y",
      demands: [
        { source: "c", candidateId: "c@1", versionId: null, isBan: false },
        { source: "x", candidateId: "x@1", versionId: null, isBan: true },
      ],
    });
  });

  test("names pins that differ", () => {
    const { roots, obstacles } = clashOf(ask({ "a@1": "l@1", "b@1": "l@2", "l@2": "", "l@1": "" }, "a", "b"));
    expect(roots).toEqual([0, 1]);
    expect(obstacles.map(({ projectId }) => projectId)).toEqual(["l"]);
    expect(obstacles[0]?.demands.map(({ source, versionId }) => [source, versionId])).toEqual([
      ["a", "l@1"],
      ["b", "l@2"],
    ]);
  });

  test("that a single wish causes is reported alone, whatever else clashes", () => {
    const { roots, obstacles } = clashOf(ask({ "a@1": "!b", "b@1": "", "c@1": "gone" }, "a", "b", "c"));
    expect(roots).toEqual([2]);
    expect(obstacles).toEqual([
      { projectId: "gone", demands: [{ source: "c", candidateId: "c@1", versionId: null, isBan: false }] },
    ]);
    expect(clashOf(ask({}, "nothing")).roots).toEqual([0]);
  });

  test("between three wishes leaves out a fourth that takes part, because they clash without it as well", () => {
    const seats = (name: string, others: string[]) =>
      [1, 2].map((seat) => [`${name}@${seat}`, others.map((other) => `!${other}@${seat}`).join(" ")]);
    const versions = {
      "x@1": "!c@1",
      ...Object.fromEntries([...seats("a", ["b", "c"]), ...seats("b", ["a", "c"]), ...seats("c", ["a", "b"])]),
    };
    expect(clashOf(ask(versions, "x", "a", "b", "c")).roots).toEqual([1, 2, 3]);
  });

  test("between two wishes for one project is reported as such", () => {
    expect(clashOf(ask({ "a@2": "", "a@1": "" }, "a@1", "a@2", "a")).roots).toEqual([0, 1]);
  });
});

describe("compared with brute force", () => {
  const names = ["a", "b", "c", "d", "e"];
  const someNeed = fc.record({
    projectId: fc.constantFrom(...names, "absent"),
    version: fc.option(fc.integer({ min: 1, max: 3 }), { freq: 2 }),
  });
  const toNeed = ({ projectId, version }: { projectId: string; version: number | null }): Need => ({
    projectId,
    versionId: version === null ? null : `${projectId}@${version}`,
  });
  const someCandidates = fc.array(
    fc.record({ requires: fc.array(someNeed, { maxLength: 2 }), conflicts: fc.array(someNeed, { maxLength: 1 }) }),
    { maxLength: 3 },
  );
  const someGraph = fc.tuple(...names.map(() => someCandidates)).map(
    (lists): Graph =>
      new Map(
        names.map((name, at) => [
          name,
          lists[at]!.map(({ requires, conflicts }, index) => ({
            id: `${name}@${index + 1}`,
            requires: requires.map(toNeed),
            conflicts: conflicts.map(toNeed),
          })),
        ]),
      ),
  );
  const someRoots = fc
    .array(someNeed, { minLength: 1, maxLength: 4 })
    .map((needs) => needs.map(toNeed).map((each) => rootOf(each.versionId ?? each.projectId)));

  type Choice = ReadonlyMap<string, Candidate>;
  const meets = (choice: Choice, { projectId, versionId }: Need) =>
    choice.has(projectId) && (versionId === null || choice.get(projectId)!.id === versionId);
  const isRight = (choice: Choice, roots: readonly Root[]): boolean =>
    roots.every(({ projectId, versionIds }) => {
      const chosen = choice.get(projectId);
      return chosen !== undefined && (versionIds === undefined || versionIds.has(chosen.id));
    }) &&
    [...choice].every(
      ([projectId, { requires, conflicts }]) =>
        requires.every((each) => meets(choice, each)) &&
        !conflicts.some((each) => each.projectId !== projectId && meets(choice, each)),
    );

  function* allChoices(graph: Graph, left = [...graph.keys()]): Generator<Map<string, Candidate>> {
    const [first, ...rest] = left;
    if (first === undefined) return yield new Map();
    for (const choice of allChoices(graph, rest)) {
      yield choice;
      for (const candidate of graph.get(first)!) yield new Map([...choice, [first, candidate]]);
    }
  }
  /** The rank of each root's version, in the order of the roots. */
  const ranksOf = (graph: Graph, choice: Choice, roots: readonly Root[]): number[] =>
    roots.map(({ projectId }) => graph.get(projectId)!.indexOf(choice.get(projectId)!));
  const isBetter = (a: readonly number[], b: readonly number[]): boolean => {
    const at = a.findIndex((rank, index) => rank !== b[index]);
    return at >= 0 && a[at]! < b[at]!;
  };

  test("finds a plan exactly if there is one, the best for the wishes in their order, or a smallest clash", () => {
    fc.assert(
      fc.property(someGraph, someRoots, (graph, roots) => {
        const possible = [...allChoices(graph)];
        const right = possible.filter((choice) => isRight(choice, roots));
        const outcome = solveOrExplain(toSolverInput(graph), numbered(roots), plenty(), plenty());
        if (outcome.kind === "solved") {
          const { chosen } = outcome;
          expect(isRight(chosen, roots)).toBe(true);
          const ranks = ranksOf(graph, chosen, roots);
          expect(right.some((choice) => isBetter(ranksOf(graph, choice, roots), ranks))).toBe(false);
          expect(orderForInstallation(chosen).sort()).toEqual([...chosen.keys()].sort());
          // No chosen project is superfluous.
          for (const projectId of chosen.keys()) {
            const fewer = new Map(chosen);
            fewer.delete(projectId);
            const isNeeded = roots.some((root) => root.projectId === projectId) || !isClosed(fewer, roots, projectId);
            expect(isNeeded || isInCircle(chosen, projectId)).toBe(true);
          }
          return;
        }
        expect(outcome.kind).toBe("clash");
        expect(right).toEqual([]);
        const few = clashOf(outcome).roots;
        const isPossible = (some: number[]) =>
          possible.some((choice) =>
            isRight(
              choice,
              some.map((at) => roots[at]!),
            ),
          );
        expect(isPossible(few)).toBe(false);
        expect(subsetsOf(roots.length).filter((some) => some.length < few.length && !isPossible(some))).toEqual([]);
        expect(clashOf(outcome).isSmallest).toBe(true);
        expect(clashOf(outcome).obstacles.length).toBeGreaterThan(0);
      }),
      { numRuns: 2000 },
    );
  });

  const subsetsOf = (count: number): number[][] =>
    Array.from({ length: 2 ** count }, (_, mask) => [...Array(count).keys()].filter((at) => mask & (1 << at)));
  const isClosed = (choice: Choice, roots: readonly Root[], without: string) =>
    !roots.some(({ projectId }) => projectId === without) &&
    [...choice.values()].every(({ requires }) => requires.every((each) => each.projectId !== without));
  const isInCircle = (choice: Choice, from: string): boolean => {
    const reached = new Set<string>();
    const visit = (projectId: string) =>
      choice.get(projectId)!.requires.forEach((each) => {
        if (reached.has(each.projectId)) return;
        reached.add(each.projectId);
        visit(each.projectId);
      });
    visit(from);
    return reached.has(from);
  };

  test("gives the same answer to the same request", () => {
    fc.assert(
      fc.property(someGraph, someRoots, (graph, roots) => {
        const once = solveOrExplain(toSolverInput(graph), numbered(roots), plenty(), plenty());
        const again = solveOrExplain(toSolverInput(new Map([...graph].reverse())), numbered(roots), plenty(), plenty());
        expect(again).toEqual(once);
      }),
      { numRuns: 200 },
    );
  });
});

describe("the order of installation", () => {
  const order = (versions: Record<string, string>, ...wanted: string[]) => {
    const solution = solve(graphOf(versions), numbered(wanted.map(rootOf)), plenty());
    return solution.kind === "solved" ? orderForInstallation(solution.chosen) : solution.kind;
  };

  test("puts dependencies before their dependents", () => {
    expect(order({ "a@1": "b c", "b@1": "d", "c@1": "d", "d@1": "" }, "a")).toEqual(["d", "b", "c", "a"]);
  });

  test("does so in cycles as well", () => {
    const ids = order({ "a@1": "b", "b@1": "c", "c@1": "b l", "l@1": "" }, "a") as string[];
    expect(ids.indexOf("l")).toBeLessThan(Math.min(ids.indexOf("b"), ids.indexOf("c")) + 1);
    expect(ids.at(-1)).toBe("a");
  });
});

describe("large and hostile graphs", () => {
  const range = (length: number) => Array.from({ length }, (_, at) => at);

  test("a chain of 2000 projects is followed to its end and ordered from there", () => {
    const chain = Object.fromEntries(range(2000).map((n) => [`p${n}@1`, n < 1999 ? `p${n + 1}` : ""]));
    const solution = solve(graphOf(chain), numbered([rootOf("p0")]), { steps: 4000 });
    expect(solution.kind).toBe("solved");
    if (solution.kind === "solved") expect(orderForInstallation(solution.chosen)[0]).toBe("p1999");
  });

  test("500 projects that all depend on each other are examined once each", () => {
    const all = range(500).map((n) => `p${n}`);
    const graph = graphOf(Object.fromEntries(all.map((name) => [`${name}@1`, all.join(" ")])));
    expect(solve(graph, numbered([rootOf("p0")]), { steps: 500 * 501 }).kind).toBe("solved");
  });

  test("a pin behind many choices is found without trying them all", () => {
    // The first and the last disagree about l; in between are 40 projects with 20 versions each.
    const middle = range(40).flatMap((n) => range(20).map((v) => [`m${n}@${v}`, ""]));
    const versions = { "a@1": "l@1", ...Object.fromEntries(middle), "z@1": "l@2", "l@2": "", "l@1": "" };
    const wanted = ["a", ...range(40).map((n) => `m${n}`), "z"];
    const budget = { steps: 2000 };
    const outcome = solveOrExplain(toSolverInput(graphOf(versions)), numbered(wanted.map(rootOf)), budget, plenty());
    expect(clashOf(outcome).roots).toEqual([0, 41]);
  });

  test("a missing library behind many choices needs no search", () => {
    const middle = range(60).flatMap((n) => range(30).map((v) => [`m${n}@${v}`, n < 59 ? `m${n + 1}` : "gone"]));
    const budget = { steps: 10_000 };
    const outcome = solveOrExplain(
      toSolverInput(graphOf(Object.fromEntries(middle))),
      numbered([rootOf("m0")]),
      budget,
      plenty(),
    );
    expect(clashOf(outcome).obstacles).toMatchObject([{ projectId: "gone" }]);
  });

  test("a graph that would take too long is given up at the limit", () => {
    // The pigeonhole principle: each pigeon needs its own hole, and there is one hole too few.
    const holes = range(9);
    const pigeons = range(10).flatMap((pigeon) =>
      holes.map((hole): [string, string] => {
        const others = range(10).filter((other) => other !== pigeon);
        return [`p${pigeon}@${hole}`, others.map((other) => `!p${other}@${hole}`).join(" ")];
      }),
    );
    const wanted = range(10).map((pigeon) => rootOf(`p${pigeon}`));
    const solverInput = toSolverInput(graphOf(Object.fromEntries(pigeons)));
    const outcome = solveOrExplain(solverInput, numbered(wanted), { steps: 20_000 }, plenty());
    expect(outcome.kind).toBe("tooHard");
  });
});
