// Makes the data of a server ready before it answers: the schema, the taxonomy, and the administrator that the
// environment names.
import { hashPassword } from "#accounts/users/passwords.js";
import { hasAdmin } from "#accounts/users/read.js";
import { createAccount } from "#accounts/users/write.js";
import type { Config } from "#config/config.js";
import { installTaxonomy } from "#content/taxonomy/write.js";
import { settleSecrets } from "#operations/secrets/rows.js";
import { write } from "#platform/changes/write.js";
import { Failure } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { CommandFailure, exitCodes } from "./command.js";
import { migrateOrExplain } from "./instance.js";
import { explainKey, refuseDamaged, waitForDatabase } from "./startup-errors.js";

/** The actor of everything that the start of a server does. */
export const byServer = { credential: "server start" };

export async function prepareData(resources: Resources): Promise<void> {
  const { config, db, log } = resources;
  for (const warning of config.warnings) log.warn(warning);
  await refuseDamaged(resources);
  await waitForDatabase(resources);
  const run = await migrateOrExplain(resources);
  if (run.length > 0) log.info({ migrations: run }, "The database is up to date");
  if (!(await settleSecrets(resources, byServer))) throw new CommandFailure(await explainKey(resources));
  if (await installTaxonomy(resources, config.taxonomyFile))
    log.info({ source: config.taxonomyFile ?? "default" }, "The taxonomy is in force");
  if (config.admin && !(await hasAdmin(db))) await createAdmin(resources, config.admin);
}

async function createAdmin(resources: Resources, admin: NonNullable<Config["admin"]>): Promise<void> {
  const { userName, email } = admin;
  const passwordHash = await hashPassword(admin.password, resources.random);
  try {
    await write(resources, byServer, (tx) =>
      createAccount(tx, { userName, email, emailVerified: true, passwordHash, role: "admin" }),
    );
    resources.log.info({ userName }, "The administrator from the settings is made");
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // Another node, started at the same time, was faster.
    if (await hasAdmin(resources.db)) return;
    const name = error.code === "emailTaken" ? "MODSHELF_ADMIN_EMAIL" : "MODSHELF_ADMIN_USER";
    throw new CommandFailure(`${name}: The first administrator cannot be made. ${error.message}`, exitCodes.config);
  }
}
