// The table of the replay of a week, on the screen and in RESULTS-week.md.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";

const path = fileURLToPath(new URL("../RESULTS-week.md", import.meta.url));
const whole = (value) => Math.round(value).toLocaleString("en");
const intro = `# A week of downloads

Made by \`npm run bench -- --week\`: see bench/week/traffic.mjs for all distributions. The downloads of a large site in a week, at a fraction of
its scale, go through the server's own counter on a clock that runs ahead. A batch is as large as one of the whole site; there are as many
fewer of them. At the end of each day the sums of versions, projects, days and the site are compared with the rule that decides which
downloads count. The CPU time is that of the counter and the database.
`;

export function report({ days, players }, { engine, downloads, scale, projects, versions, write }) {
  const rows = days.map((day, at) => [
    ...[at + 1, whole(day.noted), whole(day.counted), whole(day.distinct)],
    ...[((1e6 * day.cpuSeconds) / day.noted).toFixed(0), whole(day.mostRecent), whole(day.dayRows)],
  ]);
  const heads = [
    "day",
    "downloads",
    "counted so far",
    "different versions so far",
    "µs of CPU time per download",
  ].concat([...["most rows of recent clients", "new rows of daily sums so far"]]);
  const table = [heads, heads.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
  const revision = execFileSync("git", ["rev-parse", "--short=8", "HEAD"], { encoding: "utf8" }).trim();
  const title = `## ${engine}, ${whole(Number(projects))} projects, 1/${scale}`;
  const text = `${title}

At ${revision}, on ${cpus().length} × ${cpus()[0].model || "ARM"}, Node ${process.versions.node}; ${whole(versions)} versions, ${whole(downloads)} downloads of ${whole(players)} players.

${table}
`;
  console.log(`\n${text}`);
  if (write !== "yes") return;
  const sections = existsSync(path)
    ? readFileSync(path, "utf8")
        .split(/^(?=## )/m)
        .slice(1)
    : [];
  const others = sections
    .filter((section) => !section.startsWith(`${title}\n`))
    .map((section) => `${section.trim()}\n`);
  writeFileSync(path, [intro, ...others, text].join("\n"));
}
