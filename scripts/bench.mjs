// `npm run bench -- --life [--projects N --engine sqlite|postgres …]`: living traffic beside the ceiling (bench/life); `-- --files`:
// downloads and uploads (bench/files); `-- --week`: a week of downloads on a clock that runs ahead (bench/week); `-- --workers`:
// one process beside two workers (bench/workers.mjs); `-- --shelf`: the command line beside curl (bench/shelf.mjs). Without any
// of these, one route at a time: `[-- --projects=N --seconds=N --rounds=N --only=word]` (bench/run.mjs).
import { enter } from "./enter.mjs";

enter(async () => {
  const { prepare } = await import("./prepare.mjs");
  const { root } = await import("./files.mjs");
  const { run } = await import("./process.mjs");
  const args = process.argv.slice(2);
  const parts = {
    "--life": "life/run",
    "--files": "files/run",
    "--week": "week/run",
    "--workers": "workers",
    "--shelf": "shelf",
  };
  const part = Object.keys(parts).find((name) => args.includes(name));
  // PostgreSQL is one of the packages for development.
  const node = await prepare({ dev: args.includes("postgres"), built: true });
  return run(node, [`${root}/bench/${part ? parts[part] : "run"}.mjs`, ...args]);
});
