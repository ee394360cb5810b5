// What a check of the registry's own truth is: what must hold, how a breach is found, and, where a program can know what
// is right, how it is mended. Checks run beside a server: each looks at one moment at a time, and looks twice where it
// could have seen a change half-way.
import type { BlobStore } from "#platform/blobs/store.js";
import type { Writing } from "#platform/changes/write.js";

export interface Subject extends Writing {
  blobs: BlobStore;
  /** Also read every stored byte. */
  deep: boolean;
  /** Younger leftovers may belong to an upload that is still under way. */
  safetyMs: number;
}

/** An error is something that is not as it was promised; a leftover is in nobody's way and only takes room. */
export type Level = "error" | "leftover";

export interface Finding {
  level: Level;
  /** What it is about: "version kX3vQ9aB". */
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

/** The actor of everything that is mended, as the audit log remembers it. */
export const byRepair = { credential: "command line" };

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
