// Recoverable secrets are sealed in the database, keys can be replaced, and no secret is dropped silently.
import { TOTP } from "otpauth";
import { expect, test } from "vitest";
import { hasSecondFactor } from "#accounts/second-factor/read.js";
import { beginTotp, confirmTotp, takeCode } from "#accounts/second-factor/write.js";
import { readSecret, readUrl } from "#integrations/webhooks/read.js";
import { findKeys } from "#lib/key-file.js";
import { systemRandom } from "#lib/random.js";
import { write } from "#platform/changes/write.js";
import { aboutSetting } from "#platform/secrets/about.js";
import { createVault } from "#platform/secrets/vault.js";
import { listWebSettings, openSetting } from "#platform/settings/read.js";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { findKeyId, forgetUnreadable, listUnreadable, settleSecrets } from "./rows.js";

const world = await testApp();
const { as, make, resources, clock } = world;
const { db, vault } = resources;
const author = await make.user();
const project = await makeProject(world, author);
const actor = { credential: "test" };

const url = "https://receiver.example.org/hook";
async function addWebhook(): Promise<{ id: string; secret: string }> {
  const input = { url, events: ["version.published"] };
  const { body } = await as.user(author).post(`/api/project/${project.id}/webhooks`, input);
  return { id: body.webhook.id, secret: body.secret };
}

async function turnOn(userId: string): Promise<string> {
  const setter = { userId, sessionId: "session" };
  const key = await write(resources, actor, (tx) => beginTotp(tx, setter));
  await write(resources, actor, (tx) => confirmTotp(tx, setter, codeOf(key)));
  return key;
}

const codeOf = (key: string) => new TOTP({ secret: key }).generate({ timestamp: clock.now() });

const smtpUrl = "smtp://mods:hunter2@mail.example.org:587";
async function storeSetting(keys = vault): Promise<void> {
  const row = {
    name: "MODSHELF_SMTP_URL",
    secret: keys.seal(smtpUrl, aboutSetting("MODSHELF_SMTP_URL")),
    date_updated: 0,
  };
  await db.deleteFrom("sealed_settings").execute();
  await db.insertInto("sealed_settings").values(row).execute();
}

const listStored = async () => [
  ...(await db.selectFrom("totp_secrets").select("secret").execute()).map(({ secret }) => secret),
  ...(await db.selectFrom("webhooks").select(["secret", "old_secret", "url"]).execute()).flatMap((row) => [
    row.secret,
    row.url,
    row.old_secret ?? row.secret,
  ]),
];

test("secrets and addresses of webhooks and keys of authenticator apps are sealed as they are stored", async () => {
  const hook = await addWebhook();
  const rotated = await as.user(author).post(`/api/webhook/${hook.id}/secret`, {});
  const key = await turnOn((await make.user()).id);
  expect(rotated.body.secret).toMatch(/^whsec_/);
  const stored = await listStored();
  expect(stored).toHaveLength(4);
  for (const text of stored) {
    expect(text.startsWith(vault.prefix)).toBe(true);
    for (const plain of [hook.secret, rotated.body.secret, key, "receiver.example.org"])
      expect(text).not.toContain(plain);
  }
});

test("a value stored before there was a key is sealed at the next start, and keeps working", async () => {
  const hook = await addWebhook();
  const user = await make.user();
  const key = await turnOn(user.id);
  await db.updateTable("webhooks").set({ secret: hook.secret, url }).where("id", "=", hook.id).execute();
  await db.updateTable("totp_secrets").set({ secret: key, last_step: 0 }).where("user_id", "=", user.id).execute();
  expect(await settleSecrets(resources, actor)).toBe(true);
  expect((await listStored()).filter((text) => !text.startsWith(vault.prefix))).toEqual([]);
  const row = await db.selectFrom("webhooks").selectAll().where("id", "=", hook.id).executeTakeFirstOrThrow();
  expect(readSecret(vault, row)).toBe(hook.secret);
  expect(readUrl(vault, row)).toBe(url);
  expect(await write(resources, actor, (tx) => takeCode(tx, user.id, codeOf(key)))).toBe(true);
});

test("a new key before the old one seals everything again, after which the old one may go", async () => {
  const oldKeys = createVault([systemRandom.bytes(32)], systemRandom);
  expect(await findKeyId(db)).toBe(vault.keyId);
  // A server with another key alone is turned away, and changes nothing.
  const before = await listStored();
  expect(await settleSecrets({ ...resources, vault: oldKeys }, actor)).toBe(false);
  expect(await listStored()).toEqual(before);
  expect((await listUnreadable(db, oldKeys)).webhooks.length).toBeGreaterThan(0);
});

test("a new key before the old one seals settings of the website again", async () => {
  await storeSetting();
  const [old] = findKeys(resources.config.dataDir)!;
  const added = systemRandom.bytes(32);
  const alone = createVault([added], systemRandom);
  expect((await listUnreadable(db, alone)).settings).toEqual(["MODSHELF_SMTP_URL"]);
  expect(await settleSecrets({ ...resources, vault: createVault([added, old!], systemRandom) }, actor)).toBe(true);
  const [row] = await listWebSettings(db);
  expect([openSetting(alone, row!), openSetting(vault, row!)]).toEqual([smtpUrl, undefined]);
  expect(await settleSecrets({ ...resources, vault: createVault([old!, added], systemRandom) }, actor)).toBe(true);
});

test("a lost key costs second factors, and secrets and addresses of webhooks, only when the operator says so", async () => {
  const user = await make.user();
  await turnOn(user.id);
  const hook = await addWebhook();
  const fresh = createVault([systemRandom.bytes(32)], systemRandom);
  const unreadable = await listUnreadable(db, fresh);
  expect(unreadable.users).toContain(user.id);
  expect(unreadable.webhooks).toContain(hook.id);
  expect(await hasSecondFactor(db, user.id)).toBe(true);

  // A server with the wrong key refuses the code instead of letting the user in without one.
  const other = { ...resources, vault: fresh };
  await expect(write(other, actor, (tx) => takeCode(tx, user.id, "123456"))).rejects.toMatchObject({
    code: "secretUnreadable",
  });
  await write(other, actor, (tx) => forgetUnreadable(tx, fresh, unreadable));
  expect(await hasSecondFactor(db, user.id)).toBe(false);
  expect(await listUnreadable(db, fresh)).toEqual({ users: [], webhooks: [], settings: [] });
  expect(await db.selectFrom("sealed_settings").select("name").execute()).toEqual([]);
  const row = await db.selectFrom("webhooks").selectAll().where("id", "=", hook.id).executeTakeFirstOrThrow();
  expect([row.enabled, fresh.open(row.secret, `webhooks ${hook.id}`)]).toEqual([0, expect.stringMatching(/^whsec_/)]);
  expect(readUrl(fresh, row)).toBe("https://address-lost.invalid/");
  expect(await settleSecrets(other, actor)).toBe(true);
});
