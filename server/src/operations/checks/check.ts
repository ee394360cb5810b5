// A check: an invariant, how it is tested and, if a program can know the right value, how it is repaired. `modshelf doctor`,
// the pages for administrators, `modshelf verify` and `modshelf repair` all use this form.
import { reasonOf } from "#lib/reason-of.js";
import { type Sentence, say } from "#words/said.js";

interface Finding {
  level: string;
  message: Sentence | string;
}

/** The state of a part of the installation. */
export interface Condition extends Finding {
  level: "ok" | "warning" | "problem";
  message: Sentence;
  /** The advice that comes with every warning and problem. */
  todo?: Sentence;
}

/** An error breaks an invariant of the data; a leftover only takes space. */
export interface Breach extends Finding {
  level: "error" | "leftover";
  /** The object: "version kX3vQ9aB". */
  about: string;
  message: string;
}

export type Named<F> = F & { check: string };

export interface Check<Subject, F extends Finding = Condition> {
  name: string;
  find(subject: Subject): F | F[] | Promise<F | F[]>;
  /** Absent where a person has to decide, or a backup is needed. */
  mend?: { what: string; act(subject: Subject, findings: readonly F[]): Promise<unknown> };
}

export const ok = (message: Sentence): Condition => ({ level: "ok", message });
export const warning = (message: Sentence, todo: Sentence): Condition => ({ level: "warning", message, todo });
export const problem = (message: Sentence, todo: Sentence): Condition => ({ level: "problem", message, todo });
export const error = (about: string, message: string) => ({ level: "error" as const, about, message });
export const leftover = (about: string, message: string) => ({ level: "leftover" as const, about, message });

/** Runs the checks one after the other, to limit the load. */
export async function findAll<Subject, F extends Finding>(
  checks: readonly Check<Subject, F>[],
  subject: Subject,
  onFailure: (error: unknown) => F = (error) => {
    throw error;
  },
): Promise<Named<F>[]> {
  const findings: Named<F>[] = [];
  for (const { name, find } of checks) {
    const found = await (async () => find(subject))().catch(onFailure);
    findings.push(...[found].flat().map((finding) => ({ check: name, ...(finding as F) })));
  }
  return findings;
}

/** A check that throws is itself a finding. */
export const runChecks = <Subject>(checks: readonly Check<Subject>[], subject: Subject): Promise<Named<Condition>[]> =>
  findAll(checks, subject, (error) => problem(say.checkup.notChecked(reasonOf(error)), say.checkup.mendFirst));
