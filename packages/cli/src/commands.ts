// All commands, in the order of the help.

import { host } from "#shelf/commands/host.js";
import { publish } from "#shelf/commands/publish.js";
import type { Command } from "./command.js";

export const commands: readonly Command[] = [host, publish];
