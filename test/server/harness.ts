// A whole server for a test: real HTTP on loopback, a real database of the engine under test, real files. Each call of
// testApp() is independent; it is stopped when the test, or the file that created it, ends.
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { type Logger, pino } from "pino";
import { afterAll, inject } from "vitest";
import { createSession } from "#accounts/sessions/write.js";
import { insertToken } from "#accounts/tokens/write.js";
import { hashPassword } from "#accounts/users/passwords.js";
import { createAccount } from "#accounts/users/write.js";
import { type App, createApp, openResources } from "#app.js";
import { type Config, readConfig } from "#config/config.js";
import { installTaxonomy } from "#content/taxonomy/write.js";
import type { Random } from "#lib/random.js";
import { write } from "#platform/changes/write.js";
import { openDatabase } from "#platform/db/open.js";
import type { UserRole } from "#platform/db/tables.js";
import type { ArrivalLimits } from "#platform/http/arrival.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { powersEnd } from "#platform/http/staff-powers.js";
import type { WorkerLink } from "#platform/workers/link.js";
import { Actor, type TestUser, type TokenOptions } from "#test/callers/actors.js";
import { dataFolder } from "#test/setup/data-folder.js";
import { fillTemplate } from "#test/setup/template.js";

export const engine = (process.env.TEST_ENGINE ?? "sqlite") as "sqlite" | "postgres";

/** The configured URL of the site; requests go to a loopback port. */
export const siteUrl = "http://modshelf.test";

export interface TestOptions {
  /** Settings by name, as an operator would set them. */
  settings?: Record<string, string>;
  log?: Logger;
  /** Replaces all routes of the service. */
  routes?: readonly Route[];
  /** How long bodies may take, for tests that cannot wait as long as the service does. */
  patience?: Partial<ArrivalLimits>;
  /** The port to listen on, for tests in which the URL of the site must be real: browsers send forms only there. */
  port?: number;
  /** Replaces the real time and random source. */
  clock?: TestClock;
  random?: Random;
  /** Whether answers are prepared in a thread, as by a real server. */
  preparesInThread?: boolean;
  /** For one of several workers (worker-pair.ts). */
  link?: WorkerLink;
  /** A second server on the same database, files and clock; stop it before the first. */
  sharedWith?: TestApp;
}

export class TestClock {
  #offset = 0;
  #frozen: number | undefined;
  now = (): number => (this.#frozen ?? Date.now()) + this.#offset;
  /** From here on only advance() changes the time. */
  freeze(at: number = Date.now()): void {
    this.#frozen ??= at;
  }
  advance(ms: number): void {
    this.#offset += ms;
  }
  /** Runs the work that much later (or earlier), and resets the clock, even if the work fails. */
  async during<T>(ms: number, work: () => Promise<T>): Promise<T> {
    const offset = this.#offset;
    this.advance(ms);
    try {
      return await work();
    } finally {
      this.#offset = offset;
    }
  }
}

export interface TestApp {
  as: Actors;
  make: Factories;
  clock: TestClock;
  app: App;
  resources: Resources;
  config: Config;
  /** http://127.0.0.1:port */
  origin: string;
  dataDir: string;
  /** Only on PostgreSQL. */
  databaseUrl: string | undefined;
  stop(): Promise<void>;
}

export interface Actors {
  anyone: Actor;
  /** With a session cookie, as a browser sends it. */
  user(user: TestUser): Actor;
  /** With a personal access token created for the user. */
  token(user: TestUser, options: TokenOptions): Promise<Actor>;
  bearer(token: string): Actor;
}

export interface Factories {
  user(input?: { userName?: string; email?: string; password?: string; role?: UserRole }): Promise<TestUser>;
  token(user: TestUser, options: TokenOptions): Promise<{ id: string; value: string }>;
  /**
   * Marks the users as having just confirmed their identity: the powers of staff are in force, even if the clock was
   * advanced.
   */
  confirmed(...users: { id: string }[]): Promise<void>;
}

/** A name that no other test uses. */
export const uniqueName = (prefix = "user"): string => `${prefix}-${randomBytes(6).toString("hex")}`;

export async function testApp(options: TestOptions = {}): Promise<TestApp> {
  const { sharedWith } = options;
  const dataDir = sharedWith?.dataDir ?? dataFolder();
  const database = sharedWith ? undefined : await createDatabase();
  const databaseUrl = database ? throughSocket(database.url) : sharedWith?.databaseUrl;
  const settings = {
    MODSHELF_URL: siteUrl,
    MODSHELF_DATA_DIR: dataDir,
    MODSHELF_RATE_LIMITS: "off",
    ...(databaseUrl && { MODSHELF_DATABASE_URL: databaseUrl, MODSHELF_DATABASE_POOL_SIZE: "4" }),
    ...options.settings,
  };
  const config = readConfig(settings, dataDir);
  const clock = sharedWith?.clock ?? options.clock ?? new TestClock();
  // A test may have put its own database there, or configured one.
  const isOwn =
    config.database.engine === "sqlite" ? existsSync(config.database.path) : config.database.url !== databaseUrl;
  if (config.database.engine === "sqlite") {
    if (!isOwn) writeFileSync(config.database.path, await templateFile());
    // Commits do not wait for the disk, as on PostgreSQL under test.
    config.database.isDurable = false;
  }
  const resources = await openResources(config, {
    clock,
    log: options.log ?? pino({ level: "silent" }),
    ...(options.random && { random: options.random }),
    ...(options.link && { link: options.link }),
  });
  if (isOwn || config.taxonomyFile !== undefined) await installTaxonomy(resources, config.taxonomyFile);
  const app = await createApp(resources, options.routes && [...new Set(options.routes)], {
    patience: options.patience,
    checksReadyAnswers: true,
    // Starting a thread would take longer than most tests.
    preparesInThread: options.preparesInThread ?? false,
  });
  const origin = await app.listen({ host: "127.0.0.1", port: options.port ?? 0 });

  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= (async () => {
      await app.stop();
      if (sharedWith) return;
      await database?.drop();
      rmSync(dataDir, { recursive: true, force: true });
    })();
    return stopped;
  };
  afterAll(stop);

