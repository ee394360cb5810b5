// What `modshelf doctor` and the administration's pages look at: checks as data, and what each of them finds.
import { reasonOf } from "#lib/reason-of.js";

export interface Finding {
  level: "ok" | "warning" | "problem";
  message: string;
  /** What to do about it; every warning and problem says so. */
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

/** One after the other, so that a slow disk is not asked everything at once. A check that breaks is itself a finding. */
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
