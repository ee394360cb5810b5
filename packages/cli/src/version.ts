// The version of this program, as the build puts it in.
declare const SHELF_VERSION: string | undefined;
export const version: string = typeof SHELF_VERSION === "string" ? SHELF_VERSION : "0.0.0-source";
