// SIGHUP: settings that can change while the server runs are read again from the settings file.
import { type Config, ConfigError, rereadConfig } from "#config/config.js";
import type { Resources } from "#platform/http/resources.js";
import { applySettings } from "#platform/settings/live.js";

/** Returns how to stop. At a terminal the signal means that the window was closed, and ends the server as ever. */
export function reloadOnHangup(resources: Resources): () => void {
  if (process.stdout.isTTY) return () => {};
  const hear = () => void reload(resources);
  process.on("SIGHUP", hear);
  return () => process.off("SIGHUP", hear);
}

/** The same for a process that only reads the settings and passes the signal on. Invalid settings are not passed on. */
export function rereadOnHangup(config: Config, log: Resources["log"], onRead: () => void): () => void {
  if (process.stdout.isTTY) return () => {};
  const hear = () => {
    try {
      rereadConfig(config);
      log.level = config.log.level;
      onRead();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      log.error({ problems: error.problems }, "The settings stay as they were");
    }
  };
  process.on("SIGHUP", hear);
  return () => process.off("SIGHUP", hear);
}

export async function reload(resources: Resources): Promise<void> {
  const { config, log } = resources;
  try {
    rereadConfig(config);
    await applySettings(resources);
    log.level = config.log.level;
    log.info("The settings are read again");
  } catch (error) {
    if (error instanceof ConfigError) log.error({ problems: error.problems }, "The settings stay as they were");
    else log.error({ err: error }, "The settings cannot be read now; they stay as they were");
  }
}
