// The state of a project as moderators review it.

import { type Disclosures, statementNames, toDisclosures } from "#content/shapes/disclosures.js";
import { fromJson } from "#lib/json.js";
import type { Db } from "#platform/db/tables.js";

/** Single values, in the order in which they are shown. */
export const snapshotFields = [
  "name",
  "slug",
  "summary",
  "types",
  "categories",
  "sides",
  "licence",
  "issueTracker",
  "source",
  "wiki",
  "discord",
  "donations",
  "disclosures",
  "icon",
] as const;
export type SnapshotField = (typeof snapshotFields)[number];

export interface Snapshot {
  fields: Record<SnapshotField, string>;
  description: string;
  gallery: { id: string; name: string }[];
  files: { version: string; name: string; sha512: string }[];
}

/** No moderator looks through more. */
const mostFiles = 500;

/** Undefined if the project does not exist. Needs four statements, however large the project is. */
export async function loadSnapshot(db: Db, projectId: string): Promise<Snapshot | undefined> {
  const project = await db.selectFrom("projects").selectAll().where("id", "=", projectId).executeTakeFirst();
  if (!project) return undefined;
  const categories = await db
    .selectFrom("project_categories")
    .select("category")
    .where("project_id", "=", projectId)
    .orderBy("category")
    .execute();
  const gallery = await db
    .selectFrom("gallery_items")
    .select(["id", "name"])
    .where("project_id", "=", projectId)
    .orderBy("order_index")
    .orderBy("id")
    .execute();
  const files = await db
    .selectFrom("version_files")
    .innerJoin("versions", "versions.id", "version_files.version_id")
    .select(["versions.version_number", "version_files.name", "version_files.sha512"])
    .where("version_files.project_id", "=", projectId)
    .orderBy("versions.date_published", "desc")
    .orderBy("version_files.name")
    .orderBy("version_files.id")
    .limit(mostFiles)
    .execute();
  return {
    fields: {
      name: project.name,
      slug: project.slug,
      summary: project.summary,
      types: fromJson(project.types).join(", "),
      categories: categories.map(({ category }) => category).join(", "),
      sides: `${project.client_side} / ${project.server_side}`,
      licence: [project.license_name || project.license_id, project.license_url].filter(Boolean).join(" "),
      issueTracker: project.issue_tracker_url ?? "",
      source: project.source_url ?? "",
      wiki: project.wiki_url ?? "",
      discord: project.discord_url ?? "",
      donations: fromJson(project.donation_links)
        .map(({ platform, url }) => `${platform} ${url}`)
        .join(", "),
      disclosures: describeDisclosures(toDisclosures(project.disclosures)),
      icon: project.icon_id ?? "",
    },
    description: project.description,
    gallery,
    files: files.map(({ version_number, name, sha512 }) => ({
      version: version_number,
      name,
      sha512: Buffer.from(sha512).toString("hex"),
    })),
  };
}

/** Nothing for statements that are missing. */
function describeDisclosures({ ai, ...statements }: Disclosures): string {
  const stated = statementNames.flatMap((name) => {
    const statement = statements[name];
    if (!statement) return [];
    return `${name}: ${statement.present ? [statement.details, statement.url].filter(Boolean).join(" ") : "no"}`;
  });
  return [...(ai ? [`AI: ${ai.join(", ") || "no"}`] : []), ...stated].join("; ");
}
