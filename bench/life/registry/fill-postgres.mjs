// Writes the generated rows into a PostgreSQL database that has the product's schema: COPY, without checking references
// row by row, and indexes that are built after the rows.
import pg from "pg";
import { blobRows, otherRows, rowsOfVersions } from "./derived-rows.mjs";
import { columns, writeFileRows, writeProjectRows, writeVersionRows } from "./rows.mjs";

/** Characters of one table that are sent together. */
const batch = 1_000_000;

/** COPY FROM STDIN as a query of `pg`, which has the protocol but no such query. */
class Copy {
  constructor(text, rows, resolve, reject) {
    Object.assign(this, { text, rows, resolve, reject });
  }

  submit(connection) {
    connection.query(this.text);
  }

  handleCopyInResponse(connection) {
    connection.sendCopyFromChunk(Buffer.from(this.rows));
    connection.endCopyFrom();
  }

  handleCommandComplete() {}

  handleReadyForQuery() {
    if (this.error) this.reject(this.error);
    else this.resolve();
  }

  handleError(error) {
    this.error = error;
  }
}

const special = /[\\\t\n\r]/g;
const escapes = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

function toText(value) {
  if (value === null) return "\\N";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return value.replace(special, (character) => escapes[character]);
  return `\\\\x${value.toString("hex")}`;
}

export async function fillPostgres(url, world, extras, blobs) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("SET session_replication_role = replica; SET maintenance_work_mem = '512MB'; BEGIN");
  const indexes = await dropIndexes(client, [
    ...Object.keys(columns),
    "version_compat",
    "download_days",
    "public_things",
  ]);
  const waiting = new Map(Object.keys(columns).map((table) => [table, []]));
  const sizes = new Map();
  const send = (table) =>
    new Promise((resolve, reject) => {
      const names = columns[table].trim().split(/\s+/).join();
      const rows = waiting.get(table).join("");
      waiting.set(table, []);
      sizes.set(table, 0);
      client.query(new Copy(`COPY ${table} (${names}) FROM STDIN`, rows, resolve, reject));
    });
  const put = (table, values) => {
    const line = `${values.map(toText).join("\t")}\n`;
    waiting.get(table).push(line);
    sizes.set(table, (sizes.get(table) ?? 0) + line.length);
  };
  const settle = async (least = batch) => {
    for (const [table, size] of sizes) if (size >= least) await send(table);
  };
  for (const blob of blobs) put("blobs", [blob.sha512, blob.sha1, blob.size, world.now]);
  await writeProjectRows(world, extras, put, settle);
  await writeVersionRows(world, put, settle);
  await writeFileRows(world, put, settle);
  await settle(1);
  await client.query(blobRows);
  for (const statement of [...rowsOfVersions("postgres", world.now), ...otherRows]) await client.query(statement);
  for (const { definition } of indexes) await client.query(definition);
  await client.query("COMMIT");
  await client.query("VACUUM ANALYZE");
  await client.end();
}

/** Removes the indexes that no constraint needs. Returns how to make them again. */
async function dropIndexes(client, tables) {
  const { rows } = await client.query(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
     WHERE indrelid::regclass::text = ANY ($1) AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)`,
    [tables],
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  return rows;
}
