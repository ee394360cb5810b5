// The table of a long run of living traffic, on the screen and in RESULTS-hour.md: whether memory and cost stay as they are.
import { fileURLToPath } from "node:url";
import { kindNames, slowMs, traffic } from "./parameters.mjs";
import { describeRun, ms, save, table, whole } from "./report.mjs";

const path = fileURLToPath(new URL("../RESULTS-hour.md", import.meta.url));

const opening = `# An hour of living traffic

Made by \`npm run bench -- --life --projects 124000 --encoding gzip --minutes 60\` (and 20): the living traffic of [RESULTS.md](RESULTS.md) without a pause and without
a warm-up, with ever new questions, downloads from ever new addresses and publications. Each question is drawn when a connection is free. Memory is that of the
server and its child processes, sampled every two seconds; the proportional set size (PSS) counts memory that processes share once. Objects, buffers and caches are
what the server itself reports at the end of the interval. In tables without a column about the load generator, the longest answer of an interval may be a
pause of the load generator itself: it sorted the times of all answers at the end of the interval before, hundreds of thousands of them. It counts them now.
`;

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const both = (values) => `${median(values)} / ${Math.max(0, ...values)}`;
const pssOf = ({ memory }) => memory.map(({ pss }) => pss);
const rssOf = ({ memory }) => memory.map(({ rss }) => rss);

/** One line for the screen, while the run goes on. */
export const describeRow = (row) =>
  `${whole(row.sum.count)} answers, ${whole(row.perCpuSecond)} per CPU second, longest ${ms(row.sum.max)} ms; PSS ${both(pssOf(row))} MiB ${JSON.stringify(row.parts)}`;

export function reportLong({ data, options, product, long: { rows, failure } }) {
  const name = `${options.engine}, ${whole(data.projects)} projects, Accept-Encoding ${options.encoding}, ${options.minutes} minutes`;
  let from = 0;
  const lines = rows.map((row) => {
    const begun = from;
    from += row.elapsed / 60;
    return [
      ...[`${begun.toFixed(1)} to ${from.toFixed(1)}`, whole(row.sum.count), whole(row.perSecond)],
      ...[whole(row.perCpuSecond), ms(row.sum.p50), ms(row.sum.p99), ms(row.sum.max), row.sum.slow],
      ...[ms(row.heldUpMs), row.published?.count ?? 0],
      ...[both(pssOf(row)), both(rssOf(row)), ...Object.values(row.parts).map(whole)],
    ];
  });
  const heads = [
    "minutes",
    "answers",
    "per second",
    "per CPU second",
    "p50 ms",
    "p99",
    "longest",
    `above ${slowMs} ms`,
    "load generator held up",
    "versions published",
  ];
  heads.push("PSS median / most MiB", "RSS median / most MiB", "objects", "buffers", "caches");
  const sum = (of) => whole(rows.reduce((total, row) => total + of(row), 0));
  const byKind = Object.entries(kindNames).flatMap(([kind, name]) => {
    const figures = rows.flatMap(({ kinds }) => kinds[kind] ?? []);
    if (figures.length === 0) return [];
    const sumOf = (part) => whole(figures.reduce((total, own) => total + own[part], 0));
    const range = (part) =>
      `${ms(Math.min(...figures.map((own) => own[part])))} to ${ms(Math.max(...figures.map((own) => own[part])))}`;
    return [[name, sumOf("count"), range("p50"), range("p99"), range("max"), sumOf("slow")]];
  });
  const halves = [rows.slice(0, rows.length / 2), rows.slice(rows.length / 2)];
  const [first, second] = halves.map((half) => median(half.flatMap(pssOf)));
  const all = rows.flatMap(pssOf);
  const over = (all.filter((pss) => pss > 512).length / Math.max(1, all.length)) * 100;
  const text = `## ${name}

${describeRun()}; seed ${options.seed}; ${whole(data.versions)} versions; ${traffic.connections} connections; ${options.publications} publications a second wanted.
${sum((row) => row.sum.count)} answers (${sum((row) => row.kinds.download?.count ?? 0)} of them downloads), ${sum((row) => row.published?.count ?? 0)} versions published, ${sum((row) => row.published?.missed ?? 0)} left out because too many were under way.
PSS: ${product.idle.pss} MiB before the traffic, median ${median(all)} and most ${Math.max(0, ...all)} under it, above 512 in ${over.toFixed(1)} % of the samples; median of the first half ${first}, of the second half ${second}.
${failure ? `The run ended before its time: ${failure}\n` : ""}
${table([heads, ...lines])}

Each kind of question, from the best to the worst of these intervals:

${table([["kind", "answers", "p50 ms", "p99", "longest", `above ${slowMs} ms`], ...byKind])}
`;
  console.log(`\n${text}`);
  if (options.write === "yes") save({ path, opening, name, text });
}
