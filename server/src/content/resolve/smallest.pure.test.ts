// Finding the smallest clash, compared with a check of every set of wishes.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { atOnce, solveOrExplain, toSolverInput } from "#test/server/solving.js";
import { findSmallest } from "./smallest.js";
import type { Budget, Candidate, Graph, Root } from "./solve.js";

const plenty = (): Budget => ({ steps: 10_000_000 });
const range = (length: number) => Array.from({ length }, (_, at) => at);

/** All subsets, smaller ones first. */
function subsetsOf(wishes: readonly number[]): number[][] {
  const sets = range(2 ** wishes.length).map((mask) => wishes.filter((_, at) => mask & (1 << at)));
  return sets.sort((a, b) => a.length - b.length);
}

describe("the smallest clash", () => {
  const wishes = range(8);
  const group = fc.subarray(wishes, { minLength: 1, maxLength: 5 });

  test("is found and proved for any family of clashing sets", () => {
    fc.assert(
      fc.property(fc.array(group, { minLength: 1, maxLength: 12 }), fc.nat(), (clashes, pick) => {
        const isWithin = (some: readonly number[]) => (clash: readonly number[]) =>
          clash.every((wish) => some.includes(wish));
        const known = clashes[pick % clashes.length]!;
        // biome-ignore lint/correctness/useYield: it answers at once.
        const findClash = function* (some: readonly number[]) {
          return clashes.find(isWithin(some));
        };
        const found = atOnce(findSmallest(wishes, known, findClash, plenty()))!;
        expect(clashes.some(isWithin(found))).toBe(true);
        expect(found).toHaveLength(Math.min(...clashes.map(({ length }) => length)));
        expect(found).toEqual(found.toSorted((a, b) => a - b));
      }),
      { numRuns: 1000 },
    );
  });

  /** Every wish has some versions, each of which is incompatible with versions of others. */
  const names = wishes.slice(0, 6).map((wish) => `p${wish}`);
  const ban = fc.record({ project: fc.constantFrom(...names), version: fc.integer({ min: 0, max: 1 }) });
  const randomGraph = fc.array(fc.array(fc.array(ban, { maxLength: 4 }), { minLength: 1, maxLength: 2 }), {
    minLength: names.length,
    maxLength: names.length,
  });

  test("is as small as the smallest set of incompatible wishes that brute force finds", () => {
    let beyondTwo = 0;
    fc.assert(
      fc.property(randomGraph, (lists) => {
        const graph: Graph = new Map(
          lists.map((versions, at) => [
            names[at]!,
            versions.map((bans, version) => ({
              id: `${names[at]}@${version}`,
              requires: [],
              conflicts: bans.map((each) => ({
                projectId: each.project,
                versionId: `${each.project}@${each.version}`,
              })),
            })),
          ]),
        );
        const roots = new Map<number, Root>(names.map((projectId, at) => [at, { projectId }]));
        const smallest = subsetsOf(range(names.length)).find((some) => !canBe(graph, some));
        const outcome = solveOrExplain(toSolverInput(graph), roots, plenty(), plenty());
        if (outcome.kind !== "clash") {
          expect([outcome.kind, smallest]).toEqual(["solved", undefined]);
          return;
        }
        expect(canBe(graph, outcome.clash.roots)).toBe(false);
        expect([outcome.clash.roots.length, outcome.clash.isSmallest]).toEqual([smallest!.length, true]);
        if (smallest!.length > 2) beyondTwo++;
      }),
      { numRuns: 1500 },
    );
    expect(beyondTwo, "riddles worth the name").toBeGreaterThan(20);
  });

  /** Whether these can be chosen together without a conflict. */
  function canBe(graph: Graph, wanted: readonly number[], chosen: readonly Candidate[] = []): boolean {
    const next = wanted[chosen.length];
    if (next === undefined) {
      const ids = new Map(chosen.map((each) => [each.id, each]));
      return chosen.every((each) =>
        each.conflicts.every(({ versionId }) => !ids.has(versionId!) || ids.get(versionId!) === each),
      );
    }
    return graph.get(names[next]!)!.some((candidate) => canBe(graph, wanted, [...chosen, candidate]));
  }
});

describe("without enough steps", () => {
  // Pigeonhole principle: one pigeon more than holes. Two other projects that exclude each other come last.
  const pigeonsAnd = (holes: number): Graph => {
    const pigeons = range(holes + 1).map((pigeon): [string, Candidate[]] => [
      `p${pigeon}`,
      range(holes).map((hole) => ({
        id: `p${pigeon}@${hole}`,
        requires: [],
        conflicts: range(holes + 1)
          .filter((other) => other !== pigeon)
          .map((other) => ({ projectId: `p${other}`, versionId: `p${other}@${hole}` })),
      })),
    ]);
    const bars = (name: string, other: string): [string, Candidate[]] => [
      name,
      [{ id: `${name}@0`, requires: [], conflicts: [{ projectId: other, versionId: null }] }],
    ];
    return new Map([...pigeons, bars("x", "y"), bars("y", "x")]);
  };
  const allOf = (from: Graph) => new Map<number, Root>([...from.keys()].map((projectId, at) => [at, { projectId }]));
  const graph = pigeonsAnd(3);
  const roots = allOf(graph);

  test("the first clash is reported as irreducible but not proved to be the smallest", () => {
    const outcome = solveOrExplain(toSolverInput(graph), roots, plenty(), { steps: 10 });
    expect(outcome).toMatchObject({ kind: "clash", clash: { isSmallest: false } });
    if (outcome.kind !== "clash") return;
    for (const root of outcome.clash.roots) {
      const others = new Map([...roots].filter(([number]) => outcome.clash.roots.includes(number) && number !== root));
      expect(solveOrExplain(toSolverInput(graph), others, plenty(), plenty()).kind).toBe("solved");
    }
    expect(outcome.clash.obstacles.length).toBeGreaterThan(0);
  });

  test("with enough steps the smaller clash behind it is found", () => {
    const outcome = solveOrExplain(toSolverInput(graph), roots, plenty(), plenty());
    expect(outcome).toMatchObject({ kind: "clash", clash: { roots: [4, 5], isSmallest: true } });
  });

  test("no more steps are taken than the budget allows", () => {
    for (const steps of [0, 1, 50, 500, 5000]) {
      const proof = { steps };
      solveOrExplain(toSolverInput(pigeonsAnd(5)), allOf(pigeonsAnd(5)), plenty(), proof);
      // The step that exceeded the budget is charged in full.
      expect(proof.steps).toBeGreaterThan(-500);
    }
  });
});
