// The sealed secrets in the database: their columns, whether the current keys open them, and sealing values that are
// not sealed yet or with an older key.
import { sql } from "kysely";
import { removeSecondFactor } from "#accounts/second-factor/write.js";
import { hidden } from "#config/config.js";
import { newWebhookSecret } from "#integrations/webhooks/signing.js";
import { fromJson, toJson } from "#lib/json.js";
import { type Actor, type Tx, type Writing, write } from "#platform/changes/write.js";
import type { Db } from "#platform/db/tables.js";
import { aboutSetting, aboutTotp, aboutWebhook, aboutWebhookUrl } from "#platform/secrets/about.js";
import type { Vault } from "#platform/secrets/vault.js";

const columns = [
  { table: "totp_secrets", id: "user_id", column: "secret", about: aboutTotp },
  { table: "webhooks", id: "id", column: "secret", about: aboutWebhook },
  { table: "webhooks", id: "id", column: "old_secret", about: aboutWebhook },
  { table: "webhooks", id: "id", column: "url", about: aboutWebhookUrl },
  { table: "sealed_settings", id: "name", column: "secret", about: aboutSetting },
] as const;

type Place = (typeof columns)[number];

const keyName = "secrets.key";
const rowsAtOnce = 500;

/** The key that the secrets of this database are sealed with, by its id; undefined before the first start with one. */
export async function findKeyId(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom("settings").select("value").where("name", "=", keyName).executeTakeFirst();
  return row && (fromJson(row.value) as string);
}

/**
 * Stores the current key's id as the one of this database if there is none, and seals every value that is not sealed
 * with it. Returns false, and changes nothing, if the database belongs to a missing key.
 */
export async function settleSecrets(to: Writing & { vault: Vault }, actor: Actor): Promise<boolean> {
  const { vault } = to;
  await write(to, actor, async ({ db, now }) => {
    await db
      .insertInto("settings")
      .values({ name: keyName, value: toJson<unknown>(vault.keyId), date_updated: now, updated_by: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
  const keyId = await findKeyId(to.db);
  if (keyId === undefined || !vault.has(keyId)) return false;
  for (const place of columns) await sealAll(to, actor, place);
  if (keyId !== vault.keyId) await write(to, actor, (tx) => noteKey(tx, vault));
  return true;
}

async function noteKey({ db, now, audit }: Tx, { keyId }: Vault): Promise<void> {
  const value = toJson<unknown>(keyId);
  await db.updateTable("settings").set({ value, date_updated: now }).where("name", "=", keyName).execute();
  audit("secrets.key", { kind: "instance", id: "instance" }, { keyId });
}

async function sealAll(to: Writing & { vault: Vault }, actor: Actor, place: Place): Promise<void> {
  const { vault } = to;
  for (let after = ""; ; ) {
    const rows = await listOthers(to.db, place, vault.prefix, after);
    await write(to, actor, async ({ db }) => {
      for (const { id, value } of rows.filter((row) => vault.canOpen(row.value))) {
        const text = place.about(id);
        // Skips a row that was changed concurrently.
        await sql`update ${sql.table(place.table)} set ${sql.ref(place.column)} = ${vault.seal(vault.open(value, text), text)}
          where ${sql.ref(place.id)} = ${id} and ${sql.ref(place.column)} = ${value}`.execute(db);
      }
    });
    if (rows.length < rowsAtOnce) return;
    after = rows.at(-1)!.id;
  }
}

/** Values that the key with this prefix has not sealed. */
async function listOthers(
  db: Db,
  { table, id, column }: Place,
  prefix: string,
  after: string,
): Promise<{ id: string; value: string }[]> {
  const { rows } = await sql<{ id: string; value: string }>`
    select ${sql.ref(id)} as id, ${sql.ref(column)} as value from ${sql.table(table)}
    where ${sql.ref(column)} is not null and substr(${sql.ref(column)}, 1, ${prefix.length}) <> ${prefix}
      and ${sql.ref(id)} > ${after}
    order by ${sql.ref(id)} limit ${rowsAtOnce}`.execute(db);
  return rows;
}

export interface Unreadable {
  users: string[];
  webhooks: string[];
  /** The names of settings. */
  settings: string[];
}

/** The owners of secrets that no available key can open. */
export async function listUnreadable(db: Db, vault: Vault): Promise<Unreadable> {
  const found = {
    totp_secrets: new Set<string>(),
    webhooks: new Set<string>(),
    sealed_settings: new Set<string>(),
  };
  for (const place of columns)
    for (let after = ""; ; ) {
      const rows = await listOthers(db, place, vault.prefix, after);
      for (const { id, value } of rows) if (!vault.canOpen(value)) found[place.table].add(id);
      if (rows.length < rowsAtOnce) break;
      after = rows.at(-1)!.id;
    }
  return { users: [...found.totp_secrets], webhooks: [...found.webhooks], settings: [...found.sealed_settings] };
}

/** Replaces a URL that can no longer be read. The domain never exists (RFC 2606). */
const lostUrl = "https://address-lost.invalid/";

/**
 * For a key that is lost: these users have no second factor any more, and these webhooks get a new secret, lose their address
 * and are switched off, and these settings have their defaults. From here on the database belongs to our key.
 */
export async function forgetUnreadable(tx: Tx, vault: Vault, { users, webhooks, settings }: Unreadable): Promise<void> {
  for (const userId of users) await removeSecondFactor(tx, userId);
  for (const id of webhooks) {
    const secret = vault.seal(newWebhookSecret(tx.random), aboutWebhook(id));
    const off = {
      secret,
      url: vault.seal(lostUrl, aboutWebhookUrl(id)),
      old_secret: null,
      date_old_secret_ends: null,
      enabled: 0,
      disabled_reason: "failing",
    } as const;
    await tx.db.updateTable("webhooks").set(off).where("id", "=", id).execute();
    tx.audit("webhook.rotate", { kind: "webhook", id }, { keepOld: false });
  }
  for (const name of settings) {
    await tx.db.deleteFrom("sealed_settings").where("name", "=", name).execute();
    tx.audit("setting.set", { kind: "setting", id: name }, { from: hidden, to: "" });
    tx.changed("setting", name);
  }
  await noteKey(tx, vault);
}
