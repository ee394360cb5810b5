// The sentences about a refused archive. They are apart from problems.ts, so that the inspecting processes load no
// texts.
import { Said, say } from "#words/said.js";
import type { RefusedArchive } from "./inspection.js";
import { type ArchiveDetail, quoteName } from "./problems.js";

export const describeArchive = ({ reason, detail, path }: RefusedArchive): Said =>
  say.files.archive(say.archives[reason], detail ? toSaid(detail) : "", path.map(quoteName).join(" → "));

const toSaid = ([key, ...parts]: ArchiveDetail): Said => new Said("archiveDetails", key, parts);
