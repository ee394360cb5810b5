// Applies the verdict about a stored content: versions that waited for it become visible, and those with a finding go into
// quarantine, where moderators decide.
import { failed, tooLarge, toScanRow } from "#content/scans/scan.js";
import { isAbout, settleVersions } from "#content/versions/held-versions.js";
import { lengths } from "#lib/lengths.js";
import { quarantineScanned } from "#moderation/quarantine/write.js";
import { type Tx, write } from "#platform/changes/write.js";
import { lockContentsAlone } from "#platform/db/dialect.js";
import type { Row } from "#platform/db/tables.js";
import type { Resources } from "#platform/http/resources.js";
import type { Verdict } from "#platform/scanner/scanner.js";

/** "failed": the scanner works, but not for this content. */
export type Conclusion = Verdict | { kind: "failed" };

type ScanRow = Row<"file_scans">;

/**
 * `isNew`: the content was just published; what cannot be scanned is held if the settings say so. Contents that are
 * scanned again stay available then.
 */
export async function conclude(
  resources: Resources,
  sha512: Uint8Array,
  conclusion: Conclusion,
  { scanner, isNew }: { scanner: string; isNew: boolean },
): Promise<"found" | "none"> {
  return write(resources, { credential: "job" }, async (tx) => {
    await lockContentsAlone(tx.db);
    const before = await tx.db.selectFrom("file_scans").selectAll().where("sha512", "=", sha512).executeTakeFirst();
    const isHolding = isNew && resources.config.scanner.whenUnscanned === "hold";
    const verdict: Verdict = conclusion.kind === "failed" ? { kind: "tooLarge" } : conclusion;
    const row = toScanRow(verdict, scanner, tx.now, isHolding);
    const finding = conclusion.kind === "failed" ? failed : row.finding;
    await saveRow(tx, sha512, { ...row, finding, holds: 0 }, before);
    if (row.holds === 1 && before?.released !== finding) {
      const isNewlyHeld = await quarantineScanned(tx, sha512, await toReason(tx, sha512, finding!));
      return conclusion.kind === "infected" && isNewlyHeld ? "found" : "none";
    }
    await settleVersions(tx, isAbout({ version_id: null, sha512 }));
    return "none";
  });
}

const saveRow = (
  { db, now }: Tx,
  sha512: Uint8Array,
  row: Omit<ScanRow, "sha512" | "released" | "date_created">,
  before: ScanRow | undefined,
) =>
  before
    ? db.updateTable("file_scans").set(row).where("sha512", "=", sha512).execute()
    : db
        .insertInto("file_scans")
        .values({ ...row, sha512, released: null, date_created: now })
        .execute();

/** A finding that was recorded with the publication. */
export async function concludeFound(resources: Resources, { sha512 }: ScanRow): Promise<void> {
  await write(resources, { credential: "job" }, async (tx) => {
    await lockContentsAlone(tx.db);
    const row = await tx.db.selectFrom("file_scans").selectAll().where("sha512", "=", sha512).executeTakeFirst();
    if (!row || row.holds === 0 || row.state === "waiting") return;
    await tx.db.updateTable("file_scans").set({ holds: 0 }).where("sha512", "=", sha512).execute();
    await quarantineScanned(tx, sha512, await toReason(tx, sha512, row.finding ?? failed));
  });
}

/** Versions no longer wait for the verdict: the operator has changed the setting, or turned the scanner off. */
export async function release(resources: Resources, sha512: Uint8Array, isOff: boolean): Promise<void> {
  await write(resources, { credential: "job" }, async (tx) => {
    await lockContentsAlone(tx.db);
    if (isOff)
      await tx.db.deleteFrom("file_scans").where("sha512", "=", sha512).where("state", "=", "waiting").execute();
    else
      await tx.db
        .updateTable("file_scans")
        .set({ holds: 0 })
        .where("sha512", "=", sha512)
        .where("state", "=", "waiting")
        .execute();
    await settleVersions(tx, isAbout({ version_id: null, sha512 }));
  });
}

/** In English, like the reasons of moderators; the authors read it in their thread. */
async function toReason({ db }: Tx, sha512: Uint8Array, finding: string): Promise<string> {
  const file = await db
    .selectFrom("version_files")
    .select("name")
    .where("sha512", "=", sha512)
    .orderBy("date_created", "desc")
    .limit(1)
    .executeTakeFirst();
  const name = (file?.name ?? "a file").slice(0, 120);
  const reason =
    finding === tooLarge
      ? `${name} is larger than the malware scanner accepts`
      : finding === failed
        ? `The malware scanner could not scan ${name}`
        : `The malware scanner found ${finding} in ${name}`;
  return reason.slice(0, lengths.moderationReason[1]);
}
