// Description, tags, links, license and disclosures of a project. Each function runs in the caller's transaction.

import {
  aiKinds,
  type Disclosures,
  type DisclosuresEdit,
  type Statement,
  statementNames,
  toDisclosures,
} from "#content/shapes/disclosures.js";
import {
  type DonationLink,
  donationProblem,
  isDonationLink,
  isWebLink,
  linkProblem,
} from "#content/shapes/web-links.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { fromJson, toJson } from "#lib/json.js";
import type { Tx } from "#platform/changes/write.js";
import type { Row } from "#platform/db/tables.js";
import { type Issue, invalid } from "#platform/errors.js";
import { say } from "#words/said.js";

type ProjectRow = Row<"projects">;

export async function setDescription(tx: Tx, projectId: string, description: string): Promise<void> {
  await setColumns(tx, projectId, { description });
}

export const maxFeatured = 3;

export interface TagsEdit {
  categories?: readonly string[];
  featured?: readonly string[];
}

export interface Tags {
  categories: string[];
  featured: string[];
}

/** Unknown names are refused; categories that do not fit the project's types are left out. Absent fields stay. */
export async function setTags(tx: Tx, project: ProjectRow, taxonomy: Taxonomy, edit: TagsEdit): Promise<Tags> {
  checkCategories(taxonomy, edit);
  const present = await tx.db
    .selectFrom("project_categories")
    .select(["category", "featured"])
    .where("project_id", "=", project.id)
    .execute();
  const allowed = taxonomy.categoriesAllowed(fromJson(project.types));
  const wanted = edit.categories ?? present.map(({ category }) => category);
  const categories = [...new Set(wanted)].filter((name) => allowed.has(name));
  const featuredNow = present.filter(({ featured }) => featured === 1).map(({ category }) => category);
  const featured = [...new Set(edit.featured ?? featuredNow)].filter((name) => categories.includes(name));
  await tx.db.deleteFrom("project_categories").where("project_id", "=", project.id).execute();
  if (categories.length > 0)
    await tx.db
      .insertInto("project_categories")
      .values(
        categories.map((category) => ({
          project_id: project.id,
          category,
          featured: featured.includes(category) ? (1 as const) : (0 as const),
        })),
      )
      .execute();
  tx.happened("project.edited", project.id, {});
  tx.changed("project", project.id, []);
  return { categories: categories.toSorted(), featured: featured.toSorted() };
}

function checkCategories(taxonomy: Taxonomy, { categories = [], featured = [] }: TagsEdit): void {
  const issuesOf = (path: string, names: readonly string[]): Issue[] =>
    [...new Set(names)]
      .filter((name) => !taxonomy.isCategory(name))
      .map((name) => ({ path, message: say.problems.category(name) }));
  const issues = [...issuesOf("categories", categories), ...issuesOf("featuredCategories", featured)];
  if (issues.length > 0) throw invalid(...issues.slice(0, 20));
}

const linkColumns = {
  issueTracker: "issue_tracker_url",
  sourceCode: "source_url",
  wikiPage: "wiki_url",
  discordServer: "discord_url",
} as const;

type PlainLinks = Record<keyof typeof linkColumns, string | null>;
export type Links = PlainLinks & { donationLinks: DonationLink[] };

/** Null or empty removes a link. Donation links are replaced as a whole. */
export async function setLinks(tx: Tx, project: ProjectRow, edit: Partial<Links>): Promise<Links> {
  const issues = [
    ...linkNames.filter((name) => edit[name] && !isWebLink(edit[name])).map((path) => ({ path, message: linkProblem })),
    ...(edit.donationLinks ?? []).flatMap(({ url }, at) =>
      isDonationLink(url) ? [] : [{ path: `donationLinks/${at}/url`, message: donationProblem }],
    ),
  ];
  if (issues.length > 0) throw invalid(...issues);
  const before = toLinks(project);
  const given = linkNames.flatMap((name) => (edit[name] === undefined ? [] : [[name, edit[name] || null]]));
  const after: Links = {
    ...before,
    ...Object.fromEntries(given),
    donationLinks: edit.donationLinks ?? before.donationLinks,
  };
  await setColumns(tx, project.id, {
    ...Object.fromEntries(linkNames.map((name) => [linkColumns[name], after[name]])),
    donation_links: toJson(after.donationLinks),
  });
  return after;
}

