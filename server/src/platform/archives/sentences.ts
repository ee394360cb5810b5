// The sentences about a refused archive. They are apart from problems.ts, so that the inspecting processes load no
// texts.
import { Said, say } from "#words/said.js";
import type { RefusedArchive } from "./inspection.js";
import type { PackFault } from "./pack-parts.js";
import { type ArchiveDetail, quoteName } from "./problems.js";

export const describeArchive = ({ reason, detail, path }: RefusedArchive): Said =>
  say.files.archive(say.archives[reason], detail ? toSaid(detail) : "", path.map(quoteName).join(" → "));

export const describePack = ({ problem, parts, why }: PackFault): Said => {
  const detail = why && (why.detail ? toSaid(why.detail) : say.archives[why.reason]);
  return new Said("packs", problem, detail ? [...parts, detail] : parts);
};

const toSaid = ([key, ...parts]: ArchiveDetail): Said => new Said("archiveDetails", key, parts);
