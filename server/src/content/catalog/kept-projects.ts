// Prepared projects in memory, by the slot of their record: those that are used often, within the budget. Once it is full, a
// project is kept when it is read for the second time: objects that live for a while and are then dropped cost the garbage
// collector more than reading the project again.

import type { PreparedProject } from "#content/records/prepared-project.js";
import type { RecordSource } from "#content/records/record-source.js";
import type { Cache } from "#platform/changes/cache.js";
import type { Resources } from "#platform/http/resources.js";
import { LatelyRead } from "./lately-read.js";

/** The memory of the objects of a project, besides its bytes. */
const objectBytes = 600;
/** More projects than fit into memory at full size with the usual budget. */
const remembered = 8192;

export class KeptProjects {
  readonly #cache: Cache<PreparedProject, number>;
  readonly #read = new LatelyRead();

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

  /** Whether a project with a core of so many bytes should be kept when it is read now. */
  wants(slot: number, coreBytes: number): boolean {
    return this.#cache.hasRoom(objectBytes + coreBytes) || this.#read.wasRead(slot, remembered);
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
