// `shelf whoami`: the account that is signed in.
import { defineCommand } from "#shelf/command.js";

export const whoami = defineCommand({
  name: "whoami",
  usage: "[--host URL]",
  summary: "Show the account that is signed in.",
  options: {},
  words: [0, 0],
  async run({ host, registry, signal }) {
    const { id, userName, name, role } = await registry.users.me({ signal });
    return { data: { host, id, userName, name, role }, lines: [`${userName} on ${host}`] };
  },
});
