// The plan of an update, from the registry's preview. With pins or --only the exact versions are planned again, because
// an update that is left out may have been needed by another.
import type { PreviewedFile, ProjectSummary, UpdatePreview, VersionSummary } from "modshelf-client";
import { exitCodes, Failure } from "#shelf/failures.js";
import type { Setup } from "./lock-file.js";
import { type OpenFolder, toQuery } from "./open-folder.js";
import { type Arrival, type Row, toArrivals, toFailure, toRow } from "./plan.js";
import { getProject, installedHashes, type KnownFile, usable } from "./survey.js";

export interface UpdateChoice {
  /** Only these projects, as the user named them; all if empty. */
  only: readonly string[];
  /** Projects that are pinned from now on, and no longer. */
  pin: readonly string[];
  unpin: readonly string[];
}

/** A project of the folder, as the preview shows it. */
export interface Installed {
  id: string;
  slug: string;
  names: string[];
  current: VersionSummary;
  file: KnownFile;
  isPinned: boolean;
}

export interface UpdatePlan {
  rows: Row[];
  arrivals: Arrival[];
  installed: Installed[];
}

/** The most projects that can be named in a plan. */
const maxNamed = 200;

export async function planUpdate(
  folder: OpenFolder,
  known: readonly KnownFile[],
  setup: Setup,
  choice: UpdateChoice,
  signal: AbortSignal,
): Promise<UpdatePlan> {
  const hashes = installedHashes(known);
  if (hashes.length === 0) return { rows: [], arrivals: [], installed: [] };
  const { registry } = folder;
  const preview = await registry.previewUpdate({ hashes, ...toQuery(setup) }, { signal });
  const beyond =
    setup.channel === "dev"
      ? preview
      : await registry.previewUpdate({ hashes, ...toQuery({ ...setup, channel: undefined }) }, { signal });
  const { installed, chosen } = usable(() => choose(folder, known, preview, choice));
  const isWhole = chosen.length === preview.files.filter(isUpdate).length;
  const arrivals = isWhole
    ? usable(() => fromPreview(preview, known))
    : await planExactly(folder, known, { hashes, setup, installed, chosen }, signal);
  return usable(() => {
    const moving = new Set(arrivals.map(({ project }) => project.id));
    const rows = arrivals.map(toRow);
    const waiting = uniqueProjects(preview).filter(({ project }) => !moving.has(project.id));
    for (const file of waiting) {
      const row = toWaiting(file, beyond, setup, installed.find(({ id }) => id === file.project.id)!, preview);
      if (row) rows.push(row);
    }
    const order = (row: Row) => `${row.change === "add" ? 1 : 0}${row.project}`;
    return { rows: rows.sort((a, b) => (order(a) < order(b) ? -1 : 1)), arrivals, installed };
  });
}

type Known = PreviewedFile & { project: ProjectSummary; current: VersionSummary };
type Update = Known & { next: VersionSummary; file: NonNullable<PreviewedFile["file"]> };
const isKnown = (file: PreviewedFile): file is Known => file.project !== null && file.current !== null;
const isUpdate = (file: PreviewedFile): file is Update =>
  file.change === "updated" && isKnown(file) && file.next !== null && file.file !== null;

/** Each project once. */
const uniqueProjects = (preview: UpdatePreview): Known[] => [
  ...new Map(preview.files.filter(isKnown).map((file) => [file.project.id, file])).values(),
];

function choose(folder: OpenFolder, known: readonly KnownFile[], preview: UpdatePreview, choice: UpdateChoice) {
  const pinned = new Set(folder.lock?.projects.filter((one) => one.pinned).map(({ project }) => project));
  const installed = uniqueProjects(preview).map(({ project: { id, slug }, current }): Installed => {
    const files = known.filter(({ version }) => version.projectId === id);
    const file = files.find(({ version }) => version.id === current.id) ?? files[0]!;
    return { id, slug, current, file, names: files.map(({ name }) => name), isPinned: pinned.has(id) };
  });
  for (const ref of choice.pin) getProject(installed, ref).isPinned = true;
  for (const ref of choice.unpin) getProject(installed, ref).isPinned = false;
  const only = new Set(choice.only.map((ref) => getProject(installed, ref).id));
  const isChosen = ({ project }: Update) =>
    (only.size === 0 || only.has(project.id)) && !installed.find(({ id }) => id === project.id)!.isPinned;
  return { installed, chosen: preview.files.filter(isUpdate).filter(isChosen) };
}

function fromPreview({ files, additions }: UpdatePreview, known: readonly KnownFile[]): Arrival[] {
  const arrivals = new Map<string, Arrival>();
  for (const { hash, project, next, file } of files.filter(isUpdate)) {
    const arrival = arrivals.get(project.id) ?? { project, version: next, file, replaces: [] };
    arrival.replaces.push(...known.filter(({ sha512 }) => sha512 === hash.toLowerCase()));
    arrivals.set(project.id, arrival);
  }
  return [...arrivals.values(), ...toArrivals(additions, known)];
}

interface Exact {
  hashes: string[];
  setup: Setup;
  installed: readonly Installed[];
  chosen: readonly Update[];
}

async function planExactly(
  { registry }: OpenFolder,
  known: readonly KnownFile[],
  { hashes, setup, installed, chosen }: Exact,
  signal: AbortSignal,
): Promise<Arrival[]> {
  if (chosen.length === 0) return [];
  const wanted = new Map([
    ...installed.filter(({ isPinned }) => isPinned).map(({ id, current }) => [id, current.id] as const),
    ...chosen.map(({ project, next }) => [project.id, next.id] as const),
  ]);
  if (wanted.size > maxNamed)
    throw new Failure(`${wanted.size} projects are too many for one plan with pins.`, {
      advice: `Update at most ${maxNamed} at once, with --only.`,
      exitCode: exitCodes.failure,
      code: "planTooLarge",
    });
  const projects = [...wanted].map(([project, version]) => ({ project, version }));
  const plan = await registry.resolve({ projects, installed: hashes, ...toQuery(setup) }, { signal });
  if (!plan.resolved) throw toFailure(plan.clash);
  return usable(() => toArrivals(plan.files, known));
}

/** Why a project stays as it is, if there is something to say. */
function toWaiting(
  { project, current, change, next, newest, hash }: Known,
  beyond: UpdatePreview,
  { gameVersion, loader, channel }: Setup,
  { isPinned }: Installed,
  { clashes }: UpdatePreview,
): Row | undefined {
  const row = { project: project.slug, from: current.versionNumber, to: null, channel: null, size: null };
  if (isPinned)
    return {
      ...row,
      change: "pinned",
      why: next && change === "updated" ? `pinned (newest ${next.versionNumber})` : "pinned",
    };
  const later = beyond.files.find((file) => file.hash === hash && isUpdate(file))?.next;
  if (later && change !== "updated") {
    const { versionNumber: to, releaseChannel } = later;
    const why = `skipped (channel ${channel}; use --channel ${releaseChannel})`;
    return { ...row, change: "skip", to, channel: releaseChannel, why };
  }
  if (change === "missing") {
    const place = [gameVersion, loader].filter(Boolean).join(" and ") || "this setup";
    const hint = newest ? ` (newest ${newest.gameVersions[0] ?? newest.versionNumber})` : "";
    return { ...row, change: "hold", why: `held: no version for ${place}${hint}` };
  }
  if (change !== "incompatible") return undefined;
  const clash = clashes.find(({ demands }) => demands.some(({ onProjectId }) => onProjectId === project.id));
  return { ...row, change: "hold", why: `held: ${clash?.reasons[0]?.message ?? "it clashes with other files"}` };
}
