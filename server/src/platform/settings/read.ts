// The settings that administrators edited on the web, as stored: texts by the names of settings.

import { fromJson } from "#lib/json.js";
import type { Db } from "#platform/db/tables.js";

/** Other rows of the table (notices, legal texts) have other names. */
const prefix = "MODSHELF_";

export const isSettingName = (name: string): boolean => name.startsWith(prefix);

export interface WebSetting {
  name: string;
  text: string;
}

export async function listWebSettings(db: Db): Promise<WebSetting[]> {
  const rows = await db.selectFrom("settings").select(["name", "value"]).where("name", "like", `${prefix}%`).execute();
  return rows.map((row) => ({ name: row.name, text: fromJson(row.value) as string }));
}
