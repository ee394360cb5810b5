// `modshelf changes renew`: what mirrors have heard since the backup was made is no longer so, and nobody else can tell them.

import type { Config } from "#config/config.js";
import { publicChangesConsumer } from "#integrations/public-changes/consumer.js";
import { breakOff } from "#integrations/public-changes/write.js";
import { write } from "#platform/changes/write.js";
import { exitCodes } from "./command.js";
import { byCommandLine, withInstance } from "./instance.js";

export async function renewChanges(config: Config): Promise<number> {
  await withInstance(config, (instance) => write(instance, byCommandLine, (tx) => breakOff(tx, publicChangesConsumer)));
  console.error("Whoever follows the public changes is told to begin anew.");
  return exitCodes.ok;
}
