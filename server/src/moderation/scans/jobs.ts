// Scans stored files in the background: those that wait for their verdict, and everything again on request. Both continue
// after a restart, and try again later if the scanner cannot be reached.
import { enqueueScans, noVerdict, tooLarge } from "#content/scans/scan.js";
import type { BlobStore } from "#platform/blobs/store.js";
import { write } from "#platform/changes/write.js";
import type { Db, Row } from "#platform/db/tables.js";
import type { Resources } from "#platform/http/resources.js";
import { type Conclusion, conclude, concludeFound, release } from "./conclude.js";

/** For one file, with the time that it waits for its turn. */
const fileMs = 10 * 60 * 1000;
const pageSize = 50;
/** A file for which the scanner fails so often is not scanned. */
const mostTries = 6;
const longestDelayMs = 5 * 60 * 1000;

/** 10 s, 20 s, 40 s … up to five minutes: a scanner that is started again is used soon. */
export const retryDelayMs = (tries: number): number => Math.min(10_000 * 2 ** tries, longestDelayMs);

/** "gone": its bytes are not stored any more. Undefined if the scanner gave no verdict. */
export async function scanStored(
  resources: Resources,
  sha512: Uint8Array,
): Promise<Conclusion | { kind: "gone" } | undefined> {
  const { blobs, scanner, config, metrics } = resources;
  const hash = Buffer.from(sha512).toString("hex");
  const blob = await blobs.find(hash);
  if (!blob) return { kind: "gone" };
  if (blob.size > config.scanner.largestBytes) return { kind: tooLarge };
  try {
    const verdict = await scanner.scan(() => contentOf(blobs, hash), fileMs);
    metrics.scans.inc({ outcome: verdict.kind });
    return verdict;
  } catch (error) {
    return noVerdict(resources, error);
  }
}

async function* contentOf(blobs: BlobStore, hash: string): AsyncGenerator<Uint8Array> {
  const blob = await blobs.open(hash);
  if (!blob) throw new Error("The file was deleted while it waited for its scan");
  yield* blob.stream;
}

/** The files whose verdict is missing or not applied, after the given one. */
const listOpen = (db: Db, after: Row<"file_scans"> | undefined): Promise<Row<"file_scans">[]> =>
  db
    .selectFrom("file_scans")
    .selectAll()
    .where((or) => or.or([or("state", "=", "waiting"), or("holds", "=", 1)]))
    .$if(after !== undefined, (query) =>
      query.where((or) =>
        or.or([
          or("date_created", ">", after!.date_created),
          or.and([or("date_created", "=", after!.date_created), or("sha512", ">", after!.sha512)]),
        ]),
      ),
    )
    .orderBy("date_created")
    .orderBy("sha512")
    .limit(pageSize)
    .execute();

export async function scanFiles(resources: Resources, { tries = 0 }: { tries?: number }): Promise<void> {
  const { db, scanner, config, clock, metrics } = resources;
  const isOff = !scanner.enabled;
  const version = isOff ? undefined : await scanner.readVersion().catch((error) => noVerdict(resources, error));
  let left = 0;
  for (let page = await listOpen(db, undefined); page.length > 0; page = await listOpen(db, page.at(-1))) {
    // The scanner limits how many run at once.
    const outcomes = await Promise.all(
      page.map(async (row): Promise<boolean> => {
        if (row.state !== "waiting") await concludeFound(resources, row);
        else if (version !== undefined) return scanWaiting(resources, row, version);
        else {
          const mayRelease = isOff || config.scanner.whenUnscanned === "publish";
          if (mayRelease && (isOff || row.holds === 1)) await release(resources, row.sha512, isOff);
          return isOff;
        }
        return true;
      }),
    );
    left += outcomes.filter((isDone) => !isDone).length;
  }
  metrics.waitingScans.set(left);
  if (left === 0) return;
  const next = version === undefined ? tries + 1 : 0;
  await write(resources, { credential: "job" }, async (tx) =>
    enqueueScans(tx, { runAfter: clock.now() + retryDelayMs(next), tries: next }),
  );
}

/** False if it must be tried again. */
async function scanWaiting(resources: Resources, row: Row<"file_scans">, scanner: string): Promise<boolean> {
  const { sha512 } = row;
  const found = await scanStored(resources, sha512);
  if (found?.kind === "gone") await release(resources, sha512, true);
  else if (found) await conclude(resources, sha512, found, { scanner, isNew: true });
  else if (row.attempts + 1 >= mostTries)
    await conclude(resources, sha512, { kind: "failed" }, { scanner, isNew: true });
  else {
    const attempts = row.attempts + 1;
    await resources.db.updateTable("file_scans").set({ attempts }).where("sha512", "=", sha512).execute();
    if (resources.config.scanner.whenUnscanned === "publish" && row.holds === 1)
      await release(resources, sha512, false);
    return false;
  }
  return true;
}
