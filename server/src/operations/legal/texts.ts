// The legal texts of an operator: terms, rules, privacy, copyright, security. Stored in the settings table; if there is
// none, the site shows a default and says so.

import { fromJson } from "#lib/json.js";
import type { Tx } from "#platform/changes/write.js";
import { lockSettings } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import { storeValue } from "#platform/settings/store.js";

export const legalNames = ["terms", "rules", "privacy", "copyright", "security"] as const;
export type LegalName = (typeof legalNames)[number];

export const isLegalName = (name: string): name is LegalName => (legalNames as readonly string[]).includes(name);

/** Letters. */
export const maxLegalText = 65_256;

export interface LegalText {
  text: string;
  dateUpdated: number;
}

const settingOf = (name: LegalName): string => `legal.${name}`;

/** Undefined if the operator has not written one. */
export async function findLegalText(db: Db, name: LegalName): Promise<LegalText | undefined> {
  const row = await db
    .selectFrom("settings")
    .select(["value", "date_updated"])
    .where("name", "=", settingOf(name))
    .executeTakeFirst();
  return row && { text: fromJson(row.value) as string, dateUpdated: row.date_updated };
}

/** An empty text removes it: the default is shown again. */
export async function saveLegalText(
  tx: Tx,
  userId: string,
  name: LegalName,
  text: string,
  /** Called with the previous text while the row is locked. */
  check: (before: string) => void = () => {},
): Promise<void> {
  await lockSettings(tx.db);
  check((await findLegalText(tx.db, name))?.text ?? "");
  tx.audit("legal.edit", { kind: "setting", id: settingOf(name) }, { letters: text.length });
  if (text.trim() === "") {
    await tx.db.deleteFrom("settings").where("name", "=", settingOf(name)).execute();
    return;
  }
  await storeValue(tx, settingOf(name), text, userId);
}
