// All commands, in the order of the help.

import { host } from "#shelf/commands/host.js";
import { install } from "#shelf/commands/install.js";
import { list } from "#shelf/commands/list.js";
import { remove } from "#shelf/commands/remove.js";
import { undo } from "#shelf/commands/undo.js";
import { outdated, update } from "#shelf/commands/update.js";
import { identify, verify } from "#shelf/commands/verify.js";
import type { Command } from "./command.js";

export const commands: readonly Command[] = [
  ...[install, update, outdated, list, remove, verify, identify, undo],
  host,
];
