// `modshelf config check`: prints the settings and their sources, then every problem, without starting anything.

import { type DescribedSetting, describeConfig, readConfig } from "#config/config.js";
import { findTaxonomyFault } from "#operations/checkup/taxonomy-file.js";
import { type Call, CommandFailure, exitCodes } from "./command.js";

export async function checkConfig({ flags }: Call): Promise<number> {
  const settings = describeConfig();
  console.log(flags.has("--json") ? JSON.stringify(settings, null, 2) : renderSettings(settings));
  // Throws all problems together; main.ts prints them.
  const config = readConfig();
  for (const warning of config.warnings) console.error(`Warning: ${warning}`);
  const fault = findTaxonomyFault(config.taxonomyFile);
  if (fault) throw new CommandFailure(fault, exitCodes.config);
  console.error("The configuration is good.");
  return exitCodes.ok;
}

function renderSettings(settings: readonly DescribedSetting[]): string {
  const nameWidth = Math.max(...settings.map(({ name }) => name.length));
  const sourceWidth = "environment".length;
  return settings
    .map(({ name, value, source }) => `${name.padEnd(nameWidth)}  ${source.padEnd(sourceWidth)}  ${value}`.trimEnd())
    .join("\n");
}
