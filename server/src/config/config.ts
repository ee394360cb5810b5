// The configuration: settings in, one typed Config out, or all problems at once. The only reader of process.env.
// The settings themselves are described in config/service-settings.ts and config/site-settings.ts.

import { join } from "node:path";
import type { Sentence } from "#words/said.js";
import { renderDocs } from "./docs.js";
import type { DatabaseLocation, StorageLocation } from "./locations.js";
import type { Problem, Setting } from "./setting.js";
import { type Environment, type Gathered, gather, type Source } from "./sources.js";
import { type ListedSetting, listedSettings, type Values } from "./table.js";
import { type Effective, findFault, judgeWith, type Reading, readSettings } from "./values.js";

export interface OAuthClient {
  clientId: string;
  clientSecret: string;
}

type DiskStorage = Extract<StorageLocation, { kind: "disk" }>;
type S3Storage = Extract<StorageLocation, { kind: "s3" }> & {
  accessKeyId: string;
  secretAccessKey: string;
  /** Uploads gather here before they are sent. */
  temporaryDir: string;
};

export interface Config {
  http: Values["http"];
  /** Absolute, like every path below. */
  dataDir: string;
  database:
    | Extract<DatabaseLocation, { engine: "sqlite" }>
    | (Extract<DatabaseLocation, { engine: "postgres" }> & { poolSize: number });
  storage: DiskStorage | S3Storage;
  /** How the site presents itself. */
  look: Values["look"];
  /** Set on the web only; absent: our mark. */
  logo?: { sha512: string; width: number; height: number };
  /** Of which projects moderators decide before they are public: all, those of newcomers, none. */
  review: "on" | "first" | "off";
  reportReasonsOff: Values["site"]["reportReasonsOff"];
  /** People without an account can report things; only where mail can be sent. */
  guestReports: boolean;
  rateLimits: boolean;
  registration: "open" | "closed";
  mavenGroup: string;
  /** As URIs. */
  securityContacts: readonly string[];
  /** Webhooks may lead into the operator's own network. */
  privateWebhooks: boolean;
  /** Services that say of builds whose they are. */
  trustedIssuers: Values["site"]["trustedIssuers"];
  /** Seal secrets, the first; open them, all. Absent: they are in the key file of the data folder. */
  secretKeys?: readonly Buffer[];
  /** When moderators and administrators have their powers. */
  staff: Values["staff"];
  admin?: { userName: string; email: string; password: string };
  /** Absent: mail goes to the log. */
  mail?: { smtpUrl: string; from: string };
  log: Values["log"];
  metrics: { port?: number; host: string; token?: string };
  oauth: { github?: OAuthClient; gitlab?: OAuthClient & { url: string }; discord?: OAuthClient; google?: OAuthClient };
  taxonomyFile?: string;
  limits: Values["limits"];
  /** Questionable but usable; for the log. Each starts with the name of a setting. */
  warnings: readonly string[];
}

export class ConfigError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(({ name, message }) => `${name}: ${message}`).join("\n"));
    this.name = "ConfigError";
    this.problems = problems;
  }
}

export function readConfig(env: Environment = process.env, cwd: string = process.cwd()): Config {
  const gathered = gather(env, cwd);
  const reading = judgeWith(gathered, new Map(), cwd);
  const config = toConfig(reading);
  givenTo.set(config, { env, gathered, cwd });
  describedOf.set(config, reading.effective.map(toDescribed));
  return config;
}

function toConfig({ values, problems, warnings }: Reading): Config {
  if (problems) throw new ConfigError(problems);
  const { http, data, look, site, staff, log, metrics, limits } = values;
  return {
    http,
    dataDir: data.dir,
    secretKeys: data.secretKeys,
    database: toDatabase(values),
    storage: toStorage(values),
    look,
    review: site.review,
    reportReasonsOff: site.reportReasonsOff,
    guestReports: site.guestReports,
    rateLimits: site.rateLimits,
    registration: site.registration,
    mavenGroup: site.mavenGroup,
    securityContacts: site.securityContacts,
    privateWebhooks: site.privateWebhooks,
    trustedIssuers: site.trustedIssuers,
    staff,
    admin: toAdmin(values),
    mail: toMail(values),
    log,
    metrics,
    oauth: toOAuth(values),
    taxonomyFile: site.taxonomyFile,
    limits,
    warnings,
  };
}

