// Scans new files before anyone else can download them. The request waits a bounded time for the verdict; without one, the
// setting decides whether the version is held until the job has scanned it (moderation/scans), or published at once.
// Verdicts are recorded by content, in the transaction that publishes.
import { createReadStream } from "node:fs";
import { expressionBuilder } from "kysely";
import type { Config } from "#config/config.js";
import { type Actor, type Tx, write } from "#platform/changes/write.js";
import type { Db, Row, Tables } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { StagedFile } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { ScannerTrouble, type Verdict } from "#platform/scanner/scanner.js";
import { say } from "#words/said.js";

/** For all files of a request together: shorter than the time after which proxies give up. */
const requestMs = 20_000;

/** How long a verdict of the same signatures counts. */
const verdictMs = 24 * 60 * 60 * 1000;

/** Why a content was not scanned, in the column of the findings. */
export const tooLarge = "tooLarge";
export const failed = "failed";

export interface FileScan {
  sha512: string;
  name: string;
  verdict: Verdict | { kind: "none" };
  /** The version of the scanner; null without a verdict. */
  scanner: string | null;
}

/** Empty if no scanner is set up. The same content is scanned once, and not again with the same signatures. */
export async function scanStaged(resources: Resources, files: readonly StagedFile[]): Promise<FileScan[]> {
  const { scanner, db, config, metrics, log, clock } = resources;
  if (!scanner.enabled || files.length === 0) return [];
  const until = clock.now() + requestMs;
  const contents = [...new Map(files.map((file) => [file.blob.sha512, file])).values()];
  const none = (): FileScan[] =>
    contents.map(({ name, blob }) => ({ name, sha512: blob.sha512, verdict: { kind: "none" }, scanner: null }));
  const version = await scanner.readVersion().catch((error) => noVerdict(resources, error));
  if (version === undefined) return none();
  const known = await findClean(
    db,
    contents.map(({ blob }) => blob.sha512),
    version,
    clock.now(),
  );
  const scanOne = async ({ name, blob }: StagedFile): Promise<FileScan> => {
    const { sha512 } = blob;
    if (known.has(sha512)) return { name, sha512, verdict: { kind: "clean" }, scanner: version };
    if (blob.size > config.scanner.largestBytes) return { name, sha512, verdict: { kind: tooLarge }, scanner: version };
    try {
      const verdict = await scanner.scan(() => createReadStream(blob.path), Math.max(1, until - clock.now()));
      metrics.scans.inc({ outcome: verdict.kind });
      if (verdict.kind === "infected") log.warn({ sha512, signature: verdict.signature }, "An upload is infected");
      return { name, sha512, verdict, scanner: version };
    } catch (error) {
      noVerdict(resources, error);
      return { name, sha512, verdict: { kind: "none" }, scanner: null };
    }
  };
  return Promise.all(contents.map(scanOne));
}

/** The caller goes on without a verdict; every other error is thrown. */
export function noVerdict({ metrics, log }: Resources, error: unknown): undefined {
  if (!(error instanceof ScannerTrouble)) throw error;
  metrics.scans.inc({ outcome: error.trouble });
  log.warn({ err: error }, "A file could not be scanned; it will be tried again");
}

async function findClean(db: Db, hashes: readonly string[], version: string, now: number): Promise<Set<string>> {
  const rows = await listScans(db, hashes);
  // Scanners with signatures of their own do not count them in their version.
  const isClean = ({ state, scanner, date_scanned }: Row<"file_scans">) =>
    state === "clean" && scanner === version && now - (date_scanned ?? 0) < verdictMs;
  return new Set(rows.filter(isClean).map(({ sha512 }) => Buffer.from(sha512).toString("hex")));
}

/** For use in a query over file_scans. */
const isAmong = (hashes: readonly string[]) =>
  expressionBuilder<Tables, "file_scans">()(
    "sha512",
    "in",
    hashes.map((hash) => Buffer.from(hash, "hex")),
  );

const listScans = (db: Db, hashes: readonly string[]): Promise<Row<"file_scans">[]> =>
  db.selectFrom("file_scans").selectAll().where(isAmong(hashes)).execute();

