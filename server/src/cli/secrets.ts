// `modshelf secrets forget`: for an operator who has lost the key that secrets are sealed with.

import type { Config } from "#config/config.js";
import { forgetUnreadable, listUnreadable } from "#operations/secrets/rows.js";
import { write } from "#platform/changes/write.js";
import { openVault } from "#platform/secrets/open-vault.js";
import { type Call, exitCodes } from "./command.js";
import { byCommandLine, withInstance } from "./instance.js";

export async function forgetSecrets(config: Config, { flags }: Call): Promise<number> {
  await withInstance(config, async (instance) => {
    const vault = openVault(config, instance.random);
    const unreadable = await listUnreadable(instance.db, vault);
    const { users, webhooks, settings } = unreadable;
    console.log(
      `${users.length} users lose their second factor, ` +
        `${webhooks.length} webhooks lose their address, get a new secret and are switched off, ` +
        `${settings.length} settings of the website are removed${settings.length > 0 ? `: ${settings.join(", ")}` : ""}.`,
    );
    if (!flags.has("--apply")) return console.log("Nothing was changed. Add --apply to do it.");
    await write(instance, byCommandLine, (tx) => forgetUnreadable(tx, vault, unreadable));
    console.log("Done.");
  });
  return exitCodes.ok;
}
