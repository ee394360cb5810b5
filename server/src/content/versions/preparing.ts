// Prepares projects: reads their rows, makes the JSON of every answer, and packs it into records. It runs in a thread
// (preparing-thread.ts), with its own connection to the database.
import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import { sql } from "kysely";
import { loadProjects, type ProjectEntry, type RowContext } from "#content/projects/entries.js";
import { isListed, isPublicProject } from "#content/projects/policy.js";
import type { AnswersStore } from "#content/records/answers-store.js";
import type { Place } from "#content/records/journal.js";
import {
  type Fingerprints,
  type KnownPieces,
  type PackedVersion,
  packVersion,
  type VersionContent,
} from "#content/records/packed-version.js";
import { encodeProject, type ProjectContent } from "#content/records/prepared-encode.js";
import { type Form, forms } from "#content/records/prepared-format.js";
import { openRecord, type PreparedProject } from "#content/records/prepared-project.js";
import type { Prepared, PrepareInput, PreparingTasks } from "#content/records/preparing-tasks.js";
import { channels } from "#content/shapes/version.js";
import type { TaxonomyDocument } from "#content/taxonomy/document.js";
import { findNewestTaxonomy } from "#content/taxonomy/read.js";
import { compileTaxonomy, type Taxonomy } from "#content/taxonomy/taxonomy.js";
import { inList } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import { loadVersions, type VersionEntry } from "./entries.js";
import { loadTouched, type PartlyChanged } from "./partial-load.js";

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

  /** The records of these projects, one at a time: several large ones would need much memory. */
  async function* makeRecords({ ids, builtAt, before, touched }: PrepareInput): AsyncGenerator<Buffer | undefined> {
    const rows = await context();
    const projects = await loadProjects(rows, ids);
    const earlierOf = new Map<string, Earlier>();
    const partly: PartlyChanged[] = [];
    for (const [index, id] of ids.entries()) {
      const earlier = before[index] && store ? openEarlier(store, before[index]) : undefined;
      if (!earlier || !projects.get(id)?.isPublic) continue;
      earlierOf.set(id, earlier);
      if (touched[index]) partly.push({ projectId: id, known: earlier.versions, touched: touched[index] });
    }
    const kept = await loadTouched(rows, partly);
    const shown = ids.filter((id) => projects.get(id)?.isPublic && !kept.has(id));
    const versions = await loadVersions(rows, shown);
    for (const id of ids) {
      const project = projects.get(id);
      if (!project?.isPublic) {
        yield undefined;
        continue;
      }
      const earlier = earlierOf.get(id);
      const known = earlier?.known ?? (() => undefined);
      const pack = (version: VersionEntry) => packVersion(toVersionContent(version), key, known);
      const all = kept.get(id) ?? versions.get(id) ?? [];
      const content = {
        ...toContent(project, all, earlier),
        ...(await describe(project, earlier)),
        versions: all.map((each) => ("block" in each ? each : pack(each))),
      };
      yield encodeProject(content, builtAt, known);
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
  versions: readonly (VersionEntry | PackedVersion)[],
  earlier: Earlier | undefined,
): Omit<ProjectContent, "description" | "descriptionSource" | "versions"> {
  const { id, slug, oldSlugs, orgId } = project;
  // Versions of the record before were published by users whom it names.
  const isPartlyKept = versions.some((version) => "block" in version);
  const userIds = new Set([...project.userIds, ...(isPartlyKept ? (earlier?.project.details.userIds ?? []) : [])]);
  for (const version of versions) if ("authorId" in version) userIds.add(version.authorId);
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
  project: PreparedProject;
  /** As they are in its record. */
  versions: readonly PackedVersion[];
  known: KnownPieces;
}

/** An earlier record. Content is compared completely: pieces with the same CRC may differ. */
function openEarlier(store: AnswersStore, place: Place): Earlier | undefined {
  const record = store.read(place);
  if (!record) return undefined;
  try {
    const project = openRecord(record);
    let byCrc: ReturnType<typeof piecesByCrc> | undefined;
    const known: KnownPieces = (plain) => {
      byCrc ??= piecesByCrc(project, record);
      for (const [at, length, deflatedAt, deflatedLength] of byCrc.get(crc32(plain)) ?? [])
        if (plain.equals(record.subarray(at, at + length)))
          return record.subarray(deflatedAt, deflatedAt + deflatedLength);
      return undefined;
    };
    return { project, versions: project.packedVersions(record), known };
  } catch {
    // A damaged record is simply not used.
    return undefined;
  }
}

/** Not by length: thousands of versions of a project have pieces of the same length. */
const piecesByCrc = (project: PreparedProject, record: Buffer) =>
  Map.groupBy(project.listPieces(), ([at, length]) => crc32(record.subarray(at, at + length)));
