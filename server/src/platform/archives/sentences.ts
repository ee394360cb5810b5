// The sentences about a refused archive. They are apart from problems.ts, so that the inspecting processes load no
// texts.
import { type Said, say } from "#words/said.js";
import type { RefusedArchive } from "./inspection.js";

export const describeArchive = ({ reason, place }: RefusedArchive): Said =>
  say.files.archive(say.archives[reason], place);