const linkNames = Object.keys(linkColumns) as (keyof PlainLinks)[];

/** The links as they are stored. */
export const toLinks = (project: ProjectRow): Links => ({
  ...(Object.fromEntries(linkNames.map((name) => [name, project[linkColumns[name]]])) as PlainLinks),
  donationLinks: fromJson(project.donation_links),
});

export interface LicenseEdit {
  id?: string | null;
  name?: string | null;
  url?: string | null;
}

export interface ProjectLicense {
  id: string;
  name: string;
  url: string;
}

/** A license from the taxonomy by id, or a custom one by name and URL. A URL alone applies to the current license. */
type Licensed = Pick<ProjectRow, "id" | "license_id" | "license_name" | "license_url">;

export async function setLicense(
  tx: Tx,
  project: Licensed,
  taxonomy: Taxonomy,
  edit: LicenseEdit,
): Promise<ProjectLicense> {
  if (edit.url && !isWebLink(edit.url)) throw invalid({ path: "url", message: linkProblem });
  const license = toLicense(project, taxonomy, edit);
  await setColumns(tx, project.id, {
    license_id: license.id,
    license_name: license.name,
    license_url: license.url,
  });
  return license;
}

function toLicense(project: Licensed, taxonomy: Taxonomy, { id, name, url }: LicenseEdit): ProjectLicense {
  if (id) {
    const known = taxonomy.isLicenseId(id) ? taxonomy.findLicense(id) : undefined;
    if (!known) throw invalid({ path: "id", message: say.problems.licence(id) });
    return { id, name: known.name, url: url || known.url || "" };
  }
  const isCustom = project.license_id === "" && project.license_name !== "";
  if (name) {
    const address = url || (isCustom && url === undefined ? project.license_url : "");
    if (!address) throw invalid({ path: "url", message: say.problems.licenceAddress });
    return { id: "", name, url: address };
  }
  if (url && (isCustom || project.license_id !== ""))
    return { id: project.license_id, name: project.license_name, url };
  throw invalid({ path: "id", message: say.problems.licenceMissing });
}

type StatementEdit = NonNullable<DisclosuresEdit["telemetry"]>;

/** Null withdraws a statement. The audit log shows moderators who has stated what, and when. */
export async function setDisclosures(tx: Tx, project: ProjectRow, edit: DisclosuresEdit): Promise<Disclosures> {
  const issues = statementNames.flatMap((name) => (edit[name] ? problemsOf(name, edit[name]) : []));
  if (issues.length > 0) throw invalid(...issues);
  const before = toDisclosures(project.disclosures);
  const after: Disclosures = {
    ai: edit.ai ? aiKinds.filter((kind) => edit.ai!.includes(kind)) : edit.ai === null ? null : before.ai,
    telemetry: toStatement(edit.telemetry, before.telemetry),
    paidFeatures: toStatement(edit.paidFeatures, before.paidFeatures),
  };
  const stored = toJson<object>(Object.fromEntries(Object.entries(after).filter(([, stated]) => stated !== null)));
  if (stored === project.disclosures) return after;
  await setColumns(tx, project.id, { disclosures: stored });
  tx.audit("project.disclosures.set", { kind: "project", id: project.id }, { from: before, to: after });
  return after;
}

function problemsOf(name: string, { present, details, url }: StatementEdit): Issue[] {
  if (!present) return [];
  return [
    ...(details ? [] : [{ path: `${name}.details`, message: say.problems.disclosureDetails }]),
    ...(url && !isWebLink(url) ? [{ path: `${name}.url`, message: linkProblem }] : []),
  ];
}

function toStatement(edit: StatementEdit | null | undefined, before: Statement | null): Statement | null {
  if (!edit) return edit === null ? null : before;
  const { present, details = "", url } = edit;
  return present ? { present, details, url: url || null } : { present, details: "", url: null };
}

async function setColumns(tx: Tx, projectId: string, columns: Partial<ProjectRow>): Promise<void> {
  await tx.db.updateTable("projects").set(columns).where("id", "=", projectId).execute();
  tx.happened("project.edited", projectId, {});
  tx.changed("project", projectId, []);
}
