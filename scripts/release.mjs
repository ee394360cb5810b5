// `npm run release -- VERSION [--dry-run]`: gives every package the version, makes the top section of the changelog the notes
// of the release, and puts tarballs, checksums, a bill of materials and the notes into ./release. It publishes nothing.
import { enter } from "./enter.mjs";

enter(async () => {
  const { readFileSync, writeFileSync } = await import("node:fs");
  const { join } = await import("node:path");
  const { root } = await import("./files.mjs");
  const { Failure, run, say } = await import("./process.mjs");
  const { planRelease } = await import("./release-plan.mjs");
  const words = process.argv.slice(2);
  const isDry = words.includes("--dry-run");
  const [version, ...more] = words.filter((word) => word !== "--dry-run");
  if (!version || more.length > 0) throw new Failure("Usage: npm run release -- VERSION [--dry-run]");
  const read = (path) => readFileSync(join(root, path), "utf8");
  const { texts, notes } = planRelease(read, version, new Date().toISOString().slice(0, 10));
  const changed = [...texts].filter(([path, text]) => read(path) !== text);
  if (isDry) {
    say(`Version ${version} would change ${changed.map(([path]) => path).join(", ")} and fill ./release. Its notes:`);
    process.stdout.write(notes);
    return;
  }
  const chunks = [];
  const status = await run("git", ["status", "--porcelain"], { cwd: root, onOutput: (chunk) => chunks.push(chunk) });
  if (status.code !== 0 || chunks.length > 0)
    throw new Failure('Commit all changes first: then "git restore ." takes a failed release back.');
  for (const [path, text] of changed) writeFileSync(join(root, path), text);
  const { makeArtifacts } = await import("./release-artifacts.mjs");
  await makeArtifacts(join(root, "release"), notes);
  say(
    `./release is complete. Run "npm run docs" and the tests, commit "Release ${version}", tag it v${version}, and publish (CONTRIBUTING.md).`,
  );
});
