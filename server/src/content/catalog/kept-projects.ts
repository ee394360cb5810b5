// Prepared projects in memory, by the slot of their record: those that were used last, within the budget.

import type { PreparedProject } from "#content/records/prepared-project.js";
import type { RecordSource } from "#content/records/record-source.js";
import type { Cache } from "#platform/changes/cache.js";
import type { Resources } from "#platform/http/resources.js";

/** The memory of the objects of a project, besides its bytes. */
const objectBytes = 600;

export class KeptProjects {
  readonly #cache: Cache<PreparedProject, number>;

  constructor({ memory }: Pick<Resources, "memory">) {
    this.#cache = memory.createCache({ name: "prepared" });
  }

  get(slot: number): PreparedProject | undefined {
    return this.#cache.get(slot);
  }

  keep(slot: number, project: PreparedProject): PreparedProject {
    this.#cache.set(slot, project, objectBytes + project.bytes);
    return project;
  }

  /** The project of this record holds so many bytes now. */
  update(slot: number, record: RecordSource): void {
    const project = this.#cache.get(slot);
    if (project?.source === record) this.keep(slot, project);
  }

  delete(slot: number): void {
    this.#cache.delete(slot);
  }
}
