// Writes the generated rows into a PostgreSQL database that has the product's schema: COPY on two connections, without
// checking references row by row, and indexes that are built after the rows.
import pg from "pg";
import { blobRows, otherRows, rowsOfVersions } from "./derived-rows.mjs";
import { columns, versionTables, writeFileRows, writeProjectRows, writeVersionRows } from "./rows.mjs";

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

/** With the tables whose rows follow from versions. */
const tablesOfVersions = [...versionTables, "version_compat", "download_days", "public_things"];

export async function fillPostgres(url, world, extras, blobs) {
  const writers = await Promise.all([openWriter(url), openWriter(url)]);
  const [versions, others] = writers;
  const otherTables = Object.keys(columns).filter((table) => !versionTables.includes(table));
  await Promise.all([
    versions.fill(tablesOfVersions, async ({ put, settle }) => {
      await writeVersionRows(world, put, settle);
      return rowsOfVersions("postgres", world.now);
    }),
    others.fill(otherTables, async ({ put, settle }) => {
      for (const blob of blobs) put("blobs", [blob.sha512, blob.sha1, blob.size, world.now]);
      await writeProjectRows(world, extras, put, settle);
      await writeFileRows(world, put, settle);
      return [blobRows];
    }),
  ]);
  for (const statement of otherRows) await versions.client.query(statement);
  const { rows } = await versions.client.query(
    "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND NOT tablename = ANY ($1)",
    [tablesOfVersions],
  );
  const tidy = ({ client }, tables) => client.query(`VACUUM ANALYZE ${tables.join()}`);
  await Promise.all([
    tidy(versions, tablesOfVersions),
    tidy(
      others,
      rows.map(({ tablename }) => tablename),
    ),
  ]);
  for (const { client } of writers) await client.end();
}

/** A connection that fills some tables, in one transaction. */
async function openWriter(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("SET session_replication_role = replica; SET maintenance_work_mem = '512MB'");
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
  return {
    client,
    /** `write` returns statements for further rows. */
    async fill(tables, write) {
      await client.query("BEGIN");
      const remake = await dropIndexes(client, tables);
      const statements = await write({ put, settle });
      await settle(1);
      for (const statement of [...statements, ...remake]) await client.query(statement);
      await client.query("COMMIT");
    },
  };
}

/** Removes all indexes, except those of keys that other tables refer to. Returns the statements that make them again. */
async function dropIndexes(client, tables) {
  const { rows } = await client.query(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition, conname AS key,
       pg_get_constraintdef(pg_constraint.oid) AS "keyDefinition", indrelid::regclass::text AS "table"
     FROM pg_index LEFT JOIN pg_constraint ON conindid = indexrelid AND contype IN ('p', 'u')
     WHERE indrelid::regclass::text = ANY ($1)
       AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid AND contype = 'f')`,
    [tables],
  );
  for (const { name, key, table } of rows)
    await client.query(key ? `ALTER TABLE ${table} DROP CONSTRAINT ${key}` : `DROP INDEX ${name}`);
  return rows.map(({ key, table, definition, keyDefinition }) =>
    key ? `ALTER TABLE ${table} ADD CONSTRAINT ${key} ${keyDefinition}` : definition,
  );
}
