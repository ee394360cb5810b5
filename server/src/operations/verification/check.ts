// The form of a check of the registry's data: the invariant, how a breach is found, and how it is repaired if a program
// can know the right value. Checks run next to a server: each reads one moment at a time, and reads twice if it could
// have seen a partial change.
import type { BlobStore } from "#platform/blobs/store.js";
import type { Writing } from "#platform/changes/write.js";

export interface Subject extends Writing {
  blobs: BlobStore;
  /** Also reads every stored byte. */
  deep: boolean;
  /** Younger leftovers may belong to an upload that is still under way. */
  safetyMs: number;
}

/** An error breaks an invariant; a leftover only takes space. */
export type Level = "error" | "leftover";

export interface Finding {
  level: Level;
  /** The object: "version kX3vQ9aB". */
  about: string;
  message: string;
}

export interface Check<F extends Finding = Finding> {
  name: string;
  find(subject: Subject): Promise<F[]>;
  /** Absent where a person has to decide, or a backup is needed. */
  mend?: { what: string; act(subject: Subject, findings: readonly F[]): Promise<unknown> };
}

/** Keeps a check's findings and its mending of one type; outside, all checks are alike. */
export const check = <F extends Finding>(one: Check<F>): Check => one as unknown as Check;

export const error = (about: string, message: string) => ({ level: "error" as const, about, message });
export const leftover = (about: string, message: string) => ({ level: "leftover" as const, about, message });

/** The actor of all repairs in the audit log. */
export const byRepair = { credential: "command line" };

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
