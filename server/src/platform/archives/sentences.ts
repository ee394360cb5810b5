// What is said about a refused archive. Apart from problems.ts, so that the processes that inspect load no words.
import { type Said, say } from "#words/said.js";
import type { RefusedArchive } from "./inspection.js";

export const describeArchive = ({ reason, place }: RefusedArchive): Said =>
  say.files.archive(say.archives[reason], place);
