// Compares the parts of the index in memory with the simplest implementation.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Bits, QueryBits } from "./bits.js";
import { countEdits } from "./edits.js";
import type { Figures } from "./entry.js";
import { countInAny } from "./facets.js";
import { type FigureSort, figureSorts, Orders } from "./orders.js";
import { SlotIds } from "./slot-ids.js";
import { SlotSet } from "./slot-set.js";
import type { Run } from "./term-run.js";
import { fields, slotOf, Terms } from "./terms.js";

const slots = (most: number) => fc.uniqueArray(fc.integer({ min: 0, max: most }), { maxLength: 400 });
const toBits = (of: Iterable<number>, size: number) => {
  const bits = new Bits(size);
  for (const slot of of) bits.add(slot);
  return bits;
};
const list = (bits: Bits) => [...bits.list()];

describe("sets", () => {
  test.each([70, 700, 5000])("behave like plain sets, up to slot %i", (most) => {
    const size = most + 1;
    const room = new QueryBits();
    fc.assert(
      fc.property(slots(most), slots(most), (some, others) => {
        const [a, b] = [new Set(some), new Set(others)];
        const both = [...a].filter((slot) => b.has(slot)).sort((x, y) => x - y);
        const bits = toBits(a, size);
        expect(bits.count()).toBe(a.size);
        expect(bits.isEmpty()).toBe(a.size === 0);
        // Sets of an earlier query are used again.
        room.begin(size);
        expect(list(room.copy(bits).and(toBits(b, size)))).toEqual(both);
        expect(list(room.copy(bits).andNot(toBits(b, size))).length).toBe(a.size - both.length);
        expect(list(room.copy(bits).or(toBits(b, size))).length).toBe(a.size + b.size - both.length);
        expect(bits.countIn(toBits(b, size).words)).toBe(both.length);
        expect(room.take().isEmpty()).toBe(true);

        const grown = new SlotSet();
        for (const slot of some.toSorted((x, y) => x - y)) {
          grown.add(slot);
          grown.add(slot);
        }
        for (const set of [grown, SlotSet.of(Uint32Array.from(some), size)]) {
          const added = room.take();
          set.orInto(added);
          expect(list(added)).toEqual(list(bits));
          expect(set.size).toBe(a.size);
          const other = toBits(b, size);
          expect(set.countIn(other)).toBe(both.length);
          expect(countInAny({ bits: other, list: other.list() }, room.take(), [set])).toBe(both.length);
          set.keepIn(other);
          expect(list(other)).toEqual(both);
          const rest = toBits(b, size);
          set.removeFrom(rest);
          expect(rest.count()).toBe(b.size - both.length);
        }
      }),
    );
  });

  test("can grow after they were built in one step", () => {
    const set = SlotSet.of(
      Uint32Array.from({ length: 200 }, (_, slot) => slot),
      200,
    );
    for (const slot of [200, 5000, 5001]) set.add(slot);
    const room = new Bits(6000);
    set.orInto(room);
    expect(list(room).slice(-4)).toEqual([199, 200, 5000, 5001]);
    const none = SlotSet.of(new Uint32Array(0), 10);
    none.add(3);
    expect(none.size).toBe(1);
  });
});

describe("orders", () => {
  test("equal those of a plain sort, after any changes and removals", () => {
    const figure = fc.integer({ min: 0, max: 5 });
    const figures = fc.record<Figures>({
      ...{ downloads: figure, followers: figure, dateUpdated: figure, datePublished: figure, recent: figure },
    });
    const step = fc.record({ slot: fc.integer({ min: 0, max: 40 }), figures, isGone: fc.boolean() });
    const keys: Record<FigureSort, keyof Figures> = {
      ...{ downloads: "downloads", trending: "recent", follow_count: "followers" },
      ...{ recently_updated: "dateUpdated", recently_published: "datePublished" },
    };
    fc.assert(
      fc.property(fc.array(fc.array(step, { maxLength: 30 }), { maxLength: 6 }), fc.nat(6), (rounds, stepsAhead) => {
        // Ids of the usual and of another form.
        const names = Array.from({ length: 41 }, (_, n) => `${n % 3 ? "" : "-"}aZ0000${10 + ((n * 17) % 41)}`);
        const known = new Map<number, Figures>();
        const ids = new SlotIds();
        for (const id of names) ids.push(id);
        const orders = new Orders(ids, (slot) => known.has(slot));
        for (const round of rounds) {
          for (const { slot, figures: own, isGone } of round) {
            const wasKnown = known.has(slot);
            if (isGone) known.delete(slot);
            else known.set(slot, own);
            if (isGone) orders.touch(slot);
            else if (wasKnown) orders.change(slot, own);
            else orders.set(slot, own);
          }
          // Some of the orders are sorted ahead.
          const steps = orders.sortInSteps();
          for (let step = 0; step < stepsAhead; step++) steps.next();
          for (const sort of figureSorts) {
            const expected = [...known.keys()].sort((a, b) => {
              const [x, y] = [known.get(a)!, known.get(b)!];
              return y[keys[sort]] - x[keys[sort]] || y.downloads - x.downloads || (names[a]! < names[b]! ? -1 : 1);
            });
            expect([...orders.by(sort)]).toEqual(expected);
          }
          const ranks = orders.ranksBy("downloads");
          expect(Array.from(orders.by("downloads"), (slot) => ranks[slot])).toEqual([...known.keys()].map((_, n) => n));
        }
      }),
    );
  });
});

