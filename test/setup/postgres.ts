// One real PostgreSQL for the whole run, with a template database that is filled once and copied for each server under
// test.
import { sql } from "kysely";
import type { TestProject } from "vitest/node";
import { openDatabase } from "#platform/db/open.js";
import { startPostgres } from "./postgres-server.js";
import { fillTemplate } from "./template.js";

declare module "vitest" {
  export interface ProvidedContext {
    postgresUrl: string;
    /** The folder of its socket, or its address. */
    postgresHost: string;
  }
}

const templateName = "modshelf_template";

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, host, stop } = await startPostgres();
  const open = (one: string) => openDatabase({ engine: "postgres", url: one, poolSize: 1 }, () => {});
  const main = open(url);
  await sql.raw(`CREATE DATABASE ${templateName}`).execute(main.db);
  await main.close();
  const template = open(url.replace(/postgres$/, templateName));
  await fillTemplate(template);
  await template.close();
  project.provide("postgresUrl", url);
  project.provide("postgresHost", host);
  return stop;
}
