// Some tests try everything with everything. `npm test` tries a sample that meets each route and each case at least once;
// `npm run test:long` tries them all.
export const isLong = process.env.TEST_LONG === "1";

/** One of `step` of them, a different one for each turn: `step` turns together meet all. All of them in the long run. */
export const sampleOf = <T>(all: readonly T[], { step, turn }: { step: number; turn: number }): readonly T[] =>
  isLong ? all : all.filter((_, at) => at % step === turn % step);

/** For rules that no database takes part in: all on SQLite, a sample on PostgreSQL. */
export const sampleForEngine = <T>(all: readonly T[]): readonly T[] =>
  process.env.TEST_ENGINE === "postgres" ? sampleOf(all, { step: 8, turn: 0 }) : all;
