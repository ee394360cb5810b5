// `modshelf repair`: repairs the findings of `modshelf verify` if a program can know the right value. Without --apply
// it only prints what it would do.
import type { Config } from "#config/config.js";
import { type Repair, repair } from "#operations/verification/verify.js";
import { findServer } from "#platform/db/server-lock.js";
import { type Call, CommandFailure, exitCodes } from "./command.js";
import { withSubject } from "./subject.js";

const shown = 20;

export async function runRepair(config: Config, { flags }: Call): Promise<number> {
  const apply = flags.has("--apply");
  const now = flags.has("--now");
  const server = now ? findServer(config.dataDir) : undefined;
  if (server) throw new CommandFailure(`${server}. Stop it first: --now removes files of uploads in progress.`);
  const mendings = await withSubject(config, now ? { safetyMs: 0 } : {}, (subject) => repair(subject, { apply }));
  console.log(render(mendings, apply));
  return exitCodes.ok;
}

function render(mendings: readonly Repair[], isDone: boolean): string {
  if (mendings.length === 0) return "There is nothing to repair.";
  const lines = mendings.flatMap(({ check, what, findings }) => [
    `${check}: ${what}`,
    ...findings.slice(0, shown).map(({ about, message }) => `  ${about} ${message}`),
    ...(findings.length > shown ? [`  and ${findings.length - shown} more`] : []),
  ]);
  return [...lines, "", isDone ? "Done." : "Nothing was changed. Run `modshelf repair --apply` to do this."].join("\n");
}
