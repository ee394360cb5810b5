// Marks that tell moderators where to look more closely. They follow from stored data and prove nothing by themselves.
import { type RawBuilder, sql } from "kysely";
import { inList } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";

/** `code`: a file that games run. `program`: one that the system itself runs. */
export const marks = ["code", "program", "elsewhere", "reported"] as const;
export type Mark = (typeof marks)[number];

/** All marks except code, which most projects contain. */
export const risks: readonly Mark[] = ["program", "elsewhere", "reported"];

const programs = ["exe", "dll", "bat", "cmd", "ps1", "vbs", "msi", "scr", "sh", "so", "dylib"];
const code = [...programs, "jar", "class", "js", "mjs", "lua", "py", "wasm"];

/** Judges by the file name only. */
export const isProgram = (name: string): boolean => programs.includes(name.toLowerCase().split(".").at(-1)!);

const hasFile = (projects: string, endings: readonly string[]): RawBuilder<boolean> => {
  const names = endings.map((ending) => sql`lower(marked.name) like ${`%.${ending}`}`);
  return sql<boolean>`exists (
    select 1 from version_files as marked
    where marked.project_id = ${sql.ref(`${projects}.id`)} and (${sql.join(names, sql` or `)}))`;
};

const conditions: Record<Mark, (projects: string) => RawBuilder<boolean>> = {
  code: (projects) => hasFile(projects, code),
  program: (projects) => hasFile(projects, programs),
  elsewhere: (projects) => sql<boolean>`exists (
    select 1 from version_files as marked
      join version_files as same on same.sha512 = marked.sha512 and same.project_id <> marked.project_id
    where marked.project_id = ${sql.ref(`${projects}.id`)})`,
  reported: (projects) => sql<boolean>`exists (
    select 1 from report_cases as marked
    where marked.item_type = 'project' and marked.date_closed is null
      and marked.item_id = ${sql.ref(`${projects}.id`)})`,
};

/** Inside a query over projects under this name. */
export const isMarked = (projects: string, mark: Mark): RawBuilder<boolean> => conditions[mark](projects);

export const isRisky = (projects: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(
    risks.map((mark) => conditions[mark](projects)),
    sql` or `,
  )})`;

/** Runs one statement for any number of projects. */
export async function listMarks(db: Db, projectIds: readonly string[]): Promise<ReadonlyMap<string, readonly Mark[]>> {
  const flags = marks.map(
    (mark) => sql`case when ${conditions[mark]("projects")} then 1 else 0 end as ${sql.ref(mark)}`,
  );
  const { rows } = await sql<{ id: string } & Record<Mark, number>>`
    select projects.id, ${sql.join(flags)} from projects
    where ${inList(db, sql.ref("projects.id"), projectIds)}`.execute(db);
  return new Map(rows.map((row) => [row.id, marks.filter((mark) => Number(row[mark]) === 1)]));
}
