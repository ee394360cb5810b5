// The form of a check of the registry's data. These checks run next to a server: each reads one moment at a time, and
// reads twice if it could have seen a partial change.
import type { Breach, Check } from "#operations/checks/check.js";
import type { BlobStore } from "#platform/blobs/store.js";
import type { Writing } from "#platform/changes/write.js";

export interface Subject extends Writing {
  blobs: BlobStore;
  /** Also reads every stored byte. */
  deep: boolean;
  /** Younger leftovers may belong to an upload that is still under way. */
  safetyMs: number;
}

export type RegistryCheck = Check<Subject, Breach>;

/** Keeps a check's findings and its mending of one type; outside, all checks are alike. */
export const check = <F extends Breach>(one: Check<Subject, F>): RegistryCheck => one as unknown as RegistryCheck;

/** The actor of all repairs in the audit log. */
export const byRepair = { credential: "command line" };

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
