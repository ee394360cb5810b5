// Adding and removing trusted publishers, and issuing tokens to their builds.

import { createHash } from "node:crypto";
import { insertToken } from "#accounts/tokens/write.js";
import { findProjectRights } from "#content/members/rights.js";
import { newId } from "#lib/random.js";
import type { Tx } from "#platform/changes/write.js";
import type { Row } from "#platform/db/tables.js";
import { fail, invalid } from "#platform/errors.js";
import { say } from "#words/said.js";
import { maxPublishers, tokenMinutes } from "./contract.js";
import { type BuildIdentity, IdentityRefused, type TrustedIssuer } from "./identity.js";
import { listPublishers, listTrusting, type PublisherRow } from "./read.js";

export interface PublisherInput {
  issuer: string;
  repository: string;
  workflow: string;
  environment?: string | null | undefined;
}

/** The caller has locked the project, so that concurrent requests cannot exceed the limit. */
export async function createPublisher(
  tx: Tx,
  project: Row<"projects">,
  userId: string,
  input: PublisherInput,
  issuers: readonly TrustedIssuer[],
): Promise<PublisherRow> {
  if (!issuers.some(({ url }) => url === input.issuer)) throw invalid({ path: "issuer", message: say.problems.issuer });
  const existing = await listPublishers(tx.db, project.id);
  const values = { ...input, environment: input.environment ?? "" };
  if (existing.some((row) => isSame(row, values))) throw fail.publisherKnown();
  if (existing.length >= maxPublishers) throw fail.limitReached(say.limits.publishers(maxPublishers));
  const row = await tx.db
    .insertInto("trusted_publishers")
    .values({
      id: newId(tx.random),
      project_id: project.id,
      user_id: userId,
      ...values,
      owner_id: null,
      date_created: tx.now,
      date_last_used: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  tx.audit("token.publisher.add", { kind: "project", id: project.id }, detailOf(row));
  return row;
}

const isSame = (row: PublisherRow, input: PublisherInput): boolean =>
  row.issuer === input.issuer &&
  row.repository.toLowerCase() === input.repository.toLowerCase() &&
  row.workflow === input.workflow &&
  row.environment === input.environment;

/** Also revokes the tokens of its builds. */
export async function deletePublisher(tx: Tx, project: Row<"projects">, id: string): Promise<void> {
  const tokens = await tx.db.selectFrom("tokens").select("id").where("publisher_id", "=", id).execute();
  const row = await tx.db
    .deleteFrom("trusted_publishers")
    .where("id", "=", id)
    .where("project_id", "=", project.id)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw fail.publisherNotFound();
  for (const token of tokens) tx.changed("token", token.id);
  tx.audit("token.publisher.remove", { kind: "project", id: project.id }, detailOf(row));
}

const detailOf = (row: PublisherRow) => ({
  publisherId: row.id,
  issuer: row.issuer,
  repository: row.repository,
  workflow: row.workflow,
  ...(row.environment !== "" && { environment: row.environment }),
});

/**
 * Throws IdentityRefused. The messages contain only what the token says, because its bearer may not see the project.
 */
export async function exchangeIdentity(tx: Tx, ref: string, identity: BuildIdentity) {
  await spend(tx, identity);
  const publisher = await getTrusting(tx, ref, identity);
  await checkStanding(tx, publisher);
  await pinOwner(tx, publisher, identity);
  const made = await insertToken(tx, publisher.user_id, {
    name: `${publisher.repository} · ${publisher.workflow}`.slice(0, 64),
    scopes: ["version_create"],
    dateExpires: tx.now + tokenMinutes * 60_000,
    projectId: publisher.project_id,
    publisherId: publisher.id,
    provenance: identity.provenance,
  });
  // The object is the user, so that they see it although a program did it.
  tx.audit(
    "token.exchange",
    { kind: "user", id: publisher.user_id },
    { ...detailOf(publisher), projectId: publisher.project_id, tokenId: made.row.id, ...identity.provenance },
  );
  return made;
}

/**
 * Runs first and is rolled back if the exchange fails: the second of two concurrent requests waits here for the first.
 */
async function spend({ db }: Tx, { issuer, tokenId, dateExpires }: BuildIdentity): Promise<void> {
  const digest = createHash("sha256")
    .update(JSON.stringify([issuer, tokenId]))
    .digest();
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("spent_identities")
    .values({ digest, date_expires: dateExpires })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) throw new IdentityRefused(say.identity.used);
}

async function getTrusting({ db }: Tx, ref: string, identity: BuildIdentity): Promise<PublisherRow> {
  const { repository, workflow, environment } = identity;
  const fitting = (await listTrusting(db, ref, identity)).filter(
    (row) => row.workflow === workflow && (row.environment === "" || row.environment === environment),
  );
  const project = fitting[0]?.project_id;
  const own = fitting.filter((row) => row.project_id === project);
  // The publisher with an environment is more specific, so it wins.
  const publisher = own.find((row) => row.environment !== "") ?? own[0];
  if (!publisher) {
    throw new IdentityRefused(
      environment === ""
        ? say.identity.noPublisher(repository, workflow)
        : say.identity.noPublisherIn(repository, workflow, environment),
    );
  }
  return publisher;
}

/** The owner account of the first use is recorded: a different account that takes over an abandoned name is refused. */
async function pinOwner({ db, now }: Tx, { id }: PublisherRow, { ownerId, repository }: BuildIdentity): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("trusted_publishers")
    .set({ date_last_used: now, owner_id: ownerId })
    .where("id", "=", id)
    .where((or) => or.or([or("owner_id", "is", null), or("owner_id", "=", ownerId)]))
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new IdentityRefused(say.identity.otherOwner(repository));
}

/** A publisher has only the rights of the user who added it. */
async function checkStanding({ db }: Tx, { user_id, project_id }: PublisherRow): Promise<void> {
  const user = await db
    .selectFrom("users")
    .select(["id", "user_name", "date_suspended"])
    .where("id", "=", user_id)
    .executeTakeFirst();
  const viewer = user && { id: user.id, userName: user.user_name, role: "user" as const, boundTo: project_id };
  const rights = viewer && user.date_suspended === null ? await findProjectRights(db, viewer, project_id) : undefined;
  if (!rights?.permissions.has("upload_version")) throw new IdentityRefused(say.identity.mayNotPublish);
}
