// Common parts of the statements in migrations.
import { type LengthName, lengths } from "#lib/lengths.js";
import type { ColumnWords } from "#platform/db/dialect.js";

export const length = (column: string, name: LengthName): string => {
  const [least, most] = lengths[name];
  return `CHECK (length(${column}) BETWEEN ${least} AND ${most})`;
};
export const oneOf = (column: string, ...values: string[]): string =>
  `CHECK (${column} IN (${values.map((value) => `'${value}'`).join(", ")}))`;
export const flag = (column: string): string => `${column} integer NOT NULL CHECK (${column} IN (0, 1))`;
export const digest = (column: string, size: number): string => `CHECK (length(${column}) = ${size})`;

/** Parts that differ between the engines. */
export function columnParts({ bigint, strict }: ColumnWords) {
  const table = (name: string, ...parts: string[]): string => `CREATE TABLE ${name} (${parts.join(", ")}) ${strict}`;
  const time = (column: string): string => `${column} ${bigint} NOT NULL`;
  const maybeTime = (column: string): string => `${column} ${bigint}`;
  const userOf = (column: string): string => `${column} text NOT NULL REFERENCES users (id)`;
  const partOf = (column: string, parent: string): string =>
    `${column} text NOT NULL REFERENCES ${parent} (id) ON DELETE CASCADE`;

  return { table, time, maybeTime, userOf, partOf };
}
