// Projects that are being prepared. Everything that asks for a project at the same time waits for the same result. If a
// change of the project arrives before it is there, the rows may have been read too early, and it is prepared again.
import type { FiguresChange } from "#content/records/figures.js";
import type { PreparedProject } from "#content/records/prepared-project.js";
import type { Prepared } from "#content/records/preparing-tasks.js";

/** A project that changes faster than it can be prepared is refused after this many tries. */
const mostTries = 10;

interface Build {
  promise: Promise<PreparedProject | undefined>;
  resolve(project: PreparedProject | undefined): void;
  reject(error: unknown): void;
  /** A change has arrived since the rows were read. */
  isDirty: boolean;
  /** Figures that have changed since then. */
  figures: FiguresChange[];
}

export interface BuildSteps {
  prepare(ids: readonly string[]): Promise<(Prepared | undefined)[]>;
  /** The result is used; it is undefined if the project is not public. */
  finish(id: string, made: Prepared | undefined): PreparedProject | undefined;
  /** The result is not used, but it may have been stored. */
  disown(id: string): void;
  /** They have changed since the rows were read. */
  figuresChanged(figures: readonly FiguresChange[]): void;
}

export class ProjectBuilds {
  readonly #steps: BuildSteps;
  readonly #running = new Map<string, Build>();

  constructor(steps: BuildSteps) {
    this.#steps = steps;
  }

  /** Prepares the project with others that are requested at the same time; undefined if it is not public. */
  async wait(ids: readonly string[]): Promise<(PreparedProject | undefined)[]> {
    const started = new Set(ids.filter((id) => !this.#running.has(id)));
    if (started.size > 0) this.#start([...started]);
    return Promise.all(ids.map((id) => this.#running.get(id)!.promise));
  }

  /** A change of the project has arrived, or one that may concern all projects. */
  setDirty(id?: string): void {
    const builds = id === undefined ? this.#running.values() : [this.#running.get(id)];
    for (const build of builds) if (build) build.isDirty = true;
  }

  noteFigures(figures: FiguresChange): void {
    this.#running.get(figures.projectId)?.figures.push(figures);
  }

  #start(ids: readonly string[]): void {
    for (const id of ids) {
      const { promise, resolve, reject } = Promise.withResolvers<PreparedProject | undefined>();
      promise.catch(() => undefined);
      this.#running.set(id, { promise, resolve, reject, isDirty: false, figures: [] });
    }
    void this.#run(ids);
  }

  async #run(ids: readonly string[]): Promise<void> {
    let left = ids;
    let failure: unknown = new Error("The projects change faster than they can be prepared");
    try {
      for (let tries = 0; left.length > 0 && tries < mostTries; tries++) {
        const builds = left.map((id) => this.#running.get(id)!);
        for (const build of builds) Object.assign(build, { isDirty: false, figures: [] });
        const made = await this.#steps.prepare(left);
        left = left.filter((id, index) => {
          const build = builds[index]!;
          if (build.isDirty) this.#steps.disown(id);
          else this.#finish(id, build, made[index]);
          return build.isDirty;
        });
      }
    } catch (error) {
      failure = error;
    }
    for (const id of left) {
      this.#running.get(id)?.reject(failure);
      this.#running.delete(id);
    }
  }

  #finish(id: string, build: Build, made: Prepared | undefined): void {
    build.resolve(this.#steps.finish(id, made));
    this.#running.delete(id);
    if (build.figures.length > 0) this.#steps.figuresChanged(build.figures);
  }
}
