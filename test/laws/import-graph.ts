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
  // A file that runs in its own thread or process counts as imported (lib/own-files.ts).
  /\bownModule\(\s*["'](?<own>[^"']+)["']/g,
];

/** The server's own modules that a file imports, each once; `typeOnly` where nothing but types comes from there. */
export function findImports({ path, code, bare }: Pick<SourceFile, "path" | "code" | "bare">): Import[] {
  const found = patterns
    .flatMap((pattern) => [...code.matchAll(pattern)])
    // Blank text is inside a string.
    .filter(({ index, groups }) => bare[index] !== " " && (groups!.own ?? /^[.#]/.test(groups!.target!)))
    .map(({ groups }) => ({
      to: groups!.own ? `${groups!.own}.js` : toPath(path, groups!.target!),
      typeOnly: groups!.type !== undefined,
    }));
  return [...Map.groupBy(found, ({ to }) => to)].map(([to, here]) => ({
    from: path,
    to,
    typeOnly: here.every(({ typeOnly }) => typeOnly),
  }));
}

/** `#lib/x.js` is named from server/src, `./x.js` from the folder of the file. */
const toPath = (from: string, target: string): string =>
  target.startsWith("#") ? target.slice(1) : join(dirname(from), target);

/** `./x.js` names `x.ts` or `x.tsx`, whichever is there. */
export function resolveImport(target: string, files: ReadonlySet<string>): string {
  const stem = target.replace(/\.js$/, "");
  return [`${stem}.ts`, `${stem}.tsx`].find((path) => files.has(path)) ?? target;
}

/** A file may import from its own wing and from the wings before it in this list (ARCHITECTURE.md, "The wings"). */
export const wings = [
  ...[
    "lib",
    "words",
    "config",
    "platform",
    "accounts",
    "content",
    "community",
    "moderation",
    "discovery",
    "integrations",
  ],
  ...["operations", "web", "cdn", "app.ts", "cli", "main.ts"],
];
/** These wings are independent of each other. */
const apart = ["web", "cdn"];
const featureWings = new Set(wings.slice(wings.indexOf("accounts"), wings.indexOf("web")));

/** The floors of the website: a file may import from its own and from those before it (ARCHITECTURE.md, "A page"). */
const floors = ["web/context", "web/parts", "web/frame", "web/shared", "web/pages", "web/routes.ts"];
const floorOf = (path: string): number => floors.findIndex((floor) => path === floor || path.startsWith(`${floor}/`));

function brokenFloor(from: string, to: string): string | undefined {
  const [high, low] = [floorOf(from), floorOf(to)];
  if (high < 0 || low < 0) return undefined;
  if (low > high) return `${floors[high]} may not use ${floors[low]}, which is above it`;
  const isApart = floors[high] === "web/pages" && high === low && folderOf(from) !== folderOf(to);
  return isApart ? "pages of different areas do not use each other: share parts, or logic in web/shared" : undefined;
}

/** "lib", or "app.ts" for a file next to the wings. */
const wingOf = (path: string): string => path.split("/")[0]!;
const isOfFeature = (path: string): boolean => featureWings.has(wingOf(path));

/** The ladder inside features, from the bottom up. */
const ladder = ["contract", "policy", "read", "write", "routes"] as const;
const rungNames: Record<string, (typeof ladder)[number]> = {
  jobs: "routes",
  // Use cases that have a file of their own are named after what happens.
  ...Object.fromEntries(["create", "edit", "publish", "remove", "submit"].map((act) => [act, "write"] as const)),
};

/**
 * The level of a feature's file: by its name, or, for a file with another name, the highest level among its imports. So
 * a plain helper is open to all, and no file can bypass the order through one.
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
  const used = imports.filter((edge) => edge.from === path && !edge.typeOnly && isOfFeature(edge.to));
  return Math.max(-1, ...used.map(({ to }) => rungOf(to, imports, seen)));
}

const rungName = (rung: number): string => ladder[rung] ?? "below contract";

/** Every forbidden upward or sideways import. Paths are relative to server/src. */
export function findBreaches(imports: readonly Import[]): Breach[] {
  return imports.flatMap((edge) => {
    const rule = brokenRule(edge, imports);
    return rule ? [{ ...edge, rule }] : [];
  });
}

function brokenRule({ from, to, typeOnly }: Import, imports: readonly Import[]): string | undefined {
  if (to.startsWith("..") || to.startsWith("test/")) return "the server uses nothing outside server/src";
  if (/\.test\.[jt]sx?$/.test(to)) return "nothing imports a test";
  const [user, used] = [wingOf(from), wingOf(to)];
  if (!wings.includes(user) || !wings.includes(used)) return `${[user, used].join(" or ")} is no wing`;
  if (user !== used && apart.includes(user) && apart.includes(used))
    return `${user} and ${used} do not know each other`;
  if (wings.indexOf(used) > wings.indexOf(user)) return `${user} may not use ${used}, which comes after it`;
  const floor = brokenFloor(from, to);
  if (floor) return floor;
  // The ladder is about behaviour, and a type has none: a policy may name the rows that a read finds.
  if (typeOnly || !isOfFeature(from) || !isOfFeature(to)) return undefined;
  const [high, low] = [rungOf(from, imports), rungOf(to, imports)];
  return low > high ? `in features ${rungName(high)} may not use ${rungName(low)}: ${descent}` : undefined;
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

/** "platform/http"; the name of a wing for its own files, or of a file next to the wings; each folder of pages. */
export function folderOf(path: string): string {
  const parts = path.split("/").slice(0, -1);
  return parts.slice(0, parts[1] === "pages" ? 3 : 2).join("/") || path;
}

/** Groups of folders that import each other, directly or by way of others; each group sorted. */
export function findKnots(imports: readonly Import[]): string[][] {
  const uses = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [user, used] = [folderOf(from), folderOf(to)];
    if (user !== used) uses.set(user, (uses.get(user) ?? new Set()).add(used));
  }
  const reach = (start: string): Set<string> => {
    const seen = new Set<string>();
    const open = [...(uses.get(start) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(...(uses.get(next) ?? []));
    }
    return seen;
  };
  const reached = new Map([...uses.keys()].map((folder) => [folder, reach(folder)]));
  const knotOf = (folder: string) =>
    [...reached.get(folder)!].filter((other) => reached.get(other)?.has(folder)).sort();
  const knots = [...uses.keys()].map(knotOf).filter((knot) => knot.length > 0);
  return [...new Map(knots.map((knot) => [knot.join(" "), knot])).values()];
}
