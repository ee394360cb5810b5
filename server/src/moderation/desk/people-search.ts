// Finds users: for moderators by name, for administrators by email address as well.
import { sql } from "kysely";
import { placeholderId } from "#platform/db/placeholder.js";
import type { Db, Row, UserRole } from "#platform/db/tables.js";

export interface PeopleFilter {
  q?: string;
  role?: UserRole;
  suspended?: boolean;
  limit?: number;
  offset?: number;
}

export type FoundPerson = Pick<Row<"users">, "id" | "user_name" | "email" | "role" | "date_joined" | "date_suspended">;

/** Newest first. `byEmail`: whether email addresses are searched. */
export async function searchPeople(
  db: Db,
  { q = "", role, suspended, limit = 50, offset = 0 }: PeopleFilter,
  { byEmail }: { byEmail: boolean },
): Promise<FoundPerson[]> {
  const words = `%${q
    .trim()
    .toLowerCase()
    .replaceAll(/[\\%_]/g, "\\$&")}%`;
  const isFound = byEmail
    ? sql<boolean>`(lower(user_name) like ${words} escape '\\' or lower(email) like ${words} escape '\\')`
    : sql<boolean>`lower(user_name) like ${words} escape '\\'`;
  return db
    .selectFrom("users")
    .select(["id", "user_name", "email", "role", "date_joined", "date_suspended"])
    .where("id", "!=", placeholderId)
    .$if(q.trim() !== "", (query) => query.where(isFound))
    .$if(role !== undefined, (query) => query.where("role", "=", role!))
    .$if(suspended === true, (query) => query.where("date_suspended", "is not", null))
    .orderBy("date_joined", "desc")
    .orderBy("id")
    .limit(limit)
    .offset(offset)
    .execute();
}
