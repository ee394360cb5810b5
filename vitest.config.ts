// Two projects, one per database engine: every behaviour is proven on both. Tests without a database run once, in "pure";
// pages in a real browser are looked at once, in "browser".
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { canBrowse } from "#test/setup/chromium.js";
import { removeLeftFolders } from "#test/setup/data-folder.js";

/** Where the engine makes no difference: what happens before a request reaches its route, and what is made of its answer. */
const sqliteOnly = [
  // Pages show what the features' own functions read and write, which are tested on both engines.
  "server/src/web/**",
  // The demo is created through the API, which is tested on both engines.
  "server/src/operations/demo/**",
  "server/src/platform/http/{answers,arrival,broken-requests,connections,content-host}.test.ts",
  "server/src/platform/http/{cookies,cross-origin,final-slash,hot-path,staged-form,stop,watchdog}.test.ts",
  "test/api/{raw-fuzz,reference,responses}.test.ts",
];

process.once("exit", removeLeftFolders);

const quickPasswords = "test/setup/quick-passwords.ts";

const engine = (name: "sqlite" | "postgres") => ({
  extends: true as const,
  test: {
    name,
    include: ["server/src/**/*.test.ts", "test/api/**/*.test.ts", "test/conformance/**/*.test.ts"],
    exclude: ["server/src/**/*.pure.test.{ts,tsx}", ...(name === "postgres" ? sqliteOnly : [])],
    globalSetup: name === "postgres" ? ["test/setup/postgres.ts"] : [],
    setupFiles: [quickPasswords],
    env: { TEST_ENGINE: name },
  },
});

/** Every flow and page in a real browser takes a quarter of an hour: `npm run test:pages`. */
const isFull = process.env.PAGES === "full";
const someOfBrowser = ["first-run", "markdown-safety", "quality"];

const browser = {
  extends: true as const,
  test: {
    name: "browser",
    include: isFull ? ["test/browser/**/*.test.ts"] : someOfBrowser.map((name) => `test/browser/${name}.test.ts`),
    globalSetup: ["test/setup/chromium.ts"],
    setupFiles: [quickPasswords],
    env: { TEST_ENGINE: "sqlite" },
  },
};

/** Writes the examples of the API reference: `npm run docs`. */
const examples = {
  extends: true as const,
  test: { name: "examples", include: ["test/examples/**/*.test.ts"], env: { TEST_ENGINE: "sqlite" } },
};

/**
 * Where there are no times of an earlier run, large files start first. These are long for their size: they start before
 * the others of their project, so that all workers end at about the same time.
 */
const longForTheirSize = /\/(?:stalled|watchdog|figures|trouble|same-answers|worked-example)\.test\.ts$/;

class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const projects = Map.groupBy(await super.sort(files), ({ project }) => project.name);
    const isShort = ({ moduleId }: TestSpecification) => Number(!longForTheirSize.test(moduleId));
    return [...projects.values()].flatMap((specs) => specs.toSorted((a, b) => isShort(a) - isShort(b)));
  }
}

/** The command line names the client as its users do. */
const clientFile = (name: string): string => join(import.meta.dirname, "packages/client/src", name);

export default defineConfig({
  resolve: { alias: { "modshelf-client/node": clientFile("node.ts"), "modshelf-client": clientFile("entry.ts") } },
  // As the build does, which reads tsconfig.json: there is no second runtime for development.
  oxc: { jsx: { runtime: "automatic", importSource: "#jsx", development: false } },
  test: {
    // Files share the modules of their worker: Ajv validators and Fastify are loaded once, not once a file.
    isolate: false,
    pool: "forks",
    // Objects of most tests are short-lived: with more room for them they are collected less often, which saves 4 % of the CPU.
    execArgv: ["--max-semi-space-size=64"],
    // More than there are cores: tests of crashing and starting programs wait most of their time.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongFilesFirst },
    // Only against tests that never end: no test may depend on how quick the machine is.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000, interval: 50 } },
    setupFiles: ["test/setup/matchers.ts", "test/setup/sizes.ts"],
    reporters: ["default"],
    projects: [
      engine("sqlite"),
      engine("postgres"),
      ...(isFull || canBrowse() ? [browser] : []),
      ...(process.env.EXAMPLES === "write" ? [examples] : []),
      {
        extends: true,
        test: {
          name: "pure",
          include: [
            "server/src/**/*.pure.test.{ts,tsx}",
            "test/laws/**/*.test.ts",
            "test/client/**/*.test.ts",
            "test/cli/**/*.test.ts",
            "test/process/**/*.test.ts",
            "test/adversary/**/*.test.ts",
          ],
        },
      },
    ],
  },
});
