// Saves settings that an administrator has edited on a page, and applies them on this node before the page answers.
import { describeSettings } from "#config/config.js";
import { type Tx, write } from "#platform/changes/write.js";
import type { Call } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { applySettings } from "#platform/settings/live.js";
import { listWebSettings } from "#platform/settings/read.js";
import { type SettingInput, saveSettings, stampOf } from "#platform/settings/write.js";
import { lockedSource } from "#web/parts/setting-field.js";

/** The settings that the environment or the config file sets. */
export const lockedNames = (config: Resources["config"]): ReadonlySet<string> =>
  new Set(describeSettings(config).flatMap((each) => (lockedSource(each) ? each.name : [])));

export async function changeSettings(
  { viewer, actor }: Pick<Call, "actor"> & { viewer: SignedIn },
  resources: Resources,
  inputs: readonly SettingInput[],
  stamp = "",
  /** Refuses in the same transaction. */
  check?: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { config, vault } = resources;
  const saving = { locked: lockedNames(config), stamp, vault };
  await write(resources, actor, async (tx) => {
    await saveSettings(tx, viewer.user.id, inputs, saving);
    await check?.(tx);
  });
  await applySettings(resources);
}

/** The state of these settings, as far as they can be edited, for the form that edits them. */
export async function readStamp({ db, config }: Resources, names: readonly string[]): Promise<string> {
  const locked = lockedNames(config);
  return stampOf(
    await listWebSettings(db),
    names.filter((name) => !locked.has(name)),
  );
}
