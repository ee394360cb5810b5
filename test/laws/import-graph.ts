// Which file uses which, and whether it may: the rule of ARCHITECTURE.md as a function over plain data, so that it can
// be shown to fail on a small made-up graph.
import { dirname, join } from "node:path/posix";
import type { SourceFile } from "./source-code.js";

export interface Import {
  from: string;
  to: string;
  /** Nothing but types comes from there. */
  typeOnly?: boolean;
}

export interface Breach extends Import {
  rule: string;
}

const patterns = [
  // import … from "x", export … from "x", with or without "type"; import "x".
  /\b(?:import|export)\s+(?<type>type\s+)?(?:[\w*{}\s,$]+?\s+from\s+)?["'](?<target>[^"']+)["']/g,
  /\bimport\s*\(\s*["'`](?<target>[^"'`]+)["'`]/g,
  // A file that runs in a thread or a process of its own is used as much as an imported one (lib/own-files.ts).
  /\bownModule\(\s*["'](?<own>[^"']+)["']/g,
];

/** The relative imports of a file, each target once; types alone only where nothing else comes from there. */
export function findImports({ path, code, bare }: Pick<SourceFile, "path" | "code" | "bare">): Import[] {
  const found = patterns
    .flatMap((pattern) => [...code.matchAll(pattern)])
    // What is blank there stands in a string.
    .filter(({ index, groups }) => bare[index] !== " " && (groups!.own ?? groups!.target!.startsWith(".")))
    .map(({ groups }) => ({
      to: groups!.own ? `${groups!.own}.js` : join(dirname(path), groups!.target!),
      typeOnly: groups!.type !== undefined,
    }));
  return [...Map.groupBy(found, ({ to }) => to)].map(([to, here]) => ({
    from: path,
    to,
    typeOnly: here.every(({ typeOnly }) => typeOnly),
  }));
}

/** `./x.js` names `x.ts` or `x.tsx`, whichever is there. */
export function resolveImport(target: string, files: ReadonlySet<string>): string {
  const stem = target.replace(/\.js$/, "");
  return [`${stem}.ts`, `${stem}.tsx`].find((path) => files.has(path)) ?? target;
}

/** Top to bottom; a file may use what stands below it. Folders that are not named here are features. */
const storeys = [
  ["main.ts"],
  ["cli"],
  ["app.ts"],
  ["web", "cdn", "jobs"],
  ["(features)"],
  ["http", "db", "blobs", "changes", "images", "archives", "mail", "outbound"],
  ["lib", "errors.ts", "config", "config.ts"],
] as const;

const featureStorey = 4;
const platformStorey = 5;
const groundStorey = 6;

/** "app.ts" or the folder's name. */
const roomOf = (path: string): string => path.split("/")[0]!;

function storeyOf(path: string): number {
  const room = roomOf(path);
  const named = storeys.findIndex((rooms) => (rooms as readonly string[]).includes(room));
  return named < 0 ? featureStorey : named;
}

/** The ladder inside features, from the bottom up. */
const ladder = ["contract", "policy", "read", "write", "routes"] as const;
const rungNames: Record<string, (typeof ladder)[number]> = { jobs: "routes" };

/**
 * How high a feature's file stands: by its name, or, for a file with a name of its own, as high as the highest file
 * that it uses. So a plain helper is open to all, and nothing can reach up by way of one.
 */
function rungOf(path: string, imports: readonly Import[], seen = new Set<string>()): number {
  // "edit-routes" are routes too.
  const name = path
    .replace(/\.tsx?$/, "")
    .split(/[/-]/)
    .at(-1)!;
  const named = ladder.indexOf(rungNames[name] ?? (name as (typeof ladder)[number]));
  if (named >= 0) return named;
  if (seen.has(path)) return -1;
  seen.add(path);
  const used = imports.filter((edge) => edge.from === path && !edge.typeOnly && storeyOf(edge.to) === featureStorey);
  return Math.max(-1, ...used.map(({ to }) => rungOf(to, imports, seen)));
}

const rungName = (rung: number): string => ladder[rung] ?? "below contract";

/** Every import that points upward or sideways where it may not. Paths are relative to server/src. */
export function findBreaches(imports: readonly Import[]): Breach[] {
  return imports.flatMap((edge) => {
    const rule = brokenRule(edge, imports);
    return rule ? [{ ...edge, rule }] : [];
  });
}

function brokenRule({ from, to, typeOnly }: Import, imports: readonly Import[]): string | undefined {
  if (to.startsWith("..") || to.startsWith("test/")) return "the server uses nothing outside server/src";
  if (/\.test\.[jt]sx?$/.test(to)) return "nothing imports a test";
  const [upper, lower] = [storeyOf(from), storeyOf(to)];
  if (lower > upper) return undefined;
  if (lower < upper)
    return `${storeys[upper]!.join(", ")} may not use ${storeys[lower]!.join(", ")}: imports point down`;
  if (upper === featureStorey) {
    // The ladder is about who may do what, and a type does nothing: a policy may speak of the rows that a read finds.
    if (typeOnly) return undefined;
    const [user, used] = [rungOf(from, imports), rungOf(to, imports)];
    return used > user ? `in features ${rungName(user)} may not use ${rungName(used)}: ${descent}` : undefined;
  }
  const isOpen = upper === platformStorey || upper === groundStorey || roomOf(from) === roomOf(to);
  return isOpen ? undefined : `${roomOf(from)} and ${roomOf(to)} stand side by side and do not know each other`;
}

const descent = [...ladder].reverse().join(" → ");

/** Files that use each other in a circle, each circle once, as the path round it. */
export function findCircles(imports: readonly Import[]): string[][] {
  const uses = Map.groupBy(imports, ({ from }) => from);
  const state = new Map<string, "open" | "done">();
  const trail: string[] = [];
  const circles: string[][] = [];
  const visit = (path: string): void => {
    if (state.get(path) === "done") return;
    if (state.get(path) === "open") {
      circles.push([...trail.slice(trail.indexOf(path)), path]);
      return;
    }
    state.set(path, "open");
    trail.push(path);
    for (const { to } of uses.get(path) ?? []) visit(to);
    trail.pop();
    state.set(path, "done");
  };
  for (const path of uses.keys()) visit(path);
  return circles;
}
