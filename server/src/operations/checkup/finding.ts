// The checks of `modshelf doctor` and the administration's pages as data, and their findings.
import { reasonOf } from "#lib/reason-of.js";

export interface Finding {
  level: "ok" | "warning" | "problem";
  message: string;
  /** The advice; every warning and problem has one. */
  todo?: string;
}

export interface NamedFinding extends Finding {
  check: string;
}

export interface Check<Subject> {
  name: string;
  find(subject: Subject): Finding | Finding[] | Promise<Finding | Finding[]>;
}

export const ok = (message: string): Finding => ({ level: "ok", message });
export const warning = (message: string, todo: string): Finding => ({ level: "warning", message, todo });
export const problem = (message: string, todo: string): Finding => ({ level: "problem", message, todo });

/** Runs the checks one after the other, to limit the load. A check that throws is itself a finding. */
export async function runChecks<Subject>(checks: readonly Check<Subject>[], subject: Subject): Promise<NamedFinding[]> {
  const findings: NamedFinding[] = [];
  for (const { name, find } of checks) {
    const found = await (async () => find(subject))().catch((error) =>
      problem(`This could not be checked: ${reasonOf(error)}`, "Mend that first, then run the doctor again."),
    );
    findings.push(...[found].flat().map((finding) => ({ check: name, ...finding })));
  }
  return findings;
}