test("a large order is sorted in several steps, and a query in between gets all of it", () => {
  const ids = new SlotIds();
  const orders = new Orders(ids, () => true);
  const count = 5000;
  const figures = (slot: number): Figures => {
    const downloads = (slot * 7919) % count;
    return { downloads, followers: 0, dateUpdated: 0, datePublished: 0, recent: downloads };
  };
  for (let slot = 0; slot < count; slot++) orders.set(ids.push(`aa${10_000 + slot}`), figures(slot));
  const steps = orders.sortInSteps();
  steps.next();
  const descending = Array.from({ length: count }, (_, at) => count - 1 - at);
  const downloadsOf = (slots: Uint32Array) => Array.from(slots, (slot) => figures(slot).downloads);
  expect(downloadsOf(orders.by("trending"))).toEqual(descending);
  expect([...steps].length).toBeGreaterThan(figureSorts.length);
  expect(downloadsOf(orders.by("downloads"))).toEqual(descending);
});

describe("ids", () => {
  test("have the last of their slots, whatever their form", () => {
    const id = fc.oneof(
      fc.string({ minLength: 8, maxLength: 8 }),
      fc.string(),
      fc.constantFrom("00000000", "zzzzzzzz"),
    );
    fc.assert(
      fc.property(fc.array(id, { maxLength: 300 }), (given) => {
        const ids = new SlotIds();
        for (const [slot, each] of given.entries()) expect(ids.push(each)).toBe(slot);
        for (const [slot, each] of given.entries()) {
          expect(ids.at(slot)).toBe(each);
          expect(ids.find(each)).toBe(given.lastIndexOf(each));
        }
        expect(ids.find("notknown")).toBe(undefined);
      }),
    );
    const many = new SlotIds();
    for (let n = 0; n < 5000; n++) many.push(String(n).padStart(8, "0"));
    expect([many.find("00004711"), many.find("00005000"), many.length]).toEqual([4711, undefined, 5000]);
  });
});

describe("words", () => {
  const word = fc.string({
    unit: fc.constantFrom("a", "b", "c", "d", "é", "中", "ﬀ", "𐐀"),
    minLength: 1,
    maxLength: 9,
  });
  const slotsOf = (runs: Iterable<Run>) =>
    [...runs].flatMap((run) => [...run.unpack()].map(slotOf)).sort((a, b) => a - b);

  test("are found exactly, by their beginning and with typing errors, however they are packed", () => {
    const project = fc.uniqueArray(word, { maxLength: 5 });
    fc.assert(
      fc.property(fc.array(fc.array(project, { maxLength: 20 }), { maxLength: 4 }), word, (rounds, asked) => {
        const terms = new Terms();
        const all: [string, number][] = [];
        let slot = 0;
        for (const [round, projects] of rounds.entries()) {
          for (const words of projects) {
            terms.add(slot, new Map(words.map((each) => [each, fields.name])));
            for (const each of words) all.push([each, slot]);
            slot++;
          }
          if (round % 2 === 0) terms.pack();
          const having = (fits: (each: string) => boolean) =>
            all
              .filter(([each]) => fits(each))
              .map(([, at]) => at)
              .sort((a, b) => a - b);
          expect(slotsOf(terms.exactly(asked))).toEqual(having((each) => each === asked));
          expect(slotsOf(terms.beginningWith(asked))).toEqual(
            having((each) => each.startsWith(asked) && each !== asked),
          );
          const near = having((each) => each.length > 1 && Boolean(countEdits(asked, each, 2)));
          expect(slotsOf(terms.near(asked, 2))).toEqual(near);
        }
      }),
    );
  });

  test("from more projects than are packed together are found too", () => {
    const terms = new Terms();
    for (let slot = 0; slot < 600; slot++) {
      terms.add(slot, new Map([[`word${slot % 7}`, fields.summary]]));
      if (slot % 100 === 0) expect(slotsOf(terms.beginningWith("word"))).toHaveLength(slot + 1);
    }
    expect(slotsOf(terms.exactly("word3"))).toHaveLength(86);
  });

  test("with digits never count as typing errors", () => {
    const terms = new Terms();
    terms.add(0, new Map([["1024x", fields.name]]));
    expect([...terms.near("1025x", 1)]).toEqual([]);
  });
});
