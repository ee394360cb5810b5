// `modshelf setup-link`, and the link that the server prints at its start: it creates the first administrator.

import { createCode } from "#accounts/users/codes.js";
import { hasAdmin } from "#accounts/users/read.js";
import type { Config } from "#config/config.js";
import { type Actor, type Writing, write } from "#platform/changes/write.js";
import { CommandFailure, exitCodes } from "./command.js";
import { byCommandLine, withInstance } from "./instance.js";

export function printSetupLink(config: Config): Promise<number> {
  return withInstance(config, async (instance) => {
    const link = await createSetupLink(instance, byCommandLine);
    if (link === undefined)
      throw new CommandFailure(
        "There is an administrator already. `modshelf admin reset NAME` lets one back in, `modshelf admin create` makes another.",
      );
    console.error("Open this link within an hour to become the first administrator:");
    console.log(link);
    return exitCodes.ok;
  });
}

/** Undefined once there is an administrator. */
export async function createSetupLink(to: Writing & { config: Config }, actor: Actor): Promise<string | undefined> {
  if (await hasAdmin(to.db)) return undefined;
  const code = await write(to, actor, async (tx) => {
    tx.audit("setup.code.create", { kind: "setup", id: "first administrator" });
    return createCode(tx, "setup", null);
  });
  return `${to.config.http.url}/setup?code=${code}`;
}
