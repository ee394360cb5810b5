// Two projects, one per database engine: every behaviour is proven on both. What has no database runs once, in "pure".
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const engine = (name: "sqlite" | "postgres") => ({
  extends: true as const,
  test: {
    name,
    include: ["server/src/**/*.test.ts", "test/api/**/*.test.ts", "test/conformance/**/*.test.ts"],
    exclude: ["server/src/**/*.pure.test.ts"],
    globalSetup: name === "postgres" ? ["test/setup/postgres.ts"] : [],
    env: { TEST_ENGINE: name },
  },
});

export default defineConfig({
  test: {
    // Files share the modules of their worker: Ajv validators and Fastify are loaded once, not once a file.
    isolate: false,
    pool: "forks",
    // One core is not kept free for the test runner itself: it has little to do.
    maxWorkers: availableParallelism(),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    setupFiles: ["test/setup/matchers.ts"],
    reporters: ["default"],
    projects: [
      engine("sqlite"),
      engine("postgres"),
      {
        extends: true,
        test: {
          name: "pure",
          include: ["server/src/**/*.pure.test.ts", "test/laws/**/*.test.ts", "test/process/**/*.test.ts"],
        },
      },
    ],
  },
});
