// All commands, in the order of the help.

import { completion } from "#shelf/commands/completion.js";
import { download } from "#shelf/commands/download.js";
import { host } from "#shelf/commands/host.js";
import { info } from "#shelf/commands/info.js";
import { login } from "#shelf/commands/login.js";
import { logout } from "#shelf/commands/logout.js";
import { search } from "#shelf/commands/search.js";
import { whoami } from "#shelf/commands/whoami.js";
import type { Command } from "./command.js";

export const commands: readonly Command[] = [...[search, info, download], ...[login, logout, whoami, host], completion];
