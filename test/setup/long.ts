// Some tests try every combination. `npm test` tries a sample that covers each route and each case at least once; `npm
// run test:long` tries all combinations.
export const isLong = process.env.TEST_LONG === "1";

/** Every `step`-th item, different ones for each turn: `step` turns together cover all. All items in the long run. */
export const sampleOf = <T>(all: readonly T[], { step, turn }: { step: number; turn: number }): readonly T[] =>
  isLong ? all : all.filter((_, at) => at % step === turn % step);

/** For rules that do not depend on the database: all on SQLite, every `step`-th item on PostgreSQL. */
export const sampleForEngine = <T>(all: readonly T[], { step = 8 } = {}): readonly T[] =>
  process.env.TEST_ENGINE === "postgres" ? sampleOf(all, { step, turn: 0 }) : all;
