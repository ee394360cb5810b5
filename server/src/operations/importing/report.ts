// The report of an import, or of its dry run, for the operator.
import { formatBytes } from "#lib/format-bytes.js";
import { withoutControls } from "./answers.js";

const kinds = ["users", "organizations", "projects", "versions", "pictures"] as const;
export type Counted = (typeof kinds)[number];

export const acts = ["created", "updated", "unchanged", "changedHere", "deletedHere", "refused"] as const;
export type Act = (typeof acts)[number];

export interface Refusal {
  what: string;
  reason: string;
}

export interface ImportReport {
  source: string;
  kind: string;
  dryRun: boolean;
  counts: Record<Counted, Record<Act, number>>;
  /** The size of files and pictures that were fetched; in a dry run, the size of the files that would be. */
  bytes: number;
  refused: Refusal[];
  /** Values that were shortened or left out. */
  notes: string[];
  changedHere: string[];
  unmappedMembers: string[];
  unresolvedDependencies: string[];
}

/** Some acts are noted twice, because dependencies are looked at again at the end: what was created stays created. */
export class ReportBook {
  readonly #acts: Record<Counted, Map<string, Act>> = {
    ...{ users: new Map(), organizations: new Map(), projects: new Map(), versions: new Map(), pictures: new Map() },
  };
  readonly #refused = new Map<string, string>();
  readonly #notes = new Set<string>();
  readonly #changedHere = new Set<string>();
  readonly #unmapped = new Set<string>();
  readonly #unresolved = new Map<string, readonly string[]>();
  plannedBytes = 0;

  note(kind: Counted, id: string, act: Act, what: string): void {
    const before = this.#acts[kind].get(id);
    if (before === "created" || (before === "updated" && act === "unchanged")) return;
    this.#acts[kind].set(id, act);
    if (act === "changedHere") this.#changedHere.add(withoutControls(what));
  }

  refuse(what: string, reason: string, counted?: { kind: Counted; id: string }): void {
    this.#refused.set(withoutControls(what), withoutControls(reason));
    if (counted) this.#acts[counted.kind].set(counted.id, "refused");
  }

  remark(text: string): void {
    this.#notes.add(withoutControls(text));
  }

  unmapped(text: string): void {
    this.#unmapped.add(withoutControls(text));
  }

  /** The last list of a version counts. */
  unresolved(versionId: string, texts: readonly string[]): void {
    this.#unresolved.set(versionId, texts.map(withoutControls));
  }

  finish(facts: { source: string; kind: string; dryRun: boolean; bytes: number }): ImportReport {
    const countActs = (of: ReadonlyMap<string, Act>) => {
      const counts = Object.fromEntries(acts.map((act) => [act, 0])) as Record<Act, number>;
      for (const act of of.values()) counts[act]++;
      return counts;
    };
    const counts = Object.fromEntries(kinds.map((kind) => [kind, countActs(this.#acts[kind])]));
    return {
      ...facts,
      bytes: facts.dryRun ? this.plannedBytes : facts.bytes,
      counts: counts as ImportReport["counts"],
      refused: Array.from(this.#refused, ([what, reason]) => ({ what, reason })),
      notes: [...this.#notes],
      changedHere: [...this.#changedHere],
      unmappedMembers: [...this.#unmapped],
      unresolvedDependencies: [...new Set([...this.#unresolved.values()].flat())],
    };
  }
}

const actWords: Record<Act, (dryRun: boolean) => string> = {
  created: (dryRun) => (dryRun ? "to create" : "created"),
  updated: (dryRun) => (dryRun ? "to update" : "updated"),
  unchanged: () => "unchanged",
  changedHere: () => "changed here, left alone",
  deletedHere: () => "deleted here, left alone",
  refused: () => "refused",
};

export function renderReport(report: ImportReport): string[] {
  const { dryRun } = report;
  const rows = kinds.flatMap((kind) => {
    const counts = acts.filter((act) => report.counts[kind][act] > 0);
    const told = counts.map((act) => `${report.counts[kind][act]} ${actWords[act](dryRun)}`);
    return told.length > 0 ? [`${`${kind}:`.padEnd(15)}${told.join(", ")}`] : [];
  });
  const list = (title: string, lines: readonly string[]) =>
    lines.length > 0 ? ["", `${title}:`, ...lines.map((line) => `  ${line}`)] : [];
  return [
    ...(rows.length > 0 ? rows : ["There is nothing to import."]),
    `${"bytes:".padEnd(15)}${formatBytes(report.bytes)}${dryRun ? " to fetch" : " fetched"}`,
    ...list(
      "Refused",
      report.refused.map(({ what, reason }) => `${what}: ${reason}`),
    ),
    ...list("Changed here since the last import, left alone (--overwrite replaces it)", report.changedHere),
    ...list("Members without an account here (--create-users, --map-user)", report.unmappedMembers),
    ...list("Dependencies on projects that are not here", report.unresolvedDependencies),
    ...list("Adjusted", report.notes),
    ...(dryRun ? ["", "This was a dry run: nothing was written."] : []),
  ];
}