/** The columns of a verdict. `isHolding`: what cannot be scanned is held. */
export function toScanRow(verdict: FileScan["verdict"], scanner: string | null, now: number, isHolding: boolean) {
  const holding = isHolding ? (1 as const) : (0 as const);
  const seen = { scanner, attempts: 0, date_scanned: now };
  switch (verdict.kind) {
    case "clean":
      return { ...seen, state: "clean", holds: 0, finding: null } as const;
    case "infected":
      return { ...seen, state: "infected", holds: 1, finding: verdict.signature } as const;
    case "tooLarge":
      return { ...seen, state: "unscanned", holds: holding, finding: tooLarge } as const;
    case "none":
      return { ...seen, date_scanned: null, state: "waiting", holds: holding, finding: null } as const;
  }
}

/** Returns whether the version with these files must be hidden. An earlier verdict counts where there is no new one. */
export async function recordScans(
  tx: Tx,
  { whenUnscanned }: Config["scanner"],
  scans: readonly FileScan[],
): Promise<boolean> {
  if (scans.length === 0) return false;
  // Sorted, so that two uploads of the same files cannot deadlock.
  for (const { sha512, verdict, scanner } of scans.toSorted((a, b) => (a.sha512 < b.sha512 ? -1 : 1))) {
    const row = { ...toScanRow(verdict, scanner, tx.now, whenUnscanned === "hold"), date_created: tx.now };
    await tx.db
      .insertInto("file_scans")
      .values({ sha512: Buffer.from(sha512, "hex"), released: null, ...row })
      .onConflict((conflict) =>
        verdict.kind === "none"
          ? conflict.doNothing()
          : conflict
              .column("sha512")
              .doUpdateSet(row)
              // Other versions wait for the job, which shows them.
              .where("file_scans.state", "!=", "waiting"),
      )
      .execute();
  }
  // A moderator has accepted exactly this finding.
  await tx.db
    .updateTable("file_scans")
    .set({ holds: 0 })
    .where(isAmong(scans.map(({ sha512 }) => sha512)))
    .whereRef("released", "=", "finding")
    .execute();
  const rows = await listScans(
    tx.db,
    scans.map(({ sha512 }) => sha512),
  );
  const isHeld = rows.some(({ holds }) => holds === 1);
  const isFound = rows.some(({ holds, state }) => holds === 1 && state !== "waiting");
  if (isFound || rows.some(({ state }) => state === "waiting")) enqueueScans(tx, { isUrgent: isFound });
  return isHeld;
}

/** `isUrgent`: now, even if the next try is scheduled for later. */
export const enqueueScans = (
  tx: Tx,
  { runAfter = tx.now, tries = 0, isUrgent = false }: { runAfter?: number; tries?: number; isUrgent?: boolean } = {},
): void => tx.enqueue("scan-files", { tries }, { dedupeKey: isUrgent ? "scan-files now" : "scan-files", runAfter });

/**
 * For files that are added to a public version, which must not disappear because of them: what would be held is refused,
 * and a finding is in the audit log.
 */
export async function refuseUnscanned(
  resources: Resources,
  actor: Actor,
  versionId: string,
  scans: readonly FileScan[],
): Promise<void> {
  const infected = scans.find(({ verdict }) => verdict.kind === "infected");
  if (infected?.verdict.kind === "infected") {
    const { name, sha512, verdict } = infected;
    if (await isAccepted(resources.db, sha512, verdict.signature)) return;
    await write(resources, actor, async (tx) =>
      tx.audit("scan.refuse", { kind: "version", id: versionId }, { file: name, signature: verdict.signature, sha512 }),
    );
    throw fail.fileRefused(name, say.files.infected(verdict.signature));
  }
  if (resources.config.scanner.whenUnscanned === "publish") return;
  const unseen = scans.find(({ verdict }) => verdict.kind === "tooLarge" || verdict.kind === "none");
  if (!unseen) return;
  const isLarge = unseen.verdict.kind === "tooLarge";
  if (isLarge && (await isAccepted(resources.db, unseen.sha512, tooLarge))) return;
  throw fail.fileRefused(unseen.name, isLarge ? say.files.tooLargeToScan : say.files.notScanned);
}

async function isAccepted(db: Db, sha512: string, finding: string): Promise<boolean> {
  const [row] = await listScans(db, [sha512]);
  return row?.released === finding;
}
