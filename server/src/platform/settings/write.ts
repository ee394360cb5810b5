// Saves settings that are edited on the web, in the caller's transaction.

import { createHash } from "node:crypto";
import { findSettingFault, webSettings } from "#config/config.js";
import { toJson } from "#lib/json.js";
import type { Tx } from "#platform/changes/write.js";
import { lockSettings } from "#platform/db/dialect.js";
import { fail, type Issue, invalid } from "#platform/errors.js";
import { say } from "#words/said.js";
import { listWebSettings } from "./read.js";

export interface SettingInput {
  name: string;
  /** Empty resets it to the default. */
  text: string;
}

/**
 * `stamp` is the state that the form was made from (stampOf). If another user has changed a setting since then, the
 * request is refused, so that nothing is overwritten silently. Every change is audited with the previous value.
 */
export async function saveSettings(
  tx: Tx,
  userId: string,
  inputs: readonly SettingInput[],
  { locked, stamp }: { locked: ReadonlySet<string>; stamp: string },
): Promise<void> {
  const names = inputs.map(({ name }) => name);
  refuseUnfit(inputs, locked);
  await lockSettings(tx.db);
  const present = await listWebSettings(tx.db);
  if (stampOf(present, names) !== stamp) throw fail.changedMeanwhile();
  const before = new Map(present.map(({ name, text }) => [name, text]));
  for (const { name, text } of inputs) {
    const old = before.get(name) ?? "";
    if (text === old) continue;
    if (text === "") await tx.db.deleteFrom("settings").where("name", "=", name).execute();
    else await putSetting(tx, userId, name, text);
    tx.audit("setting.set", { kind: "setting", id: name }, { from: old, to: text });
    tx.changed("setting", name);
  }
}

async function putSetting(tx: Tx, userId: string, name: string, text: string): Promise<void> {
  const row = { name, value: toJson<unknown>(text), date_updated: tx.now, updated_by: userId };
  await tx.db
    .insertInto("settings")
    .values(row)
    .onConflict((conflict) => conflict.column("name").doUpdateSet(row))
    .execute();
}

function refuseUnfit(inputs: readonly SettingInput[], locked: ReadonlySet<string>): void {
  const issues = inputs.flatMap(({ name, text }): Issue[] => {
    const setting = webSettings.find((each) => each.name === name);
    if (!setting) return [{ path: name, message: say.problems.notEditedHere }];
    if (locked.has(name)) return [{ path: name, message: say.problems.givenElsewhere }];
    const fault = text === "" ? undefined : findSettingFault(setting, text);
    return fault === undefined ? [] : [{ path: name, message: fault }];
  });
  if (issues.length > 0) throw invalid(...issues);
}

/** Changes whenever the value of one of these settings changes. */
export function stampOf(rows: readonly { name: string; text: string }[], names: readonly string[]): string {
  const ours = rows.filter(({ name }) => names.includes(name)).map(({ name, text }) => `${name}=${text}`);
  return createHash("sha256").update(ours.sort().join("\n")).digest("base64url").slice(0, 16);
}
