// Whole answers for strangers, kept as long as the entries they are made of.
import type { ReadyAnswer } from "#platform/http/answers.js";
import type { ProjectEntry } from "./project-entries.js";
import { joinArray, wrap } from "./ready-bytes.js";
import type { VersionEntry } from "./version-entries.js";

function keptBy<K extends object>(make: (key: K) => ReadyAnswer): (key: K) => ReadyAnswer {
  const answers = new WeakMap<K, ReadyAnswer>();
  return (key) => {
    let answer = answers.get(key);
    if (!answer) {
      answer = make(key);
      answers.set(key, answer);
    }
    return answer;
  };
}

export const projectAnswer = keptBy((entry: ProjectEntry) => wrap("project", entry.publicProject));
export const versionsAnswer = keptBy((versions: readonly VersionEntry[]) =>
  wrap("data", joinArray(versions.map((version) => version.own))),
);
export const versionAnswer = keptBy((version: VersionEntry) => wrap("data", version.own));
