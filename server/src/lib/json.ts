// Typed conversion from and to JSON text in database columns.
/** JSON text whose parsed form is T. */
export type Json<T> = string & { readonly json?: T };

export const toJson = <T>(value: T): Json<T> => JSON.stringify(value) as Json<T>;
export const fromJson = <T>(text: Json<T>): T => JSON.parse(text) as T;
