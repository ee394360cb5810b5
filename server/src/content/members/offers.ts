// Offers of ownership that were not answered yet, and the notifications about them.
import { sql } from "kysely";
import { toJson } from "#lib/json.js";
import { newId } from "#lib/random.js";
import type { Tx } from "#platform/changes/write.js";
import { inList } from "#platform/db/dialect.js";
import type { Db, Row } from "#platform/db/tables.js";
import type { Team } from "./read.js";

export interface Offer extends Row<"ownership_offers"> {
  /** The user to whom ownership is offered. */
  user_name: string;
}

export const findOffer = (db: Db, teamId: string, now: number): Promise<Offer | undefined> =>
  db
    .selectFrom("ownership_offers")
    .innerJoin("users", "users.id", "ownership_offers.user_id")
    .selectAll("ownership_offers")
    .select("users.user_name")
    .where("team_id", "=", teamId)
    .where("date_expires", ">", now)
    .executeTakeFirst();

export interface OfferedTeam {
  teamId: string;
  name: string;
  /** "/project/lamps" */
  path: string;
  offeredBy: string;
}

/** Projects and organizations that others offer to this user, newest first. */
export async function listOffersTo(db: Db, userId: string, now: number): Promise<OfferedTeam[]> {
  const rows = await db
    .selectFrom("ownership_offers as offer")
    .innerJoin("users as owner", "owner.id", "offer.offered_by")
    .leftJoin("projects", "projects.team_id", "offer.team_id")
    .leftJoin("organizations", "organizations.team_id", "offer.team_id")
    .select(["offer.team_id", "owner.user_name", "projects.name as project_name", "projects.slug as project_slug"])
    .select(["organizations.name as org_name", "organizations.slug as org_slug"])
    .where("offer.user_id", "=", userId)
    .where("offer.date_expires", ">", now)
    .orderBy("offer.date_created", "desc")
    .orderBy("offer.team_id")
    .execute();
  return rows.map((row) => ({
    teamId: row.team_id,
    name: row.project_name ?? row.org_name ?? "",
    path: row.project_slug === null ? `/organization/${row.org_slug}` : `/project/${row.project_slug}`,
    offeredBy: row.user_name,
  }));
}

const keyOf = (teamId: string): string => `ownership:${teamId}`;

/** Deletes the offers to one user, or all offers. */
export async function deleteOffers({ db }: Tx, teamIds: readonly string[], userId?: string): Promise<void> {
  const offers = db.deleteFrom("ownership_offers").where(inList(db, sql.ref("team_id"), teamIds));
  const notices = db.deleteFrom("notifications").where(inList(db, sql.ref("group_key"), teamIds.map(keyOf)));
  await (userId === undefined ? offers : offers.where("user_id", "=", userId)).execute();
  await (userId === undefined ? notices : notices.where("user_id", "=", userId)).execute();
}

export async function notifyAboutOffer(
  tx: Tx,
  { id, projectId, org }: Team,
  userId: string,
  type: "ownership_offer" | "ownership_taken" | "ownership_declined",
  more: Record<string, string>,
): Promise<void> {
  const about = projectId === null ? { orgId: org?.id } : { projectId };
  await tx.db
    .insertInto("notifications")
    .values({
      id: newId(tx.random),
      user_id: userId,
      type,
      // The notification about an offer is deleted with the offer; the one about its outcome stays.
      group_key: type === "ownership_offer" ? keyOf(id) : null,
      body: toJson<unknown>({ teamId: id, ...about, ...more }),
      date_created: tx.now,
      date_read: null,
    })
    .execute();
}
