// The kinds of columns, which are the same on both engines: text, integers, bytes. Times are milliseconds, flags 0 or
// 1, lists JSON text.
import type { Generated } from "kysely";
import type { Json } from "#lib/json.js";

export interface Column<T> {
  kind: "text" | "integer" | "bytes";
  nullable: boolean;
  /** Never set; carries the type of the value. */
  type?: T;
}

export const text = <T extends string = string>(): Column<T> => ({ kind: "text", nullable: false });
export const json = <T>(): Column<Json<T>> => ({ kind: "text", nullable: false });
export const integer: Column<number> = { kind: "integer", nullable: false };
export const time: Column<number> = { kind: "integer", nullable: false };
export const flag: Column<0 | 1> = { kind: "integer", nullable: false };
export const bytes: Column<Uint8Array> = { kind: "bytes", nullable: false };
export const serial: Column<Generated<number>> = { kind: "integer", nullable: false };
export const nullable = <T>(column: Column<T>): Column<T | null> => ({ kind: column.kind, nullable: true });
export const defaulted = <T>(column: Column<T>): Column<Generated<T>> => ({
  kind: column.kind,
  nullable: column.nullable,
});

export type TableShapes = Record<string, Record<string, Column<unknown>>>;
