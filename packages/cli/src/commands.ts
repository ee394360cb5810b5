// All commands, in the order of the help.

import { host } from "#shelf/commands/host.js";
import { init } from "#shelf/commands/init.js";
import { project } from "#shelf/commands/project.js";
import { publish } from "#shelf/commands/publish.js";
import { version } from "#shelf/commands/version.js";
import type { Command } from "./command.js";

export const commands: readonly Command[] = [publish, init, version, project, host];
