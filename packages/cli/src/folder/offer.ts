// Shows a plan, asks for agreement, and carries it out: the common end of all commands that change a folder.

import { relative } from "node:path";
import type { Answer, Context } from "#shelf/command.js";
import { countOf } from "#shelf/figures.js";
import type { FoundFile } from "./files.js";
import type { OpenFolder } from "./open-folder.js";
import { type NewFile, perform, type Work } from "./perform.js";
import { isChange, type Row, toLines, toQuestion } from "./plan.js";

interface Offer {
  command: string;
  /** Sentences before the rows. */
  notes?: readonly string[];
  rows: readonly Row[];
  /** The rows as people see them, if there are too many for one line each. */
  shown?: readonly string[];
  /** More for --json. */
  facts?: object;
  takes: readonly FoundFile[];
  puts: readonly NewFile[];
  lock: Work["lock"];
  /** The answer where there is nothing to do. */
  nothing: string;
}

export async function offer(
  context: Pick<Context, "terminal" | "signal"> & { options: { "dry-run": boolean; yes: boolean } },
  folder: OpenFolder,
  { notes = [], rows, shown = toLines(rows), facts = {}, nothing, ...work }: Offer,
): Promise<Answer> {
  const { terminal, signal, options } = context;
  const changes = rows.filter(isChange);
  const data = { folder: folder.places.folder, ...facts, changes: rows, isApplied: false };
  const lines = [...notes, ...shown];
  if (options["dry-run"]) return { data, lines: [...lines, ...(changes.length > 0 ? [] : [nothing])] };
  if (rows.length > 0) terminal.note(lines.join("\n"));
  if (changes.length > 0 && !options.yes && !(await terminal.confirm(toQuestion(rows), signal)))
    return { data, lines: ["Nothing was changed."] };
  await perform(context, folder, work);
  return {
    data: { ...data, isApplied: changes.length > 0 },
    lines: [changes.length > 0 ? toResult(changes, folder) : nothing],
  };
}

function toResult(rows: readonly Row[], { places }: OpenFolder): string {
  const count = (...changes: Row["change"][]) => rows.filter(({ change }) => changes.includes(change)).length;
  const [updated, added, removed] = [count("update"), count("add", "restore"), count("remove")];
  const parts = [
    updated > 0 ? `${countOf(updated, "file")} updated` : "",
    added > 0 ? `${countOf(added, "file")} added` : "",
    removed > 0 ? `${countOf(removed, "file")} removed` : "",
  ];
  const folder = relative(process.cwd(), places.folder);
  return `${parts.filter(Boolean).join(", ")}. Take it back with: shelf undo ${folder}`.trimEnd();
}
