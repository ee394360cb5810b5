// The SELECTs of trusted publishers, and the function that builds one for answers.
import { sql } from "kysely";
import type { Db, Row } from "#platform/db/tables.js";
import { maybeTimestamp, timestamp } from "#platform/http/schemas.js";
import type { TrustedPublisher } from "./contract.js";

export type PublisherRow = Row<"trusted_publishers">;

export const listPublishers = (db: Db, projectId: string): Promise<PublisherRow[]> =>
  db
    .selectFrom("trusted_publishers")
    .selectAll()
    .where("project_id", "=", projectId)
    .orderBy("date_created")
    .orderBy("id")
    .execute();

/**
 * The publishers of a project (by id, slug or old slug) that trust builds of this repository, whether or not the
 * project is public.
 */
export function listTrusting(
  db: Db,
  ref: string,
  { issuer, repository }: { issuer: string; repository: string },
): Promise<PublisherRow[]> {
  const slug = ref.toLowerCase();
  return (
    db
      .selectFrom("trusted_publishers as publisher")
      .selectAll("publisher")
      .where("issuer", "=", issuer)
      .where(sql<string>`lower(repository)`, "=", repository.toLowerCase())
      .where("publisher.project_id", "in", (select) =>
        select
          .selectFrom("projects")
          .select("projects.id")
          .where((or) =>
            or.or([
              or("projects.id", "=", ref),
              or("projects.slug", "=", slug),
              or("projects.id", "in", (old) =>
                old.selectFrom("project_old_slugs").select("project_id").where("slug", "=", slug),
              ),
            ]),
          ),
      )
      // If a slug is in use and also an old slug of another project, the current holder wins.
      .orderBy(
        sql`case when publisher.project_id = ${ref} then 0
        when publisher.project_id in (select id from projects where slug = ${slug}) then 1 else 2 end`,
      )
      .orderBy("publisher.date_created")
      .execute()
  );
}

export const toPublisher = (row: PublisherRow): TrustedPublisher => ({
  id: row.id,
  projectId: row.project_id,
  userId: row.user_id,
  issuer: row.issuer,
  repository: row.repository,
  workflow: row.workflow,
  environment: row.environment === "" ? null : row.environment,
  ownerId: row.owner_id,
  dateCreated: timestamp(row.date_created),
  dateLastUsed: maybeTimestamp(row.date_last_used),
});
