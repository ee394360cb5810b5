// Writes docs/configuration.md from the table of settings.
import { wordsIn } from "#words/languages.js";
import { defaultFile } from "./config-file.js";
import { type ListedSetting, listedSettings } from "./table.js";

const introduction = `# Configuration

<!-- Generated from the table of settings in server/src/config. Edits here are overwritten. -->

Nothing has to be set: without any setting the service listens on http://localhost:3000 and keeps its data in \`./data\`.

- Settings are environment variables. They can also be in a config file, one \`NAME=value\` per line: \`${defaultFile}\` in the
  working folder, or the file that \`MODSHELF_CONFIG_FILE\` names. Lines that start with \`#\` are comments; a value with a \`#\` or
  with spaces at its ends goes in double quotes. The environment wins over the file.
- A setting that is empty counts as unset.
- Administrators can also edit settings marked **Web** at \`/admin/settings\`; changes take effect at once. If the
  environment or the config file sets one, that value wins and the page says so.
- A **secret** may be read from a file: put its path in the same name with \`_FILE\` at the end, for example
  \`MODSHELF_ADMIN_PASSWORD_FILE=/run/secrets/admin_password\`. Line breaks at its end are dropped.
- Relative paths start at the working folder.
- Sizes are bytes, or a number with a unit: \`KB\`, \`MB\`, \`GB\` count in thousands, \`KiB\`, \`MiB\`, \`GiB\` in 1024s.
- In a default, \`<NAME>\` stands for the value of that setting.

With unknown \`MODSHELF_\` names or invalid values, the server does not start and exits with code 78. All problems are
reported at once, each with the name of its setting and what to do. Secrets are never printed.
`;

const english = wordsIn("en").settings;

export function renderDocs(): string {
  const groups = Map.groupBy(listedSettings, ({ group }) => group);
  const sections = [...groups].map(([group, members]) => `## ${english.groups[group]}\n\n${renderTable(members)}`);
  return `${[introduction, ...sections].join("\n")}`;
}

function renderTable(members: readonly ListedSetting[]): string {
  const rows = members.map((each) => `| \`${each.name}\` | ${renderDefault(each)} | ${renderMeaning(each)} |\n`);
  return `| Setting | Default | Meaning |\n|---|---|---|\n${rows.join("")}`;
}

const renderDefault = ({ default: text }: ListedSetting) => (text ? `\`${text}\`` : "");

function renderMeaning({ name, example, secret, needs, web }: ListedSetting): string {
  const parts: string[] = [english.descriptions[name]];
  if (secret) parts.push("**Secret.**");
  if (web) parts.push("**Web.**");
  if (needs) parts.push(`Needs ${needs.map((needed) => `\`${needed}\``).join(" and ")}.`);
  parts.push(`Example: \`${name}${secret ? "_FILE" : ""}=${example}\``);
  return parts.join(" ").replaceAll("|", "\\|");
}
