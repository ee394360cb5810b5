// Writes the generated rows into a PostgreSQL database that has the product's schema: one COPY for each table at the same
// time, without checking references row by row, and indexes that are built after the rows. Only a superuser may do this.
import { once } from "node:events";
import pg from "pg";
import { BinaryRows } from "./binary-rows.mjs";
import { followingColumns, otherRows, putBlobOf, putRowsOfVersion } from "./derived-rows.mjs";
import { columns, fileTables, versionTables, writeFileRows, writeProjectRows, writeVersionRows } from "./rows.mjs";

const allColumns = { ...columns, ...followingColumns };
// The connections share the cores, so that no statement has helpers of its own.
const settings = `SET session_replication_role = replica; SET maintenance_work_mem = '512MB';
  SET max_parallel_maintenance_workers = 0; SET max_parallel_workers_per_gather = 0`;
/** Bytes of one table that are sent together. */
const batch = 256 * 1024;

/** COPY FROM STDIN as a query of `pg`, which has the protocol but no such query. */
class Copy {
  #ended = Promise.withResolvers();
  #begun = Promise.withResolvers();

  constructor(text) {
    this.text = text;
  }

  submit(connection) {
    connection.query(this.text);
  }

  handleCopyInResponse(connection) {
    this.#begun.resolve(connection);
  }

  handleCommandComplete() {}

  handleReadyForQuery() {
    if (this.error) this.#ended.reject(this.error);
    else this.#ended.resolve();
  }

  handleError(error) {
    this.error = error;
    this.#begun.reject(error);
  }

  async send(rows) {
    const connection = await this.#begun.promise;
    connection.sendCopyFromChunk(rows);
    if (connection.stream.writableNeedDrain) await once(connection.stream, "drain");
  }

  async end() {
    (await this.#begun.promise).endCopyFrom();
    await this.#ended.promise;
  }
}

export async function fillPostgres(url, world, extras, blobs) {
  const writers = new Map();
  for (const table of Object.keys(allColumns)) writers.set(table, await openWriter(url, table));
  const put = (table, row) => writers.get(table).rows.add(row);
  /** Calls `write` for the rows of these tables. The others go on while PostgreSQL builds the indexes of these. */
  const fill = async (tables, write) => {
    const own = tables.map((table) => writers.get(table));
    await write(async () => {
      for (const { rows, send } of own) if (rows.size >= batch) await send();
    });
    await Promise.all(own.map(({ finish }) => finish()));
  };
  const isElsewhere = new Set([...versionTables, ...fileTables, ...Object.keys(followingColumns)]);
  const projectTables = Object.keys(allColumns).filter((table) => !isElsewhere.has(table));
  const putVersion = (table, row) => {
    put(table, row);
    putRowsOfVersion(row, world.now, put);
  };
  const putFile = (table, row) => {
    put(table, row);
    if (table === "version_files") putBlobOf(row, put);
  };
  for (const blob of blobs) put("blobs", [blob.sha512, blob.sha1, blob.size, world.now]);
  await Promise.all([
    fill([...versionTables, ...Object.keys(followingColumns)], (settle) => writeVersionRows(world, putVersion, settle)),
    fill(fileTables, (settle) => writeFileRows(world, putFile, settle)),
    fill(projectTables, (settle) => writeProjectRows(world, extras, put, settle)),
  ]);
  const { client } = writers.get("versions");
  for (const statement of otherRows) await client.query(statement);
  const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
  // One of the tables that were tidied has got more rows.
  const untidy = rows.filter(({ tablename }) => tablename === "public_things" || !writers.has(tablename));
  await client.query(`VACUUM ANALYZE ${untidy.map(({ tablename }) => tablename).join()}`);
  for (const writer of writers.values()) await writer.client.end();
}

/** A connection that fills one table, in one transaction. */
async function openWriter(url, table) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(settings);
  const rows = new BinaryRows(await columnsOf(client, table));
  await client.query("BEGIN");
  await stopIndexes(client, table);
  const copy = new Copy(`COPY ${table} (${rows.names.join()}) FROM STDIN (FORMAT binary, FREEZE)`);
  client.query(copy);
  return {
    ...{ client, rows },
    send: () => copy.send(rows.take()),
    async finish() {
      await copy.send(rows.takeLast());
      await copy.end();
      await client.query(`REINDEX TABLE ${table}`);
      await client.query("COMMIT");
      await client.query(`VACUUM ANALYZE ${table}`);
    },
  };
}

/** The columns of a table that are written, with their types. */
async function columnsOf(client, table) {
  const { rows } = await client.query(
    "SELECT attname AS name, atttypid::regtype::text AS type FROM pg_attribute WHERE attrelid = $1::regclass",
    [table],
  );
  const types = new Map(rows.map(({ name, type }) => [name, type]));
  const names = allColumns[table].trim().split(/\s+/);
  return names.map((name) => ({ name, type: types.get(name) }));
}

/**
 * New rows get into no index, also not those of keys, until REINDEX builds them. CLUSTER gives the table a new file: with
 * wal_level = minimal, PostgreSQL writes no log about it, because it disappears if the transaction fails.
 */
async function stopIndexes(client, table) {
  const { rows } = await client.query(
    "SELECT indexrelid::regclass::text AS key FROM pg_index WHERE indrelid = $1::regclass AND indisprimary",
    [table],
  );
  await client.query(`CLUSTER ${table} USING ${rows[0].key}`);
  await client.query(
    `UPDATE pg_index SET indisready = false, indisvalid = false, indisclustered = false WHERE indrelid = $1::regclass`,
    [table],
  );
}
