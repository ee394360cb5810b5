// The tables of the living benchmark, on the screen and in RESULTS.md.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { kindNames, traffic } from "./parameters.mjs";

const path = fileURLToPath(new URL("../RESULTS.md", import.meta.url));
export const table = (rows) =>
  [rows[0], rows[0].map(() => "---"), ...rows.slice(1)].map((row) => `| ${row.join(" | ")} |`).join("\n");
export const ms = (value) => (value < 10 ? value.toFixed(2) : value.toFixed(0));
const times = ({ p50, p99, p999, max }) => [p50, p99, p999, max].map(ms);
export const whole = (value) => Math.round(value).toLocaleString("en");
const kibPerAnswer = (bytes, { sum }) => (bytes / sum.count / 1024).toFixed(1);
/** The median of all rounds, the lowest and the highest. */
const ratioOf = ({ ratios }) => {
  const sorted = ratios.toSorted((a, b) => a - b);
  const [median, least, most] = [sorted[Math.floor(sorted.length / 2)], sorted[0], sorted.at(-1)];
  return `${median.toFixed(3)} (${least.toFixed(3)} to ${most.toFixed(3)})`;
};

/** The commit that is measured, and the machine. */
export function describeRun() {
  const cwd = fileURLToPath(new URL(".", import.meta.url));
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd, encoding: "utf8" }).trim();
  const machine = `${cpus().length} × ${cpus()[0].model}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  return `At ${commit}, on ${machine}, Node ${process.versions.node}`;
}

export function report({ data, options, product, first, phases, kinds }) {
  const size = `${options.engine}, ${whole(data.projects)} projects`;
  const name = `${size}, Accept-Encoding ${options.encoding}, on ${cpus()[0].model}`;
  const sums = Object.entries(phases).map(([phase, figures]) => [
    ...[phase, whole(figures.sum.count), whole(figures.perSecond), whole(figures.perCpuSecond), ...times(figures.sum)],
    ...[whole(figures.ceiling.perCpuSecond), ratioOf(figures), `${figures.memory.rss} / ${figures.memory.pss}`],
    kibPerAnswer(figures.disk, figures),
  ]);
  const heads = [
    "answers",
    "per second",
    "per CPU second",
    "p50 ms",
    "p99",
    "p99.9",
    "max",
    "ceiling per CPU second",
    "ratio",
  ];
  const byKind = Object.entries(kinds).map(([kind, figures]) => [
    ...[kindNames[kind], whole(figures.sum.count), whole(figures.perSecond), whole(figures.perCpuSecond)],
    ...times(figures.sum),
    ...[whole(figures.ceiling.perCpuSecond), ratioOf(figures)],
    ...[kibPerAnswer(figures.bytes, figures), kibPerAnswer(figures.disk, figures)],
  ]);
  const inMix = Object.keys(traffic.mix)
    .concat("download")
    .map((kind) => [
      kindNames[kind],
      ...Object.values(phases).flatMap((phase) => (phase.kinds[kind] ? times(phase.kinds[kind]) : ["", "", "", ""])),
    ]);
  const mixHeads = Object.keys(phases).flatMap((phase) => [`${phase} p50 ms`, "p99", "p99.9", "max"]);
  const { published } = phases.living ?? {};
  const pauses = Object.entries(phases).map(([phase, { heldUpMs }]) => `${ms(heldUpMs)} ms in ${phase} traffic`);
  const heldUp = pauses.length > 0 ? `The longest pause of the load generator itself: ${pauses.join(", ")}.\n` : "";
  const text = `## ${name}

${describeRun()}; seed ${options.seed}; ${whole(data.versions)} versions; ${options.rounds} rounds.
Rows were generated in ${data.rowSeconds.toFixed(1)} s (${whole(data.versions / data.rowSeconds)} versions a second), the search index was built in ${data.searchSeconds.toFixed(1)} s.
Ready after ${product.readySeconds.toFixed(1)} s (${product.startCpu.toFixed(1)} s of CPU until idle); idle memory ${product.idle.rss} MiB (proportional ${product.idle.pss}).
${published ? `Published ${published.count} versions: p50 ${ms(published.p50)} ms, p99 ${ms(published.p99)} ms; ${published.missed} were left out because too many were under way.\n` : ""}
${first ? `The first ${Math.round(first.elapsed)} s of living traffic after the start: ${whole(first.perCpuSecond)} answers per CPU second, p99 ${ms(first.sum.p99)} ms.\n` : ""}
${heldUp}
${sums.length > 0 ? table([["phase", ...heads, "memory RSS / PSS MiB", "KiB from disk per answer"], ...sums]) : ""}

Each kind of question by itself:

${table([["kind", ...heads, "KiB per answer", "KiB from disk"], ...byKind])}
${sums.length > 0 ? `\nTimes of each kind within the traffic:\n\n${table([["kind", ...mixHeads], ...inMix])}\n` : ""}`;
  console.log(`\n${text}`);
  if (options.write === "yes" && !options.only) save({ path, opening, name, text });
}

const opening = `# Living traffic

Made by \`npm run bench -- --life\`: see bench/life/parameters.mjs for all distributions. The ceiling is a bare \`node:http\` server that has
each of these very answers ready in the same encoding; it sends files as \`fs\` streams and publishes nothing. The CPU time is that of all processes of the server,
with PostgreSQL. The speed of shared machines changes within minutes, so that each phase has several rounds: in each, the ceiling answers the questions of the server
right after it. The ratio is that of the median round, with the lowest and the highest of all. Tables that do not name the rounds are older: they had one, and the ceiling
came some minutes later. Work after the last answer of a round is not in the CPU time: the server counts downloads every three seconds, so that up to half
of those in the row of downloads, whose rounds take six seconds, are counted later. The phases follow some living traffic, because after a start no code is compiled yet; its figures are in a line of their own.
All connections are open before a phase begins, and the system has the prepared answers in its memory (unless \`--in-memory no\`
was given). Tables that do not say how much came from the disk are older, and neither was so for them; those without the line about the first
seconds followed three seconds of quiet traffic. Tables that do not say how long the load generator paused are older too: single long answers
in them may be pauses of the generator, in which its garbage was collected. Ratios on different processors cannot be compared: the bare server
mostly calls the system, and ours mostly reads memory at arbitrary places, so that a processor with quicker calls has a higher ceiling.
Client, server and ceiling share the machine: answers per CPU second and the ratio are meaningful, times and answers per second are not.
Single routes that are in memory: [RESULTS-routes.md](RESULTS-routes.md). Searches: [RESULTS-search.md](RESULTS-search.md). An hour of living
traffic: [RESULTS-hour.md](RESULTS-hour.md).
`;

/** By engine, then by the number of projects. */
const inOrder = (a, b) => a.replaceAll(",", "").localeCompare(b.replaceAll(",", ""), "en", { numeric: true });

/** Replaces the section with the same name. */
export function save({ path, opening, name, text }) {
  const old = existsSync(path)
    ? readFileSync(path, "utf8")
        .split(/^(?=## )/m)
        .slice(1)
    : [];
  const others = old.filter((section) => !section.startsWith(`## ${name}\n`)).map((section) => section.trimEnd());
  writeFileSync(path, `${[opening.trimEnd(), ...[...others, text.trimEnd()].sort(inOrder)].join("\n\n")}\n`);
}
