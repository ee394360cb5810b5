// What a build of GitHub Actions learns: outputs for later steps, and a summary on its page. Every value is escaped.
import { randomBytes } from "node:crypto";
import { appendFile } from "node:fs/promises";
import type { Context } from "#shelf/command.js";

/** Nothing outside of a build. */
export async function reportToBuild(
  env: Context["env"],
  outputs: Readonly<Record<string, string>>,
  title: string,
  rows: readonly (readonly [name: string, value: string])[],
): Promise<void> {
  if (env.GITHUB_OUTPUT) await appendFile(env.GITHUB_OUTPUT, Object.entries(outputs).map(toOutput).join(""));
  if (env.GITHUB_STEP_SUMMARY)
    await appendFile(
      env.GITHUB_STEP_SUMMARY,
      `### ${toCell(title)}\n\n| | |\n|---|---|\n${rows.map((row) => `| ${row.map(toCell).join(" | ")} |\n`).join("")}\n`,
    );
}

/** No value can contain a delimiter that was chosen after it. */
const toOutput = ([name, value]: [string, string]): string => {
  const delimiter = `end_${randomBytes(16).toString("hex")}`;
  return `${name}<<${delimiter}\n${value}\n${delimiter}\n`;
};

/** Plain text in a table: no HTML, no Markdown, one line. Addresses stay links. */
const toCell = (text: string): string =>
  /^https?:\/\/[\w.:/%~+-]+$/.test(text)
    ? text
    : text.replace(/\s+/g, " ").replace(/[\\`*_{}[\]<>()#+!|&~@:/-]/g, (mark) => `&#${mark.charCodeAt(0)};`);
