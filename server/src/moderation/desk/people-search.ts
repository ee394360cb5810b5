// Finds users: for moderators by name, for administrators by the beginning of the email address as well.
import { sql } from "kysely";
import { inList } from "#platform/db/dialect.js";
import { placeholderId } from "#platform/db/placeholder.js";
import type { Db, Row, UserRole } from "#platform/db/tables.js";

export interface PeopleFilter {
  /** The ids of the users whose names match the text. Absent: all users. */
  named?: readonly string[] | undefined;
  /** Users whose email address begins with this are found too. */
  email?: string | undefined;
  role?: UserRole;
  suspended?: boolean;
  limit?: number;
  offset?: number;
}

export type FoundPerson = Pick<Row<"users">, "id" | "user_name" | "email" | "role" | "date_joined" | "date_suspended">;

/** Sorts after every character of an email address, on both databases. */
const lastCharacter = "\u{10ffff}";

/** Newest first. */
export async function searchPeople(
  db: Db,
  { named, email, role, suspended, limit = 50, offset = 0 }: PeopleFilter,
): Promise<FoundPerson[]> {
  return db
    .selectFrom("users")
    .select(["id", "user_name", "email", "role", "date_joined", "date_suspended"])
    .where("id", "!=", placeholderId)
    .$if(named !== undefined, (query) =>
      query.where(({ or }) => {
        const byName = inList(db, sql.ref("id"), named!);
        return email === undefined ? byName : or([byName, beginsWith(email.toLowerCase())]);
      }),
    )
    .$if(role !== undefined, (query) => query.where("role", "=", role!))
    .$if(suspended === true, (query) => query.where("date_suspended", "is not", null))
    .orderBy("date_joined", "desc")
    .orderBy("id")
    .limit(limit)
    .offset(offset)
    .execute();
}

/** A range of the index of addresses. */
const beginsWith = (start: string) =>
  sql<boolean>`(lower(email) >= ${start} and lower(email) < ${start + lastCharacter})`;
