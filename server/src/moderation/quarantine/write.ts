// Puts versions and contents into quarantine, and lifts it. Each runs in the caller's transaction, and writes one entry
// to the audit log for any number of versions.

import { addMessages, getProjectThreadId, textBody } from "#content/threads/messages.js";
import { listOwnerIds, notify } from "#content/threads/notifications.js";
import { isAbout, settleVersions } from "#content/versions/held-versions.js";
import { newId } from "#lib/random.js";
import type { Tx } from "#platform/changes/write.js";
import { brokenUnique, lockContentsAlone } from "#platform/db/dialect.js";
import type { Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import { say } from "#words/said.js";
import { addDeniedHash } from "./denied-write.js";

export interface QuarantineInput {
  /** Exactly one of the two is set. */
  versionId: string | null;
  /** In hexadecimal. */
  sha512: string | null;
  reason: string;
  /** Allowed only with a hash. */
  deny: boolean;
}

export async function createQuarantine(
  tx: Tx,
  moderatorId: string,
  { versionId, sha512, reason, deny }: QuarantineInput,
): Promise<{ id: string; versions: number }> {
  await lockContentsAlone(tx.db);
  if (versionId !== null) await getVersion(tx, versionId);
  const target = { version_id: versionId, sha512: sha512 === null ? null : Buffer.from(sha512, "hex") };
  const id = newId(tx.random);
  const made = { created_by: moderatorId, date_created: tx.now, lifted_by: null, date_lifted: null };
  try {
    await tx.db
      .insertInto("quarantines")
      .values({ id, ...target, reason, ...made })
      .execute();
  } catch (error) {
    throw brokenUnique(error)?.startsWith("quarantines_") ? fail.wrongState(say.states.quarantinedAlready) : error;
  }
  const { hidden } = await settleVersions(tx, isAbout(target));
  await tell(tx, hidden, moderatorId, "version_quarantined", reason);
  const isDenied = deny && target.sha512 !== null && (await addDeniedHash(tx, moderatorId, target.sha512, reason));
  const about = versionId === null ? { sha512 } : { versionId };
  tx.audit("quarantine.create", { kind: "quarantine", id }, { ...about, reason, ...noted(hidden), denied: isDenied });
  return { id, versions: hidden.length };
}

/**
 * The same for a content that the malware scanner has found something in, or could not scan. The versions may be hidden
 * already, until the scan; their authors are told now, and so are the moderators. False if it is in quarantine already.
 */
export async function quarantineScanned(tx: Tx, sha512: Uint8Array, reason: string): Promise<boolean> {
  const isStanding = await tx.db
    .selectFrom("quarantines")
    .select("id")
    .where("sha512", "=", sha512)
    .where("date_lifted", "is", null)
    .executeTakeFirst();
  const target = { version_id: null, sha512 };
  const id = newId(tx.random);
  const made = { created_by: null, date_created: tx.now, lifted_by: null, date_lifted: null };
  if (!isStanding)
    await tx.db
      .insertInto("quarantines")
      .values({ id, ...target, reason, ...made })
      .execute();
  await settleVersions(tx, isAbout(target));
  if (isStanding) return false;
  const versions = await tx.db.selectFrom("versions").selectAll().where(isAbout(target)).orderBy("id").execute();
  await tell(tx, versions, null, "version_quarantined", reason);
  const detail = { sha512: Buffer.from(sha512).toString("hex"), reason, ...noted(versions), denied: false };
  tx.audit("quarantine.create", { kind: "quarantine", id }, detail);
  return true;
}

/** A content can be in thousands of versions; the entry stays readable. */
const noted = (versions: readonly Row<"versions">[]) => ({
  versions: versions.slice(0, 100).map(({ id }) => id),
  count: versions.length,
});

async function getVersion({ db }: Tx, versionId: string): Promise<void> {
  const version = await db.selectFrom("versions").select("id").where("id", "=", versionId).executeTakeFirst();
  if (!version) throw fail.versionNotFound();
}

/** Returns how many versions are available again. */
export async function liftQuarantine(tx: Tx, moderatorId: string, quarantineId: string): Promise<number> {
  await lockContentsAlone(tx.db);
  const lifted = await tx.db
    .updateTable("quarantines")
    .set({ lifted_by: moderatorId, date_lifted: tx.now })
    .where("id", "=", quarantineId)
    .where("date_lifted", "is", null)
    .returningAll()
    .executeTakeFirst();
  if (!lifted) throw await whyNot(tx, quarantineId);
  // The malware scanner does not hold it again for the same finding.
  await tx.db
    .updateTable("file_scans")
    .set((row) => ({ released: row.ref("finding") }))
    .where("sha512", "=", lifted.sha512)
    .where("finding", "is not", null)
    .execute();
  const { shown } = await settleVersions(tx, isAbout(lifted));
  await tell(tx, shown, moderatorId, "version_released", "");
  tx.audit("quarantine.lift", { kind: "quarantine", id: quarantineId }, noted(shown));
  return shown.length;
}

async function whyNot({ db }: Tx, quarantineId: string) {
  const found = await db.selectFrom("quarantines").select("id").where("id", "=", quarantineId).executeTakeFirst();
  return found ? fail.wrongState(say.states.quarantineLifted) : fail.quarantineNotFound();
}

/**
 * Writes into the project's thread, and notifies its owners and the version's author if they are still a member. Without
 * a moderator, the malware scanner acts, and all moderators are notified too.
 */
async function tell(
  tx: Tx,
  versions: readonly Row<"versions">[],
  moderatorId: string | null,
  type: "version_quarantined" | "version_released",
  reason: string,
): Promise<void> {
  const moderators = moderatorId === null && versions.length > 0 ? await listModeratorIds(tx) : [];
  for (const version of versions) {
    const { id: versionId, project_id: projectId, version_number: versionNumber } = version;
    const text =
      type === "version_released"
        ? `Version ${versionNumber} is out of quarantine and visible to everyone again.`
        : `Version ${versionNumber} is in quarantine: ${reason}. Until a moderator decides, it is hidden and cannot be downloaded.`;
    const by = { authorId: moderatorId, byModerator: true };
    await addMessages(tx, await getProjectThreadId(tx, projectId), [{ ...by, type: "text", body: textBody(text) }]);
    const project = await tx.db
      .selectFrom("projects")
      .select(["team_id", "org_id"])
      .where("id", "=", projectId)
      .executeTakeFirstOrThrow();
    const readers = [...(await listOwnerIds(tx.db, project, version.author_id)), ...moderators];
    const body = { projectId, versionId, versionNumber, ...(reason !== "" && { reason }) };
    await notify(tx, readers, { type, groupKey: `quarantine:${versionId}`, body });
  }
}

/** More than so many are not notified. */
const mostModerators = 100;

async function listModeratorIds({ db }: Tx): Promise<string[]> {
  const rows = await db
    .selectFrom("users")
    .select("id")
    .where("role", "!=", "user")
    .orderBy("id")
    .limit(mostModerators)
    .execute();
  return rows.map(({ id }) => id);
}
