// A project that is being prepared.
import type { FiguresChange } from "./figures.js";
import type { PreparedProject } from "./prepared-project.js";

export interface Build {
  promise: Promise<PreparedProject | undefined>;
  resolve(project: PreparedProject | undefined): void;
  reject(error: unknown): void;
  /** A change has arrived since the rows were read. */
  isDirty: boolean;
  /** Figures that have changed since then. */
  figures: FiguresChange[];
}

export function newBuild(): Build {
  const { promise, resolve, reject } = Promise.withResolvers<PreparedProject | undefined>();
  // A failure is reported to those who wait; there may be none.
  promise.catch(() => undefined);
  return { promise, resolve, reject, isDirty: false, figures: [] };
}
