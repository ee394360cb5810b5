// All commands, in the order of the help.
import { completion } from "#shelf/commands/completion.js";
import { download } from "#shelf/commands/download.js";
import { exportCommand } from "#shelf/commands/export.js";
import { host } from "#shelf/commands/host.js";
import { info } from "#shelf/commands/info.js";
import { init } from "#shelf/commands/init.js";
import { install } from "#shelf/commands/install.js";
import { list } from "#shelf/commands/list.js";
import { login } from "#shelf/commands/login.js";
import { logout } from "#shelf/commands/logout.js";
import { project } from "#shelf/commands/project.js";
import { publish } from "#shelf/commands/publish.js";
import { remove } from "#shelf/commands/remove.js";
import { search } from "#shelf/commands/search.js";
import { undo } from "#shelf/commands/undo.js";
import { outdated, update } from "#shelf/commands/update.js";
import { identify, verify } from "#shelf/commands/verify.js";
import { version } from "#shelf/commands/version.js";
import { whoami } from "#shelf/commands/whoami.js";
import type { Command } from "./command.js";

export const commands: readonly Command[] = [
  ...[search, info, download],
  ...[install, update, outdated, list, remove, verify, identify, undo, exportCommand],
  ...[publish, init, version, project],
  ...[login, logout, whoami, host],
  completion,
];
