// `modshelf verify`: checks whether the registry's data is consistent. Changes nothing, works next to a server.
import type { Config } from "#config/config.js";
import { version } from "#lib/version.js";
import type { Breach, Named } from "#operations/checks/check.js";
import { checkNames, verify } from "#operations/verification/verify.js";
import { type Call, exitCodes } from "./command.js";
import { withSubject } from "./subject.js";

export async function runVerify(config: Config, { flags }: Call): Promise<number> {
  const findings = await withSubject(config, { deep: flags.has("--deep") }, verify);
  const isSound = findings.every(({ level }) => level !== "error");
  console.log(flags.has("--json") ? JSON.stringify({ version, isSound, findings }, null, 2) : render(findings));
  return isSound ? exitCodes.ok : exitCodes.failed;
}

function render(findings: readonly Named<Breach>[]): string {
  const width = Math.max(...checkNames.map((name) => name.length));
  const lines = findings.map(
    ({ level, check, about, message }) =>
      `${level.padEnd("leftover".length)}  ${check.padEnd(width)}  ${about} ${message}`,
  );
  const errors = findings.filter(({ level }) => level === "error").length;
  const summary = `${checkNames.length} checks: ${count(errors, "error")}, ${count(findings.length - errors, "leftover")}.`;
  const advice = findings.length > 0 ? ["`modshelf repair` says which of them it can repair."] : [];
  return [...lines, ...(lines.length > 0 ? [""] : []), summary, ...advice].join("\n");
}

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? "" : "s"}`;
