// What the pages of a project work out by themselves: ranges, the matrix, the tree, bars.
import { describe, expect, test } from "vitest";
import type { PlannedFile } from "#content/resolve/shapes.js";
import { parseTaxonomy } from "#content/taxonomy/document.js";
import { compileTaxonomy, readDefaultTaxonomyText } from "#content/taxonomy/taxonomy.js";
import type { VersionEntry } from "#content/versions/entries.js";
import { dayOf } from "#lib/days.js";
import type { Channel } from "#platform/db/tables.js";
import { roundAbove, toBuckets } from "#web/parts/buckets.js";
import { toCompat } from "./compat.js";
import { toTree } from "./dependency-tree.js";
import { rangeText, toRanges } from "./game-version-ranges.js";

const parsed = parseTaxonomy(readDefaultTaxonomyText(), "default.yaml");
if (!parsed.ok) throw new Error(parsed.report);
const taxonomy = compileTaxonomy(parsed.document);

const ranges = (...values: string[]): string[] => toRanges(values, taxonomy).map(rangeText);

describe("ranges of game versions", () => {
  test("join what has no gap, newest first, whatever the order and however often they come", () => {
    expect(ranges("0.4.6", "0.4.8", "0.4.7", "0.4.8")).toEqual(["0.4.6–0.4.8"]);
    expect(ranges("0.4.6", "0.4.8")).toEqual(["0.4.8", "0.4.6"]);
    expect(ranges("0.5.0", "0.4.17")).toEqual(["0.4.17–0.5.0"]);
    expect(ranges()).toEqual([]);
  });

  test("reach across pre-releases that were left out", () => {
    expect(ranges("0.3.2", "0.3.1")).toEqual(["0.3.1–0.3.2"]);
    expect(ranges("0.3.2", "0.3.2-pre10")).toEqual(["0.3.2-pre10–0.3.2"]);
  });

  test("leave what nobody knows alone", () => {
    expect(ranges("9.9", "0.4.8", "9.8")).toEqual(["0.4.8", "9.9", "9.8"]);
  });
});

interface Sample {
  channel?: Channel;
  loaders?: string[];
  yanked?: boolean;
}

const version = (
  id: string,
  gameVersions: string[],
  { channel = "release", loaders = ["quilt"], yanked = false }: Sample = {},
) =>
  ({ id, channel, yanked, gameVersions: new Set(gameVersions), loaders: new Set(loaders) }) as unknown as VersionEntry;

const shown = (...versions: VersionEntry[]) => {
  const { loaders, rows } = toCompat(versions, taxonomy);
  return { loaders, rows: rows.map(({ range, cells }) => [rangeText(range), ...cells.map((cell) => cell?.id ?? "-")]) };
};

describe("the compatibility matrix", () => {
  test("has a row for each game version and a column for each loader, neighbours that are alike joined", () => {
    expect(
      shown(
        version("2", ["0.5.13", "0.5.12"], { loaders: ["puzzle_loader"] }),
        version("1", ["0.5.13", "0.5.12", "0.4.8"], { loaders: ["quilt"] }),
      ),
    ).toEqual({
      loaders: ["quilt", "puzzle_loader"],
      rows: [
        ["0.5.12–0.5.13", "1", "2"],
        ["0.4.8", "1", "-"],
      ],
    });
  });

  test("offers the most stable version, of equals the newest, and nothing that was withdrawn", () => {
    const places = ["0.4.8"];
    expect(
      shown(
        version("withdrawn", places, { yanked: true }),
        version("dev", places, { channel: "dev" }),
        version("beta", places, { channel: "beta" }),
        version("new", places),
        version("old", places),
      ).rows,
    ).toEqual([["0.4.8", "new"]]);
    expect(shown(version("withdrawn", places, { yanked: true })).rows).toEqual([]);
  });

  test("has a column of its own for what needs no loader, and for loaders that are no more", () => {
    const { loaders } = shown(
      version("1", ["0.4.8"], { loaders: [] }),
      version("2", ["0.4.8"], { loaders: ["gone", "quilt"] }),
    );
    expect(loaders).toEqual(["quilt", "gone", ""]);
  });

  test("does not join rows across a gap", () => {
    expect(shown(version("1", ["0.4.8", "0.4.6"])).rows).toEqual([
      ["0.4.8", "1"],
      ["0.4.6", "1"],
    ]);
  });
});

/** "a" needed by "b" and "c". */
const planned = (id: string, ...neededBy: string[]) =>
  ({
    project: { id },
    reasons: neededBy.map((projectId) => ({ kind: "required", projectId })),
  }) as unknown as PlannedFile;

type Drawn = [string, ...Drawn[]] | string;
const drawn = (files: PlannedFile[], root = "root"): Drawn[] => {
  const draw = (node: ReturnType<typeof toTree>[number]): Drawn => {
    const name = `${node.planned.project.id}${node.isRepeated ? "*" : ""}`;
    return node.children.length === 0 ? name : [name, ...node.children.map(draw)];
  };
  return toTree(files, root).map(draw);
};

describe("the tree of a plan", () => {
  test("puts what is needed below what needs it, and unfolds each once", () => {
    expect(drawn([planned("root"), planned("a", "root"), planned("b", "root", "a"), planned("c", "b")])).toEqual([
      ["root", ["a", ["b", "c"]], "b*"],
    ]);
  });

  test("ends where things need each other", () => {
    expect(drawn([planned("root", "a"), planned("a", "root")])).toEqual([["root", ["a", "root*"]]]);
  });

  test("leaves out nothing that is in the plan", () => {
    expect(drawn([planned("root"), planned("lost", "nobody")])).toEqual(["root", "lost"]);
  });
});

describe("bars of a chart", () => {
  const day = dayOf(Date.UTC(2026, 0, 1));

  test("are days for a short time, and those without downloads are there", () => {
    const { step, buckets } = toBuckets([{ day: day + 1, count: 3 }], day, day + 2);
    expect(step).toBe("day");
    expect(buckets.map(({ count }) => count)).toEqual([0, 3, 0]);
  });

  test("are weeks that end on Sundays for a year, and months for longer", () => {
    const year = toBuckets(
      [
        { day, count: 2 },
        { day: day + 3, count: 3 },
        { day: day + 4, count: 4 },
      ],
      day,
      day + 364,
    );
    expect(year.step).toBe("week");
    // The first of January 2026 is a Thursday.
    expect(year.buckets.slice(0, 2)).toEqual([
      { first: day, last: day + 3, count: 5 },
      { first: day + 4, last: day + 10, count: 4 },
    ]);
    const long = toBuckets([], day, day + 1999);
    expect(long.step).toBe("month");
    expect(long.buckets[1]).toEqual({ first: day + 31, last: day + 58, count: 0 });
    expect(long.buckets.at(-1)!.last).toBe(day + 1999);
  });

  test("lose no figure, and count none outside of the time", () => {
    const figures = Array.from({ length: 500 }, (_, at) => ({ day: day + at, count: 1 }));
    const { buckets } = toBuckets(figures, day + 100, day + 399);
    expect(buckets.reduce((sum, { count }) => sum + count, 0)).toBe(300);
  });

  test.each([
    [0, 2],
    [1, 2],
    [3, 4],
    [7, 8],
    [243, 250],
    [1001, 1500],
    [9999, 10_000],
  ])("for %i reach up to %i", (highest, top) => {
    expect(roundAbove(highest)).toBe(top);
  });
});
