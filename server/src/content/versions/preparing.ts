// Prepares projects: reads their rows, makes the JSON of every answer, and packs it into records. It runs in a thread
// (preparing-thread.ts), with its own connection to the database.
import { hash } from "node:crypto";
import { sql } from "kysely";
import { loadProjects, type ProjectEntry, type RowContext } from "#content/projects/entries.js";
import { isListed, isPublicProject } from "#content/projects/policy.js";
import type { AnswersStore } from "#content/records/answers-store.js";
import type { Place } from "#content/records/journal.js";
import {
  type Fingerprints,
  type KnownPieces,
  packVersion,
  type VersionContent,
} from "#content/records/packed-version.js";
import { encodeProject, type ProjectContent } from "#content/records/prepared-encode.js";
import { type Form, forms } from "#content/records/prepared-format.js";
import { PreparedProject } from "#content/records/prepared-project.js";
import type { Prepared, PrepareInput, PreparingTasks } from "#content/records/preparing-tasks.js";
import type { FileRecord } from "#content/records/record-source.js";
import { isKept, type KeptVersion } from "#content/records/version-runs.js";
import { channels } from "#content/shapes/version.js";
import type { TaxonomyDocument } from "#content/taxonomy/document.js";
import { findNewestTaxonomy } from "#content/taxonomy/read.js";
import { compileTaxonomy, type Taxonomy } from "#content/taxonomy/taxonomy.js";
import { inList } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import { loadVersions, type VersionEntry } from "./entries.js";
import { loadTouched, type PartlyChanged } from "./partial-load.js";

/** Larger records than those of 3,000 usual versions are rare. */
const mostReused = 16 * 1024 * 1024;

interface Surroundings {
  db: Db;
  cdnUrl: string;
  key: Fingerprints;
  /** Without one, whole records are handed over. */
  store: AnswersStore | undefined;
  /** Makes HTML of a description; undefined if it cannot. Without it, pages do so when they are requested. */
  render?(text: string): Promise<string | undefined>;
  close(): Promise<void>;
}

export function createPreparer({ db, cdnUrl, key, store, render, close }: Surroundings): PreparingTasks {
  let taxonomy: Promise<Taxonomy> | undefined;
  let reused = Buffer.alloc(0);

  /** For a record until it is stored: new memory for each would cost as much as filling it. */
  function memory(length: number): Buffer {
    if (length > mostReused) return Buffer.allocUnsafeSlow(length);
    if (length > reused.length) reused = Buffer.allocUnsafeSlow(Math.min(mostReused, 2 * length));
    return reused;
  }

  async function context(): Promise<RowContext> {
    taxonomy ??= loadTaxonomy(db).catch((error) => {
      taxonomy = undefined;
      throw error;
    });
    return { db, cdnUrl, taxonomy: await taxonomy };
  }

  /** The description as HTML: rendered again only if the text has changed. */
  async function describe(
    { project: { description: text } }: ProjectEntry,
    earlier: Earlier | undefined,
  ): Promise<Pick<ProjectContent, "description" | "descriptionSource">> {
    const descriptionSource = hash("sha256", text, "base64url");
    if (text === "") return { descriptionSource, description: "" };
    const isKnown = earlier?.project.details.descriptionSource === descriptionSource;
    const known = isKnown ? earlier.project.pageTexts().description : "";
    return { descriptionSource, description: known || ((await render?.(text)) ?? "") };
  }

  /**
   * The records of these projects, one at a time: several large ones would need much memory. If they are stored, each is
   * valid until the next one is made.
   */
  async function* makeRecords({ ids, builtAt, before, touched }: PrepareInput): AsyncGenerator<Buffer | undefined> {
    const rows = await context();
    const projects = await loadProjects(rows, ids);
    const earlierOf = new Map<string, Earlier>();
    const make = async (id: string, all: readonly (VersionEntry | KeptVersion)[], earlier: Earlier | undefined) => {
      const project = projects.get(id)!;
      const content = {
        ...toContent(project, all, earlier),
        ...(await describe(project, earlier)),
        versions: all.map((each) =>
          isKept(each) ? each : packVersion(toVersionContent(each), key, earlier?.partsOf(each.id) ?? nothingKnown),
        ),
      };
      return encodeProject(content, builtAt, {
        ...(earlier && { earlier: earlier.project, known: earlier.project.findPiece }),
        ...(store && { memory }),
      });
    };
    try {
      const partly: PartlyChanged[] = [];
      for (const [index, id] of ids.entries()) {
        if (!projects.get(id)?.isPublic || !store || !before[index]) continue;
        const earlier = openEarlier(store, before[index]);
        if (!earlier) continue;
        earlierOf.set(id, earlier);
        if (touched[index]) partly.push({ projectId: id, known: earlier.ids, touched: touched[index] });
      }
      const kept = await loadTouched(rows, partly);
      const shown = ids.filter((id) => projects.get(id)?.isPublic && !kept.has(id));
      const versions = await loadVersions(rows, shown);
      for (const id of ids) {
        if (!projects.get(id)?.isPublic) yield undefined;
        else
          yield await make(id, kept.get(id) ?? versions.get(id) ?? [], earlierOf.get(id)).catch(async () =>
            // The earlier record could not be read.
            make(id, (await loadVersions(rows, [id])).get(id) ?? [], undefined),
          );
      }
    } finally {
      for (const { record } of earlierOf.values()) record.close();
    }
  }

  function keep(record: Buffer): Prepared {
    if (!store) return { record };
    const place = store.append(record);
    // A copy, so that the whole record is not handed over with its header.
    return { place, header: new Uint8Array(record.subarray(0, place.headerLength)) };
  }

  return {
    isStarted: true,
    ownsFiles: true,

    async wake(input, haveNewTexts) {
      // The first text starts the thread that renders, while this one goes on.
      if (haveNewTexts) render?.("").catch(() => undefined);
      // The next records will be quicker: code is compiled, and rows and earlier records are in memory.
      for await (const _ of makeRecords(input));
    },

    async prepare(input) {
      const made: (Prepared | undefined)[] = [];
      for await (const record of makeRecords(input)) made.push(record && keep(record));
      return made;
    },

    async noteStale(ids, since) {
      store?.noteStale(ids, since);
    },

    async mark(position) {
      store?.mark(position);
    },

    async move(records) {
      return store?.move(records) ?? [];
    },

    async removeSegment(segment) {
      store?.removeSegment(segment);
    },

    async setFigures(changes) {
      store?.setFigures(changes);
    },

    async readFigures(ids) {
      const [projects, versions] = await Promise.all([
        db
          .selectFrom("projects")
          .select(["id", "downloads"])
          .where(inList(db, sql.ref("id"), ids))
          .execute(),
        db
          .selectFrom("versions")
          .select(["id as versionId", "project_id", "downloads"])
          .where(inList(db, sql.ref("project_id"), ids))
          .execute(),
      ]);
      const byProject = Map.groupBy(versions, (version) => version.project_id);
      return projects.map(({ id, downloads }) => ({
        projectId: id,
        downloads,
        versions: (byProject.get(id) ?? []).map((each) => ({ versionId: each.versionId, downloads: each.downloads })),
      }));
    },

    async listIds(after, limit) {
      const rows = await db
        .selectFrom("projects")
        .select("projects.id")
        .where("projects.id", ">", after)
        .where(isPublicProject)
        .orderBy("projects.id")
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },

    async forgetTaxonomy() {
      taxonomy = undefined;
    },

    async close() {
      store?.close();
      await close();
    },
  };
}

