// The versions that have changed since their project was last prepared, of projects that are stale only because of them:
// everything else can be taken from the record. Projects that are stale for other reasons are not in here.

/** With more of them, reading all versions is as quick. */
const mostVersions = 100;

export class StaleVersions {
  readonly #byProject = new Map<string, Set<string>>();

  get(projectId: string): readonly string[] | undefined {
    const versions = this.#byProject.get(projectId);
    return versions && [...versions];
  }

  /** Notes a change. `wasCurrent`: no change came before it since the project was prepared. */
  note(projectId: string, versions: readonly string[] | undefined, wasCurrent: boolean): void {
    const known = wasCurrent ? new Set<string>() : this.#byProject.get(projectId);
    if (!versions || !known || known.size + versions.length > mostVersions) {
      this.#byProject.delete(projectId);
      return;
    }
    for (const id of versions) known.add(id);
    this.#byProject.set(projectId, known);
  }

  /** The project was prepared, or everything about it may have changed. */
  forget(projectId: string): void {
    this.#byProject.delete(projectId);
  }

  forgetAll(): void {
    this.#byProject.clear();
  }
}
