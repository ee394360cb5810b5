// The vault of this installation: its keys come from the setting or from the key file in the data folder.
import type { Config } from "#config/config.js";
import { findKeys, findOrMakeKeys } from "#lib/key-file.js";
import type { Random } from "#lib/random.js";
import { createVault, type Vault } from "./vault.js";

type Keys = Pick<Config, "dataDir" | "secretKeys">;

/** Creates the key file if neither it nor the setting exists. */
export const openVault = ({ dataDir, secretKeys }: Keys, random: Random): Vault =>
  createVault(secretKeys ?? findOrMakeKeys(dataDir, random), random);

/** Creates nothing. */
export function findVault({ dataDir, secretKeys }: Keys, random: Random): Vault | undefined {
  const keys = secretKeys ?? findKeys(dataDir);
  return keys && createVault(keys, random);
}