async function loadTaxonomy(db: Db): Promise<Taxonomy> {
  const row = await findNewestTaxonomy(db);
  if (!row) throw new Error("There is no taxonomy; the server stores one when it starts");
  return compileTaxonomy(JSON.parse(row.document) as TaxonomyDocument);
}

function toContent(
  project: ProjectEntry,
  versions: readonly (VersionEntry | KeptVersion)[],
  earlier: Earlier | undefined,
): Omit<ProjectContent, "description" | "descriptionSource" | "versions"> {
  const { id, slug, oldSlugs, orgId } = project;
  // Versions of the record before were published by users whom it names.
  const isPartlyKept = versions.some(isKept);
  const userIds = new Set([...project.userIds, ...(isPartlyKept ? (earlier?.project.details.userIds ?? []) : [])]);
  for (const version of versions) if (!isKept(version)) userIds.add(version.authorId);
  const { downloads } = project.project;
  return {
    ...{ id, slug, oldSlugs, orgId, userIds: [...userIds], downloads, isListed: isListed(project.project) },
    project: withoutDownloads(project.publicProject.value),
    listItem: withoutDownloads(project.listItem.value),
  };
}

const toVersionContent = (version: VersionEntry): VersionContent => ({
  ...{ id: version.id, slug: version.slug, datePublished: version.datePublished, downloads: version.downloads },
  ...{ featured: version.featured, yanked: version.yanked, needsOthers: version.needsOthers },
  channel: channels.indexOf(version.channel),
  offered: [[...version.loaders], [...version.gameVersions]],
  hashes: version.files.flatMap(({ sha1, sha512 }) => [sha1, sha512]),
  ...(Object.fromEntries(forms.map((form) => [form, withoutDownloads(version[form].value)])) as Record<Form, string>),
});

/** The JSON of an object without its first field. */
function withoutDownloads(value: { downloads: number }): string {
  const text = JSON.stringify(value);
  const first = `{"downloads":${value.downloads},`;
  if (!text.startsWith(first)) throw new Error("Downloads must be the first field of this answer");
  return text.slice(first.length);
}

interface Earlier {
  record: FileRecord;
  project: PreparedProject;
  /** The ids of its versions, in their order. */
  ids: readonly string[];
  /** Finds deflated parts of this version. */
  partsOf(versionId: string): KnownPieces;
}

/** An earlier record; undefined if it is damaged or gone. */
function openEarlier(store: AnswersStore, place: Place): Earlier | undefined {
  let record: FileRecord | undefined;
  try {
    record = store.open(place);
    const header = Buffer.allocUnsafe(place.headerLength);
    record.read(header, 0, 0, header.length);
    const project = new PreparedProject(header, record);
    const ids = project.listIds();
    const partsOf = (versionId: string) => {
      const ordinal = ids.indexOf(versionId);
      return ordinal < 0 ? nothingKnown : project.partsOf(ordinal);
    };
    return { record, project, ids, partsOf };
  } catch {
    record?.close();
    return undefined;
  }
}

const nothingKnown: KnownPieces = () => undefined;
