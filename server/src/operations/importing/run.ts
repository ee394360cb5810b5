// An import from beginning to end: read everything, check the names of the taxonomy, then write project by project. It may
// be killed at any moment: the next run continues, because every step is noted in the transaction that makes it.
import { getTaxonomy } from "#content/taxonomy/read.js";
import type { Actor } from "#platform/changes/write.js";
import type { Resources } from "#platform/http/resources.js";
import { alone } from "./alone.js";
import { shown } from "./answers.js";
import { type Context, type ImportOptions, orRefuse } from "./context.js";
import { type Gathered, type GatheredProject, gather } from "./gather.js";
import type { Opened } from "./open-source.js";
import { importOrganization } from "./organizations.js";
import { findLocalOwner, importMembers } from "./people.js";
import { importGallery, importIcon } from "./pictures.js";
import { finishProject, importProject, type LocalProject } from "./projects.js";
import { type ImportReport, ReportBook } from "./report.js";
import { importVersions } from "./versions.js";

/** The taxonomy here lacks names that the source uses. Nothing was written. */
export class UnknownNames extends Error {
  readonly names: readonly string[];

  constructor(names: readonly string[]) {
    super(`This registry does not know: ${names.join(", ")}`);
    this.names = names;
  }
}

export async function runImport(
  resources: Resources,
  actor: Actor,
  opened: Opened,
  options: ImportOptions,
  say: (line: string) => void,
): Promise<ImportReport> {
  const run = () => importAll(resources, actor, opened, options, say);
  return options.dryRun ? run() : alone(resources, run);
}

async function importAll(
  resources: Resources,
  actor: Actor,
  { client, source }: Opened,
  options: ImportOptions,
  say: (line: string) => void,
): Promise<ImportReport> {
  const book = new ReportBook();
  const taxonomy = await getTaxonomy(resources);
  const context: Context = { resources, actor, client, source, options, taxonomy, book, say };
  await using gathered = await gather(context);
  if (gathered.unknown.size > 0 && !options.skipUnknown)
    throw new UnknownNames(Array.from(gathered.unknown, ([name, count]) => `${shown(name)} (${count})`).sort());
  for (const name of gathered.unknown.keys()) book.remark(`Left out, because it is unknown here: ${shown(name)}.`);

  const orgs = await importOrganizations(context, gathered);
  const written = new Map<string, Written>();
  for await (const one of gathered.inOrder()) {
    const done = await writeProject(context, gathered, one, orgs);
    if (done) written.set(one.project.id, done);
  }
  if (!options.dryRun)
    for await (const one of gathered.inOrder()) {
      const done = written.get(one.project.id);
      if (done && (done.open.size > 0 || done.local.isUnfinished || one.project.visibility === "archived"))
        await complete(context, gathered, one, done);
    }
  return book.finish({ source: client.base, kind: source.kind, dryRun: options.dryRun, bytes: client.bytes });
}

/** Ids here by ids at the source; null for those that would be created. Refused ones are absent. */
async function importOrganizations(context: Context, { orgs }: Gathered): Promise<Map<string, string | null>> {
  const ids = new Map<string, string | null>();
  for (const org of orgs.values())
    await orRefuse(context, `organization ${shown(org.slug)}`, { kind: "organizations", id: org.id }, async () => {
      ids.set(org.id, (await importOrganization(context, org)) ?? null);
    });
  return ids;
}

interface Written {
  local: LocalProject;
  /** Versions that refer to projects that come later. */
  open: ReadonlySet<string>;
}

async function writeProject(
  context: Context,
  gathered: Gathered,
  { project, types, versions }: GatheredProject,
  orgs: ReadonlyMap<string, string | null>,
): Promise<Written | undefined> {
  const what = `project ${shown(project.slug)}`;
  const counted = { kind: "projects", id: project.id } as const;
  return orRefuse(context, what, counted, async () => {
    const owner = await findLocalOwner(context, project.members);
    // Without its organization, the project belongs to its owner.
    const orgId = orgs.get(project.orgId ?? "") ?? null;
    const local = await importProject(context, { project, types, orgId, owner });
    if (!local) return undefined;
    if (!context.options.dryRun) context.say(`Writing ${shown(project.slug)}`);
    await importMembers(context, { id: project.id, what, members: project.members }, local.teamId);
    await orRefuse(context, `icon of ${project.slug}`, undefined, () => importIcon(context, project, local.id));
    await importGallery(context, project, local.id);
    const given = { project, versions, localId: local.id, owner, targets: gathered.slugs };
    return { local, open: await importVersions(context, given) };
  });
}

async function complete(
  context: Context,
  gathered: Gathered,
  { project, types, versions }: GatheredProject,
  { local, open }: Written,
): Promise<void> {
  const owner = await findLocalOwner(context, project.members);
  const given = { project, versions, localId: local.id, owner, targets: gathered.slugs };
  if (open.size > 0) await importVersions(context, { ...given, only: open });
  await orRefuse(context, `publication of ${shown(project.slug)}`, undefined, () =>
    finishProject(context, { project, types, owner }, local),
  );
}
