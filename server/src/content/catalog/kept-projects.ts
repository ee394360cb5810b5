// Prepared projects in memory, by the slot of their record: those that were used last, within the budget.
import type { Cache } from "#platform/changes/cache.js";
import type { Resources } from "#platform/http/resources.js";
import type { Place } from "./journal.js";
import type { Places } from "./places.js";
import type { RecordSource } from "./prepared-header.js";
import { nearBytes, PreparedProject } from "./prepared-project.js";

export class KeptProjects {
  readonly #cache: Cache<PreparedProject, number>;
  readonly #onFailure: (slot: number, error: unknown) => void;

  /** `onFailure` is called if a record cannot be read, also later. */
  constructor({ memory }: Pick<Resources, "memory">, onFailure: (slot: number, error: unknown) => void) {
    this.#cache = memory.createCache({ name: "prepared" });
    this.#onFailure = onFailure;
  }

  get(slot: number): PreparedProject | undefined {
    return this.#cache.get(slot);
  }

  keep(slot: number, project: PreparedProject): PreparedProject {
    this.#cache.set(slot, project, project.bytes);
    return project;
  }

  delete(slot: number): void {
    this.#cache.delete(slot);
  }

  /** Reads a project from its file; it is not kept. Throws if that is not possible. */
  read(places: Places, slot: number, place: Place): PreparedProject {
    const source = this.open(places, slot, place);
    // The first pieces are behind the header: one call reads both. Headers are more important if there is little room.
    const length = Math.min(place.headerLength + nearBytes.deflated, place.length);
    const start = Buffer.allocUnsafeSlow(this.#cache.hasRoom(length) ? length : place.headerLength);
    source.read(start, 0, 0, start.length);
    return new PreparedProject(start, source);
  }

  open(places: Places, slot: number, place: Place): RecordSource {
    return places.open(place, {
      onFailure: (error) => this.#onFailure(slot, error),
      hold: (bytes) => this.#cache.grow(slot, bytes),
    });
  }
}
