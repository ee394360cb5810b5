// Reads everything that is selected before anything is written, into a temporary file: a whole site does not fit into
// memory, and asking twice would not be polite.
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shown } from "./answers.js";
import type { Context } from "./context.js";
import { typesOf, unknownNames } from "./fit.js";
import { BadAnswer, type SourceOrg, type SourceProject, type SourceVersion } from "./source.js";

export interface GatheredProject {
  project: SourceProject;
  types: string[];
  versions: SourceVersion[];
}

interface Place {
  id: string;
  slug: string;
  /** Ids at the source that its versions depend on. */
  needs: string[];
  at: number;
  bytes: number;
}

export class Gathered implements AsyncDisposable {
  readonly orgs = new Map<string, SourceOrg>();
  /** Names that the taxonomy here does not have, with the number of projects that have them. */
  readonly unknown = new Map<string, number>();
  /** The slugs of the projects by their ids at the source. */
  readonly slugs = new Map<string, string>();
  readonly #file: FileHandle;
  readonly #folder: string;
  readonly #places = new Map<string, Place>();
  #end = 0;

  constructor(folder: string, file: FileHandle) {
    this.#folder = folder;
    this.#file = file;
  }

  has = (id: string): boolean => this.#places.has(id);

  async add(gathered: GatheredProject): Promise<void> {
    const bytes = Buffer.from(JSON.stringify(gathered));
    await this.#file.write(bytes, 0, bytes.length, this.#end);
    const { id, slug } = gathered.project;
    this.slugs.set(id, slug);
    const needs = gathered.versions.flatMap(({ dependencies }) =>
      dependencies.flatMap(({ projectId }) => projectId ?? []),
    );
    this.#places.set(id, { id, slug, needs: [...new Set(needs)], at: this.#end, bytes: bytes.length });
    this.#end += bytes.length;
  }

  /** Projects come after those that they depend on, as far as there are no circles. */
  async *inOrder(): AsyncGenerator<GatheredProject> {
    const done = new Set<string>();
    for (const first of this.#places.values()) {
      const stack = [first];
      while (stack.length > 0) {
        const place = stack.at(-1)!;
        const next = done.has(place.id)
          ? undefined
          : place.needs
              .map((id) => this.#places.get(id))
              .find((one) => one && !done.has(one.id) && !stack.includes(one));
        if (next) stack.push(next);
        else {
          stack.pop();
          if (!done.has(place.id)) {
            done.add(place.id);
            yield await this.#read(place);
          }
        }
      }
    }
  }

  async #read({ at, bytes }: Place): Promise<GatheredProject> {
    const { buffer } = await this.#file.read(Buffer.alloc(bytes), 0, bytes, at);
    return JSON.parse(buffer.toString("utf8")) as GatheredProject;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

export async function gather(context: Context): Promise<Gathered> {
  const folder = await mkdtemp(join(tmpdir(), "modshelf-import-"));
  const gathered = new Gathered(folder, await open(join(folder, "projects"), "w+", 0o600));
  try {
    for await (const ref of context.source.list(context.options.selection)) await gatherOne(context, gathered, ref);
    return gathered;
  } catch (error) {
    await gathered[Symbol.asyncDispose]();
    throw error;
  }
}

/** A date in the future would keep its place in front of everything that is published here. */
function untilNow({ project, versions }: Omit<GatheredProject, "types">, now: number): Omit<GatheredProject, "types"> {
  const past = (date: number) => Math.min(date, now);
  const gallery = project.gallery.map((picture) => ({ ...picture, date: past(picture.date) }));
  const dates = { datePublished: past(project.datePublished), dateUpdated: past(project.dateUpdated) };
  return {
    project: { ...project, ...dates, gallery },
    versions: versions.map((version) => ({ ...version, datePublished: past(version.datePublished) })),
  };
}

async function gatherOne(
  { resources, source, taxonomy, book, say }: Context,
  gathered: Gathered,
  ref: string,
): Promise<void> {
  try {
    const project = await source.project(ref);
    if (gathered.has(project.id)) return;
    const versions = await source.versions(project.id);
    const { orgId } = project;
    if (orgId !== null && !gathered.orgs.has(orgId)) gathered.orgs.set(orgId, await source.organization(orgId));
    const types = typesOf(taxonomy, project, versions);
    for (const name of unknownNames(taxonomy, project, types, versions))
      gathered.unknown.set(name, (gathered.unknown.get(name) ?? 0) + 1);
    await gathered.add({ ...untilNow({ project, versions }, resources.clock.now()), types });
    say(`Read ${shown(project.slug)}: ${versions.length} versions`);
  } catch (error) {
    if (!(error instanceof BadAnswer)) throw error;
    book.refuse(`project ${shown(ref)}`, error.message, { kind: "projects", id: ref });
  }
}
