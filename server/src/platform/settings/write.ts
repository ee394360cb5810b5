// Saves settings that are edited on the web, in the caller's transaction.

import { createHash } from "node:crypto";
import { findSettingFault, hidden, webSettings } from "#config/config.js";
import type { Tx } from "#platform/changes/write.js";
import { lockSettings } from "#platform/db/dialect.js";
import { fail, type Issue, invalid } from "#platform/errors.js";
import { aboutSetting } from "#platform/secrets/about.js";
import type { Vault } from "#platform/secrets/vault.js";
import { say } from "#words/said.js";
import { listWebSettings, openSetting } from "./read.js";
import { storeValue } from "./store.js";

export interface SettingInput {
  name: string;
  /** Empty resets it to the default; absent leaves it as it is. */
  text?: string;
}

interface Saving {
  locked: ReadonlySet<string>;
  /** The state that the form was made from (stampOf). */
  stamp: string;
  vault: Vault;
}

/**
 * If another user has changed a setting since the form was made, the request is refused, so that nothing is overwritten
 * silently. Every change is audited with the previous value; secrets are sealed, and their values are not audited.
 */
export async function saveSettings(
  tx: Tx,
  userId: string,
  inputs: readonly SettingInput[],
  { locked, stamp, vault }: Saving,
): Promise<void> {
  const names = inputs.map(({ name }) => name);
  refuseUnfit(inputs, locked);
  await lockSettings(tx.db);
  const present = await listWebSettings(tx.db);
  if (stampOf(present, names) !== stamp) throw fail.changedMeanwhile();
  refuseIncomplete(inputs, new Set([...locked, ...present.map(({ name }) => name)]));
  for (const { name, text } of inputs) {
    const before = present.find((row) => row.name === name);
    const old = before ? openSetting(vault, before) : "";
    if (text === undefined || text === old) continue;
    const isSecret = webSettings.some((setting) => setting.name === name && setting.secret);
    if (text === "")
      await tx.db
        .deleteFrom(isSecret ? "sealed_settings" : "settings")
        .where("name", "=", name)
        .execute();
    else if (isSecret) await putSecret(tx, name, vault.seal(text, aboutSetting(name)));
    else await storeValue(tx, name, text, userId);
    const shown = (value: string | undefined) => (isSecret && value !== "" ? hidden : (value ?? ""));
    tx.audit("setting.set", { kind: "setting", id: name }, { from: shown(old), to: shown(text) });
    tx.changed("setting", name);
  }
}

async function putSecret(tx: Tx, name: string, secret: string): Promise<void> {
  const row = { name, secret, date_updated: tx.now };
  await tx.db
    .insertInto("sealed_settings")
    .values(row)
    .onConflict((conflict) => conflict.column("name").doUpdateSet(row))
    .execute();
}

/** A setting without those that it needs would have no effect. */
function refuseIncomplete(inputs: readonly SettingInput[], known: ReadonlySet<string>): void {
  const texts = new Map(inputs.map(({ name, text }) => [name, text]));
  const isSet = (name: string) => (texts.get(name) === undefined ? known.has(name) : texts.get(name) !== "");
  const missing = webSettings
    .filter(({ name, needs }) => texts.has(name) && needs && isSet(name))
    .flatMap(({ needs = [] }) => needs.filter((needed) => !isSet(needed)));
  if (missing.length > 0) throw invalid(...missing.map((path) => ({ path, message: say.problems.missing })));
}

function refuseUnfit(inputs: readonly SettingInput[], locked: ReadonlySet<string>): void {
  const issues = inputs.flatMap(({ name, text }): Issue[] => {
    const setting = webSettings.find((each) => each.name === name);
    if (!setting) return [{ path: name, message: say.problems.notEditedHere }];
    if (locked.has(name)) return [{ path: name, message: say.problems.givenElsewhere }];
    const fault = text ? findSettingFault(setting, text) : undefined;
    return fault === undefined ? [] : [{ path: name, message: fault }];
  });
  if (issues.length > 0) throw invalid(...issues);
}

/** Changes whenever the value of one of these settings changes. Secrets are part of it as they are stored: sealed. */
export function stampOf(rows: readonly { name: string; text: string }[], names: readonly string[]): string {
  const ours = rows.filter(({ name }) => names.includes(name)).map(({ name, text }) => `${name}=${text}`);
  return createHash("sha256").update(ours.sort().join("\n")).digest("base64url").slice(0, 16);
}
