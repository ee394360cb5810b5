// All settings as a config file that another server can be started with.
import { type DescribedSetting, settings } from "#config/config.js";

/** Settings of this machine are included; the reader decides what to keep. */
export function toConfigFile(described: readonly DescribedSetting[]): string {
  const values = new Map(described.map((each) => [each.name, each]));
  const groups = Map.groupBy(settings, ({ group }) => group);
  const lines = [...groups].flatMap(([group, members]) => {
    const given = members.flatMap(({ name, secret }) => {
      const { value, source } = values.get(name) ?? { value: "", source: "default" };
      if (source === "default" || name === "MODSHELF_CONFIG_FILE") return [];
      return secret ? [`# ${name} is a secret and is not exported`] : [`${name}=${quoted(value)}`];
    });
    return given.length === 0 ? [] : ["", `# ${group}`, ...given];
  });
  return `${["# Settings of this Modshelf; see docs/configuration.md", ...lines].join("\n")}\n`;
}

/** Uses a quote that is not in the value. Values have no line breaks, and the parser knows no escapes. */
function quoted(value: string): string {
  if (/^[\w./:@+-]+$/.test(value)) return value;
  const quote = ['"', "'", "`"].find((each) => !value.includes(each)) ?? '"';
  return `${quote}${value}${quote}`;
}
