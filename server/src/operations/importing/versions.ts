// Versions of a project: published like those of any author, with their files checked against the announced hashes.

import { saveVersion, unyankVersion, yankVersion } from "#content/versions/edit.js";
import { versionParts } from "#content/versions/edit-contract.js";
import { getPublishableProject, publishFrom } from "#content/versions/publish.js";
import { storedFileName } from "#lib/file-names.js";
import { formatBytes } from "#lib/format-bytes.js";
import { type Tx, write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import type { StagedFile } from "#platform/http/endpoint.js";
import { parse } from "#platform/http/validation.js";
import { shown } from "./answers.js";
import { actAs, type Context, type LocalUser, orRefuse } from "./context.js";
import { type LocalDependency, resolveDependencies, type Targets } from "./dependencies.js";
import { fitVersion, numbersOf, type VersionDetails } from "./fit.js";
import { findLocalUser } from "./people.js";
import { datesOf } from "./projects.js";
import { digestOf, findImported, judge, localDigests, noteImported, notePending } from "./records.js";
import { BadAnswer, type SourceFile, type SourceProject, type SourceVersion } from "./source.js";

interface Given {
  project: SourceProject;
  versions: readonly SourceVersion[];
  /** Undefined in a dry run that would create the project. */
  localId: string | undefined;
  owner: LocalUser;
  targets: Targets;
  /** Only these versions, by their ids at the source. */
  only?: ReadonlySet<string>;
}

interface Wanted {
  details: VersionDetails;
  dependencies: readonly LocalDependency[];
  yanked: { reason: string; replacement: string | null } | null;
}

/**
 * From the oldest to the newest. Returns the ids of versions that refer to an object of this import that is not here yet:
 * they have to be looked at again at its end.
 */
export async function importVersions(context: Context, given: Given): Promise<Set<string>> {
  const { book, options, client, resources, taxonomy } = context;
  const { project } = given;
  const remark = book.remark.bind(book);
  const ordered = given.versions.toSorted((a, b) => a.datePublished - b.datePublished || (a.id < b.id ? -1 : 1));
  const numbers = numbersOf(project.slug, ordered, remark);
  const open = new Set<string>();
  for (const version of ordered) {
    if (given.only && !given.only.has(version.id)) continue;
    const number = numbers.get(version.id)!;
    const what = `version ${shown(number)} of ${project.slug}`;
    await orRefuse(context, what, { kind: "versions", id: version.id }, async () => {
      const details = fitVersion(taxonomy, project.slug, version, number, remark);
      const others = version.dependencies.filter(({ projectId }) => projectId !== project.id);
      const { dependencies, missing, isOpen } = await resolveDependencies(context, given.targets, others);
      book.unresolved(
        version.id,
        missing.map((name) => `${project.slug} ${shown(number)} → ${name}`),
      );
      const yanked = await fitYank(context, version);
      const wanted = { details, dependencies, yanked };
      const digest = digestOf([wanted, version.files.map(({ sha512 }) => sha512)]);
      const row = await findImported(resources.db, client.base, "version", version.id);
      const verdict = judge(row, digest, row && (await localDigests.version(resources.db, row.local_id)), options);
      book.note("versions", version.id, verdict.act, what);
      if (verdict.act === "created") await create(context, given, version, wanted, digest);
      if (verdict.act === "updated" && !options.dryRun)
        await update(context, given, version, { wanted, digest, localId: verdict.row.local_id });
      if (isOpen || (version.yanked?.replacementId && !yanked?.replacement)) open.add(version.id);
    });
  }
  return open;
}

async function fitYank({ resources, client }: Context, { yanked }: SourceVersion): Promise<Wanted["yanked"]> {
  if (!yanked) return null;
  const row = yanked.replacementId
    ? await findImported(resources.db, client.base, "version", yanked.replacementId)
    : undefined;
  return { reason: yanked.reason.slice(0, 256), replacement: row?.local_id ?? null };
}

const partsOf = ({ details, dependencies }: Wanted) => ({
  ...{ title: details.title, changelog: details.changelog, versionNumber: details.versionNumber },
  ...{ featured: details.featured, releaseChannel: details.channel },
  ...{ loaders: details.loaders, gameVersions: details.gameVersions },
  dependencies: [...dependencies],
});

async function create(
  context: Context,
  given: Given,
  version: SourceVersion,
  wanted: Wanted,
  digest: string,
): Promise<void> {
  const { resources, actor, options, book } = context;
  const { project, localId } = given;
  const parts = parse<ReturnType<typeof partsOf>>("body", versionParts, partsOf(wanted), "version");
  checkSizes(context, version.files);
  if (options.dryRun || localId === undefined) {
    book.plannedBytes += version.files.reduce((sum, { size }) => sum + size, 0);
    return;
  }
  await resources.room.probe();
  resources.room.check();
  const viewer = actAs(await findAuthor(context, version, given));
  const row = await getPublishableProject(resources.db, viewer, localId);
  const also = async (tx: Tx, versionId: string) => {
    await keepDates(tx, project, version, { versionId, localId });
    await settle(context, tx, { version, wanted, digest, versionId });
  };
  await withStaged(context, version.files, async ([primaryFile, ...additionalFiles]) => {
    const upload = {
      project: row,
      parts,
      primaryFile,
      additionalFiles,
      primaryUpload: undefined,
      additionalUploads: [],
    };
    const { versionId, unchanged } = await publishFrom(resources, { viewer, actor }, { ...upload, also });
    // The same version was published here before.
    if (unchanged) await write(resources, actor, (tx) => settle(context, tx, { version, wanted, digest, versionId }));
  });
}

async function update(
  context: Context,
  { project, owner }: Given,
  version: SourceVersion,
  { wanted, digest, localId: versionId }: { wanted: Wanted; digest: string; localId: string },
): Promise<void> {
  const { resources, actor, client } = context;
  const viewer = actAs(owner);
  const here = await resources.db
    .selectFrom("versions")
    .select("project_id")
    .where("id", "=", versionId)
    .executeTakeFirstOrThrow();
  const files = await resources.db
    .selectFrom("version_files")
    .select("name")
    .where("version_id", "=", versionId)
    .execute();
  const names = new Set(files.map(({ name }) => name));
  const added = version.files.filter(({ name }) => !names.has(storedFileName(name) ?? ""));
  checkSizes(context, version.files);
  await write(resources, actor, (tx) =>
    notePending(tx, { source: client.base, kind: "version", sourceId: version.id }),
  );
  await withStaged(context, added, (additionalFiles) =>
    saveVersion(
      resources,
      { params: { ref: here.project_id, version: versionId }, viewer, actor },
      { parts: partsOf(wanted), additionalFiles, additionalUploads: [] },
    ),
  );
  await write(resources, actor, async (tx) => {
    await keepDates(tx, project, version, { versionId, localId: here.project_id });
    await settle(context, tx, { version, wanted, digest, versionId });
  });
}

/** Before anything is fetched. */
function checkSizes({ resources }: Context, files: readonly SourceFile[]): void {
  const { primaryFileBytes, additionalFileBytes, additionalFiles } = resources.config.limits;
  if (files.length - 1 > additionalFiles) throw new BadAnswer(`It has more than ${additionalFiles} additional files.`);
  for (const [at, { name, size }] of files.entries()) {
    const most = at === 0 ? primaryFileBytes : additionalFileBytes;
    if (size > most) throw fail.fileTooLarge(shown(name), formatBytes(most));
  }
}

/** Fetches the files, and removes those that were not published. */
async function withStaged<T>(
  { resources, client }: Context,
  files: readonly SourceFile[],
  use: (staged: StagedFile[]) => Promise<T>,
): Promise<T> {
  const staged: StagedFile[] = [];
  try {
    for (const file of files) {
      const name = storedFileName(file.name);
      if (name === undefined) throw new BadAnswer(`"${shown(file.name)}" is no usable name of a file.`);
      staged.push({ name, blob: await client.file(resources.blobs, file) });
    }
    return await use(staged);
  } finally {
    for (const { blob } of staged) await blob.discard();
  }
}

/** The author of a version; Modrinth names them by their id only. */
async function findAuthor(context: Context, version: SourceVersion, { project, owner }: Given): Promise<LocalUser> {
  if (version.authorId === null) return owner;
  const member = project.members.find(({ userId }) => userId === version.authorId);
  const userName = version.authorName ?? member?.userName;
  if (userName === undefined) return owner;
  return (await findLocalUser(context, { userId: version.authorId, userName })) ?? owner;
}

async function keepDates(
  tx: Tx,
  project: SourceProject,
  { datePublished }: SourceVersion,
  { versionId, localId }: { versionId: string; localId: string },
): Promise<void> {
  const dated = { date_published: datePublished };
  await tx.db.updateTable("versions").set(dated).where("id", "=", versionId).execute();
  await tx.db.updateTable("version_compat").set(dated).where("version_id", "=", versionId).execute();
  await tx.db.updateTable("projects").set(datesOf(project)).where("id", "=", localId).execute();
  tx.changed("project", localId, [versionId]);
}

interface Settled {
  version: SourceVersion;
  wanted: Wanted;
  digest: string;
  versionId: string;
}

/** Withdraws the version if the source has, and notes the import. */
async function settle(
  { client }: Context,
  tx: Tx,
  { version, wanted: { yanked }, digest, versionId }: Settled,
): Promise<void> {
  // Also while it is held until its malware scan.
  const row = await tx.db.selectFrom("versions").selectAll().where("id", "=", versionId).executeTakeFirstOrThrow();
  const before =
    row.date_yanked === null ? null : { reason: row.yank_reason ?? "", replacement: row.yank_replacement_id };
  if (digestOf(before) !== digestOf(yanked)) {
    if (yanked) await yankVersion(tx, row, yanked);
    else await unyankVersion(tx, row);
  }
  const localDigest = (await localDigests.version(tx.db, versionId)) ?? "";
  const noted = { source: client.base, kind: "version", sourceId: version.id } as const;
  await noteImported(tx, { ...noted, localId: versionId, digest, localDigest });
}