const givenTo = new WeakMap<Config, { env: Environment; gathered: Gathered; cwd: string }>();
const describedOf = new WeakMap<Config, DescribedSetting[]>();

/**
 * Puts in force what administrators decided on the web, by the names of settings; what environment and file say stays.
 * The Config itself changes, so that everything that looks into it when it is asked knows at once.
 */
export function applyWebSettings(config: Config, texts: ReadonlyMap<string, string>): void {
  const given = givenTo.get(config);
  if (!given) return;
  const reading = judgeWith(given.gathered, texts, given.cwd);
  const { look, review, reportReasonsOff, guestReports, registration, limits } = toConfig(reading);
  const decided = { look, review, reportReasonsOff, guestReports, registration, limits } satisfies Partial<Config>;
  Object.assign(config, decided);
  describedOf.set(config, reading.effective.map(toDescribed));
}

/**
 * Reads environment and file anew. What can change while the server runs is in force from the next applyWebSettings on;
 * everything else stays as it was at the start. Throws ConfigError, and changes nothing, where they do not fit.
 */
export function rereadConfig(config: Config): void {
  const given = givenTo.get(config);
  if (!given) return;
  const gathered = gather(given.env, given.cwd);
  config.log = toConfig(judgeWith(gathered, new Map(), given.cwd)).log;
  givenTo.set(config, { ...given, gathered });
}

/** The settings that are edited on the web. */
export const webSettings: readonly ListedSetting[] = listedSettings.filter(({ web }) => web !== undefined);

/** Why this cannot be the value of a setting that is edited on the web; undefined where it can. */
export const findSettingFault = (setting: Setting, text: string): Sentence | undefined => findFault(setting, text, ".");

/** The settings that this configuration was made of, as they were when it was read. */
export const describeSettings = (config: Config): readonly DescribedSetting[] => describedOf.get(config) ?? [];

function toDatabase({ database: { location, poolSize } }: Values): Config["database"] {
  return location.engine === "sqlite" ? location : { ...location, poolSize };
}

function toStorage({ storage, data }: Values): Config["storage"] {
  const { location, accessKeyId = "", secretAccessKey = "" } = storage;
  if (location.kind === "disk") return location;
  // Both keys are there: S3 storage without them is a problem by the rules, and with a problem nobody comes here.
  return { ...location, accessKeyId, secretAccessKey, temporaryDir: join(data.dir, "tmp") };
}

function toAdmin({ admin: { userName, email, password } }: Values): Config["admin"] {
  return userName && email && password ? { userName, email, password } : undefined;
}

function toMail({ mail: { smtpUrl, from } }: Values): Config["mail"] {
  return smtpUrl && from ? { smtpUrl, from } : undefined;
}

function toOAuth({ oauth }: Values): Config["oauth"] {
  const gitlab = toClient(oauth.gitlabClientId, oauth.gitlabClientSecret);
  return {
    github: toClient(oauth.githubClientId, oauth.githubClientSecret),
    gitlab: gitlab && { ...gitlab, url: oauth.gitlabUrl },
    discord: toClient(oauth.discordClientId, oauth.discordClientSecret),
    google: toClient(oauth.googleClientId, oauth.googleClientSecret),
  };
}

function toClient(clientId: string | undefined, clientSecret: string | undefined): OAuthClient | undefined {
  return clientId && clientSecret ? { clientId, clientSecret } : undefined;
}

/** Every setting in the order of the documentation. */
export const settings: readonly ListedSetting[] = listedSettings;

export interface DescribedSetting {
  name: string;
  /** What is in effect, secrets masked; empty when unset. */
  value: string;
  source: Source | "default";
}

/** Never throws for a broken setting: what was given is shown as it is. */
export function describeConfig(env: Environment = process.env, cwd: string = process.cwd()): DescribedSetting[] {
  return readSettings(env, cwd).effective.map(toDescribed);
}

const toDescribed = ({ setting, source, text }: Effective): DescribedSetting => ({
  name: setting.name,
  value: mask(setting, text),
  source,
});

const hidden = "********";

function mask({ secret, publicPart }: Setting, text: string): string {
  // Addresses that are no secrets may still carry a password that does not belong there.
  if (!secret) return text.replace(/\/\/[^/]*@/g, `//${hidden}@`);
  const shown = publicPart?.exec(text)?.[0] ?? "";
  return shown === text ? text : `${shown}${hidden}`;
}

/** The text of docs/configuration.md. */
export function renderConfigDocs(): string {
  return renderDocs();
}
