// `shelf host`: the registries that the user works with.
import { toHost } from "#shelf/accounts.js";
import { usageFailure } from "#shelf/arguments.js";
import { defineCommand } from "#shelf/command.js";
import { toTable } from "#shelf/terminal.js";

const usage = "list | use URL";

export const host = defineCommand({
  name: "host",
  usage,
  summary: "List the registries you are signed in to, or choose the one to use.",
  options: {},
  words: [1, 2],
  async run({ words: [what, address], accounts }) {
    if (what === "use" && address !== undefined) {
      const chosen = toHost(address);
      await accounts.change((stored) => {
        stored.host = chosen;
      });
      return { data: { host: chosen }, lines: [`shelf uses ${chosen} from now on.`] };
    }
    if (what !== "list" || address !== undefined)
      throw usageFailure({ name: "host", usage }, "This is not a use of the command.");
    const { host: current, accounts: known } = await accounts.read();
    const all = [...new Set([...(current ? [current] : []), ...Object.keys(known)])].map((url) => ({
      ...{ url, isCurrent: url === current, userName: known[url]?.userName ?? null },
    }));
    return {
      data: all,
      lines: toTable(
        all.map(({ url, isCurrent, userName }) => [isCurrent ? "*" : " ", url, userName ?? "not signed in"]),
      ),
    };
  },
});
