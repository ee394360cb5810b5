// The tables of a backup, as files: a line of JSON for each row, bytes in base64.
import { createHash, type Hash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type { LoadedColumn } from "#platform/db/loading.js";
import type { Snapshot } from "#platform/db/snapshot.js";
import { tables } from "#platform/db/tables.js";
import { type TableEntry, tableFile } from "./layout.js";

/** Tables that are not restored: old sessions and codes, and data on one server's disk only. */
const leftOut = new Set([
  ...["sessions", "one_time_codes", "oauth_flows", "sign_in_steps", "idempotency_keys", "rate_buckets", "uploads"],
  ...["familiar_addresses"],
  // Needed for hours or minutes.
  ...["recent_downloads", "recent_views", "figure_changes"],
  // Rebuilt from the projects.
  ...["search_documents"],
]);

/** Tables whose rows need stored bytes. */
const referring = new Set(["images", "report_pictures", "site_pictures", "version_files"]);

/** The blobs come last: only referenced ones are included. */
export const savedTables = (): string[] => [
  ...Object.keys(tables).filter((name) => name !== "blobs" && !leftOut.has(name)),
  "blobs",
];

const columnsOf = (table: string): LoadedColumn[] =>
  Object.entries(tables[table as keyof typeof tables]).map(([name, { kind }]) => ({ name, kind }));

export interface SavedBlob {
  sha512: string;
  size: number;
}

/** Writes all tables. Returns their entries for the manifest, and the files that they need. */
export async function saveTables(
  snapshot: Snapshot,
  moment: string,
): Promise<{ tables: TableEntry[]; blobs: SavedBlob[] }> {
  const entries: TableEntry[] = [];
  const needed = new Set<string>();
  const blobs: SavedBlob[] = [];
  for (const name of savedTables()) {
    const columns = columnsOf(name);
    const at = columns.findIndex((column) => column.name === "sha512");
    const size = columns.findIndex((column) => column.name === "size");
    const keep = (row: unknown[]): boolean => {
      if (at < 0 || row[at] === null) return true;
      const sha512 = Buffer.from(row[at] as Uint8Array).toString("hex");
      if (referring.has(name)) needed.add(sha512);
      if (name !== "blobs") return true;
      if (!needed.has(sha512)) return false;
      blobs.push({ sha512, size: Number(row[size]) });
      return true;
    };
    entries.push(await saveTable(snapshot, moment, { name, columns }, keep));
  }
  return { tables: entries, blobs };
}

async function saveTable(
  snapshot: Snapshot,
  moment: string,
  { name, columns }: Pick<TableEntry, "name" | "columns">,
  keep: (row: unknown[]) => boolean,
): Promise<TableEntry> {
  let rows = 0;
  const isBytes = columns.map(({ kind }) => kind === "bytes");
  const toLine = (row: unknown[]): string => {
    const values = row.map((value, at) =>
      isBytes[at] && value !== null ? Buffer.from(value as Uint8Array).toString("base64") : value,
    );
    return `${JSON.stringify(values)}\n`;
  };
  const read = snapshot.read(
    name,
    columns.map((column) => column.name),
  );
  const lines = async function* () {
    for await (const part of read) {
      const kept = part.filter(keep);
      rows += kept.length;
      if (kept.length > 0) yield kept.map(toLine).join("");
    }
  };
  const path = tableFile(moment, name);
  const hash = createHash("sha256");
  await pipeline(Readable.from(lines()), createGzip(), hashing(hash), createWriteStream(path, { mode: 0o600 }));
  await settle(path);
  return { name, columns, rows, sha256: hash.digest("hex") };
}

/** Hashes the bytes that pass through. */
export const hashing = (hash: Hash) =>
  async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  };

/** Written to the disk, not only to its cache. */
export async function settle(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

const rowsAtOnce = 500;

/** In parts, bytes as Buffers. */
export async function* readTable(moment: string, { name, columns }: TableEntry): AsyncGenerator<unknown[][]> {
  const isBytes = columns.map(({ kind }) => kind === "bytes");
  const source = createReadStream(tableFile(moment, name));
  const unzipped = createGunzip();
  source.on("error", (error) => unzipped.destroy(error));
  let part: unknown[][] = [];
  for await (const line of createInterface({ input: source.pipe(unzipped), crlfDelay: Number.POSITIVE_INFINITY })) {
    const row = JSON.parse(line) as unknown[];
    part.push(row.map((value, at) => (isBytes[at] && value !== null ? Buffer.from(value as string, "base64") : value)));
    if (part.length < rowsAtOnce) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
