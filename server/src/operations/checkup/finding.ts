// What `modshelf doctor` and the administration's pages look at: checks as data, and what each of them finds.

import { reasonOf } from "#lib/reason-of.js";
import { type Sentence, say } from "#words/said.js";

export interface Finding {
  level: "ok" | "warning" | "problem";
  message: Sentence;
  /** What to do about it; every warning and problem says so. */
  todo?: Sentence;
}

export interface NamedFinding extends Finding {
  check: string;
}

export interface Check<Subject> {
  name: string;
  find(subject: Subject): Finding | Finding[] | Promise<Finding | Finding[]>;
}

export const ok = (message: Sentence): Finding => ({ level: "ok", message });
export const warning = (message: Sentence, todo: Sentence): Finding => ({ level: "warning", message, todo });
export const problem = (message: Sentence, todo: Sentence): Finding => ({ level: "problem", message, todo });

/** Runs the checks one after the other, to limit the load. A check that throws is itself a finding. */
export async function runChecks<Subject>(checks: readonly Check<Subject>[], subject: Subject): Promise<NamedFinding[]> {
  const findings: NamedFinding[] = [];
  for (const { name, find } of checks) {
    const found = await (async () => find(subject))().catch((error) =>
      problem(say.checkup.notChecked(reasonOf(error)), say.checkup.mendFirst),
    );
    findings.push(...[found].flat().map((finding) => ({ check: name, ...finding })));
  }
  return findings;
}
