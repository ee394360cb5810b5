// `modshelf changes renew`: the changes that mirrors have read since the backup was made are no longer valid, so they
// have to start again.

import type { Config } from "#config/config.js";
import { publicChangesConsumer } from "#integrations/public-changes/consumer.js";
import { breakOff } from "#integrations/public-changes/write.js";
import { write } from "#platform/changes/write.js";
import { exitCodes } from "./command.js";
import { byCommandLine, withInstance } from "./instance.js";

export async function renewChanges(config: Config): Promise<number> {
  await withInstance(config, (instance) => write(instance, byCommandLine, (tx) => breakOff(tx, publicChangesConsumer)));
  console.error("Every consumer of the public changes is told to start again.");
  return exitCodes.ok;
}
