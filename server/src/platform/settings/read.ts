// The settings that administrators edited on the web, as stored: texts by the names of settings. Secrets are sealed.

import { fromJson } from "#lib/json.js";
import type { Db } from "#platform/db/tables.js";
import { Failure } from "#platform/errors.js";
import { aboutSetting } from "#platform/secrets/about.js";
import type { Vault } from "#platform/secrets/vault.js";

/** Other rows of the table (notices, legal texts) have other names. */
const prefix = "MODSHELF_";

export const isSettingName = (name: string): boolean => name.startsWith(prefix);

export interface WebSetting {
  name: string;
  text: string;
  isSealed: boolean;
}

export async function listWebSettings(db: Db): Promise<WebSetting[]> {
  const rows = await db.selectFrom("settings").select(["name", "value"]).where("name", "like", `${prefix}%`).execute();
  const secrets = await db.selectFrom("sealed_settings").select(["name", "secret"]).execute();
  return [
    ...rows.map((row) => ({ name: row.name, text: fromJson(row.value) as string, isSealed: false })),
    ...secrets.map(({ name, secret }) => ({ name, text: secret, isSealed: true })),
  ];
}

/** Undefined for a secret whose key is missing. */
export function openSetting(vault: Vault | undefined, { name, text, isSealed }: WebSetting): string | undefined {
  if (!isSealed) return text;
  try {
    return vault?.open(text, aboutSetting(name));
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
