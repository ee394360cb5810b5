// Keeps the running server's Config in sync with the settings that administrators edit on the web, on every node.
import { applyWebSettings } from "#config/config.js";
import type { Resources } from "#platform/http/resources.js";
import { findLogo } from "./logo.js";
import { isSettingName, listWebSettings, openSetting } from "./read.js";

const retryMs = 5000;
/** By Config: the last read that began, and the last one that was applied. */
const readings = new WeakMap<object, { begun: number; inForce: number }>();

type Site = Pick<Resources, "config" | "db"> & { vault: Resources["vault"] | undefined };

/** Resolves when this node has applied everything that was committed before the call. */
export async function applySettings({ config, db, vault }: Site): Promise<void> {
  const reading = readings.get(config) ?? { begun: 0, inForce: 0 };
  readings.set(config, reading);
  reading.begun += 1;
  const ours = reading.begun;
  const rows = await listWebSettings(db);
  const logo = await findLogo(db);
  // A slow read that began earlier has older data.
  if (ours < reading.inForce) return;
  reading.inForce = ours;
  const texts = rows.map((row): [string, string | undefined] => [row.name, openSetting(vault, row)]);
  applyWebSettings(config, new Map(texts.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]]))));
  if (logo) config.logo = logo;
  else delete config.logo;
}

/** From the start of the change log until its end. */
export async function followSettings(resources: Resources): Promise<void> {
  const { changeLog, log } = resources;
  const apply = () =>
    applySettings(resources).catch((error) => {
      log.warn({ err: error }, "The settings could not be read; they will be read again");
      if (changeLog.isFollowing) setTimeout(apply, retryMs).unref();
    });
  changeLog.subscribe(({ kind, id }) => (kind === "setting" && isSettingName(id) ? apply() : undefined));
  await applySettings(resources);
}