  const make = factories(resources);
  return {
    as: actors(origin, config.http.url, make),
    make,
    clock,
    app,
    resources,
    config,
    origin,
    dataDir,
    databaseUrl,
    stop,
  };
}

const actors = (origin: string, url: string, make: Factories): Actors => ({
  anyone: new Actor(origin),
  user: (user) => new Actor(origin, { cookie: `auth-token=${user.sessionToken}`, origin: new URL(url).origin }),
  token: async (user, options) =>
    new Actor(origin, { authorization: `Bearer ${(await make.token(user, options)).value}` }),
  bearer: (token) => new Actor(origin, { authorization: `Bearer ${token}` }),
});

const factories = (resources: Resources): Factories => ({
  async user({ userName = uniqueName(), email = `${userName}@example.com`, password, role = "user" } = {}) {
    // Hashing is slow on purpose: only users who sign in with a password get one.
    const passwordHash = password === undefined ? null : await hashPassword(password, resources.random);
    const origin = { provider: "credential", address: "127.0.0.1", userAgent: "test" };
    return write(resources, { credential: "test" }, async (tx) => {
      const id = await createAccount(tx, { userName, email, emailVerified: true, passwordHash, role });
      return { id, userName, email, password, sessionToken: await createSession(tx, id, origin) };
    });
  },
  async token(user, { scopes, dateExpires = resources.clock.now() + 3_600_000 }) {
    // Like createToken, without the limit per user: some tests create one for every endpoint.
    const { row, value } = await write(resources, { credential: "test" }, async (tx) => {
      const made = await insertToken(tx, user.id, { name: "test", dateExpires, scopes: [...scopes] });
      tx.audit("token.create", { kind: "token", id: made.row.id });
      return made;
    });
    return { id: row.id, value };
  },
  async confirmed(...users) {
    const now = resources.clock.now();
    const ids = users.map(({ id }) => id);
    // Does not use write(), which would wake the jobs, which then find that days have passed.
    const confirmation = { date_authenticated: now, date_powers_end: powersEnd(now), passed_second_factor: 1 } as const;
    await resources.db.updateTable("sessions").set(confirmation).where("user_id", "in", ids).execute();
  },
});

let template: Promise<Buffer> | undefined;

/** The template as a SQLite file, created once per worker. */
function templateFile(): Promise<Buffer> {
  template ??= (async () => {
    const folder = dataFolder();
    const path = join(folder, "template.db");
    const database = openDatabase({ engine: "sqlite", path }, () => {});
    await fillTemplate(database);
    await database.close();
    const bytes = readFileSync(path);
    rmSync(folder, { recursive: true });
    return bytes;
  })();
  return template;
}

/** A copy of the template on PostgreSQL; nothing to do for SQLite. */
export async function createDatabase(): Promise<{ url: string; drop(): Promise<void> } | undefined> {
  if (engine === "sqlite") return undefined;
  const adminUrl = inject("postgresUrl");
  const name = `test_${randomBytes(8).toString("hex")}`;
  admin ??= connect(adminUrl);
  const client = await admin;
  await client.query(`CREATE DATABASE ${name} TEMPLATE modshelf_template STRATEGY FILE_COPY`);
  return {
    url: adminUrl.replace(/postgres$/, name),
    drop: async () => void (await client.query(`DROP DATABASE ${name} WITH (FORCE)`)),
  };
}

/** The same database through a socket in the file system, where there is one: it takes half of the CPU time of TCP. */
const throughSocket = (url: string): string => url.replace("127.0.0.1", encodeURIComponent(inject("postgresHost")));

/** One connection per worker: the first CREATE DATABASE of a connection takes five times as long as the next ones. */
let admin: Promise<pg.Client> | undefined;

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  // PostgreSQL may stop before the worker does.
  client.on("error", () => {});
  await client.connect();
  return client;
}
