// Saves settings that an administrator has edited on a page, and applies them on this node before the page answers.
import { describeSettings } from "#config/config.js";
import { write } from "#platform/changes/write.js";
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
): Promise<void> {
  const { config, vault } = resources;
  const saving = { locked: lockedNames(config), stamp, vault };
  await write(resources, actor, (tx) => saveSettings(tx, viewer.user.id, inputs, saving));
  await applySettings(resources);
}

/** The state of these settings, for the form that edits them. */
export const readStamp = async ({ db }: Resources, names: readonly string[]): Promise<string> =>
  stampOf(await listWebSettings(db), names);
