// The configuration: settings in, one typed Config out, or all problems at once. Only this file reads process.env.
// The settings themselves are described in config/service-settings.ts and config/site-settings.ts.

import { join } from "node:path";
import type { Sentence } from "#words/said.js";
import type { RemotePictures } from "./addresses.js";
import { renderDocs } from "./docs.js";
import type { LauncherLink } from "./launchers.js";
import type { DatabaseLocation, StorageLocation } from "./locations.js";
import type { Problem, Setting } from "./setting.js";
import { type Environment, type Gathered, gather, type Source } from "./sources.js";
import { type ListedSetting, listedSettings, type Values } from "./table.js";
import { type Effective, findFault, judgeWith, type Reading, readSettings } from "./values.js";

export type { RemotePictures } from "./addresses.js";

export interface OAuthClient {
  clientId: string;
  clientSecret: string;
}

type DiskStorage = Extract<StorageLocation, { kind: "disk" }>;
type S3Storage = Extract<StorageLocation, { kind: "s3" }> & {
  accessKeyId: string;
  secretAccessKey: string;
  /** Uploads are collected here before they are sent. */
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
  backup: Values["backup"];
  /** How the site presents itself. */
  look: Values["look"];
  /** Only set on the web; without it, the site shows the Modshelf logo. */
  logo?: { sha512: string; width: number; height: number };
  /** Which projects moderators review before publication: all, only each author's first, or none. */
  review: "on" | "first" | "off";
  reportReasonsOff: Values["site"]["reportReasonsOff"];
  /** People without an account can send reports; this needs a mail server. */
  guestReports: boolean;
  remotePictures: RemotePictures;
  /** How visitors hand a file over to their own programs; the command is empty if there is none. */
  launchers: { links: readonly LauncherLink[]; command: string };
  registration: "open" | "closed";
  mavenGroup: string;
  /** As URIs. */
  securityContacts: readonly string[];
  /** Webhooks may reach the operator's own network. */
  privateWebhooks: boolean;
  /** Services that attest builds. */
  trustedIssuers: Values["site"]["trustedIssuers"];
  /** The first one seals secrets, each of them can open them. Unset: the key file in the data folder is used. */
  secretKeys?: readonly Buffer[];
  /** When the powers of moderators and administrators are in force. */
  staff: Values["staff"];
  admin?: { userName: string; email: string; password: string };
  /** Unset: mails are written to the log. */
  mail?: { smtpUrl: string; from: string };
  log: Values["log"];
  metrics: { port?: number; host: string; token?: string };
  oauth: { github?: OAuthClient; gitlab?: OAuthClient & { url: string }; discord?: OAuthClient; google?: OAuthClient };
  /** Asked once a day for the newest version; unset: nothing is asked. */
  updateUrl?: string;
  taxonomyFile?: string;
  limits: Values["limits"];
  /** The malware scanner; without a place, files are not scanned. */
  scanner: Values["scanner"];
  /** Usable but questionable values, for the log. Each warning starts with the name of a setting. */
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
  givenTo.set(config, { env, gathered, atStart: gathered, cwd });
  describedOf.set(config, reading.effective.map(toDescribed));
  return config;
}

/** The settings of a server as it passes them to its workers, also to those that it starts after the file has changed. */
export interface HandedOver {
  atStart: Gathered;
  now: Gathered;
  cwd: string;
}

export function handOver(config: Config): HandedOver {
  const { atStart, gathered, cwd } = givenTo.get(config)!;
  return { atStart, now: gathered, cwd };
}

/** The same configuration in another process. */
export function takeOver({ atStart, now, cwd }: HandedOver, env: Environment = process.env): Config {
  const config = toConfig(judgeWith(atStart, new Map(), cwd));
  const reading = judgeWith(now, new Map(), cwd);
  config.log = toConfig(reading).log;
  givenTo.set(config, { env, gathered: now, atStart, cwd });
  describedOf.set(config, reading.effective.map(toDescribed));
  return config;
}

function toConfig({ values, problems, warnings }: Reading): Config {
  if (problems) throw new ConfigError(problems);
  const { http, data, backup, look, site, staff, log, metrics, limits, scanner } = values;
  return {
    http,
    dataDir: data.dir,
    secretKeys: data.secretKeys,
    database: toDatabase(values),
    storage: toStorage(values),
    backup,
    look,
    review: site.review,
    reportReasonsOff: site.reportReasonsOff,
    guestReports: site.guestReports,
    remotePictures: site.remotePictures,
    launchers: { links: site.launcherLinks, command: site.launcherCommand },
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
    updateUrl: site.updateUrl,
    taxonomyFile: site.taxonomyFile,
    limits,
    scanner,
    warnings,
  };
}

interface GivenSettings {
  env: Environment;
  gathered: Gathered;
  /** Settings that cannot change at run time stay as they were then. */
  atStart: Gathered;
  cwd: string;
}

const givenTo = new WeakMap<Config, GivenSettings>();
const describedOf = new WeakMap<Config, DescribedSetting[]>();

/** The parts of the Config that can change while the server runs. */
const live = [
  ...(["look", "review", "reportReasonsOff", "guestReports", "remotePictures", "launchers", "registration"] as const),
  ...(["limits", "scanner", "mail", "oauth", "backup", "updateUrl"] as const),
] satisfies (keyof Config)[];

/**
 * Applies the settings that administrators changed on the web, by name; the environment and the config file win. The
 * Config is changed in place, so that code that reads it for each request sees the change at once.
 */
export function applyWebSettings(config: Config, texts: ReadonlyMap<string, string>): void {
  const given = givenTo.get(config);
  if (!given) return;
  const reading = judgeWith(given.gathered, texts, given.cwd);
  const now = toConfig(reading);
  for (const name of live) Object.assign(config, { [name]: now[name] });
  describedOf.set(config, reading.effective.map(toDescribed));
}

/**
 * Reads the environment and the config file again. Settings that can change at run time take effect with the next
 * applyWebSettings; all others stay as they were at the start. Throws ConfigError and changes nothing on a problem.
 */
export function rereadConfig(config: Config): void {
  const given = givenTo.get(config);
  if (!given) return;
  const gathered = gather(given.env, given.cwd);
  config.log = toConfig(judgeWith(gathered, new Map(), given.cwd)).log;
  givenTo.set(config, { ...given, gathered });
}

/** The settings that can be edited on the web. */
export const webSettings: readonly ListedSetting[] = listedSettings.filter(({ web }) => web !== undefined);

/** Why the text is not a valid value for this setting; undefined if it is valid. */
export const findSettingFault = (setting: Setting, text: string): Sentence | undefined => findFault(setting, text, ".");

/** The settings of this configuration as they were when it was read. */
export const describeSettings = (config: Config): readonly DescribedSetting[] => describedOf.get(config) ?? [];

function toDatabase({ database: { location, poolSize } }: Values): Config["database"] {
  return location.engine === "sqlite" ? location : { ...location, poolSize };
}

function toStorage({ storage, data }: Values): Config["storage"] {
  const { location, accessKeyId = "", secretAccessKey = "" } = storage;
  if (location.kind === "disk") return location;
  // Both keys are present: S3 storage without them is a problem, and problems throw before this runs.
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
  const clients: Config["oauth"] = {
    github: toClient(oauth.githubClientId, oauth.githubClientSecret),
    gitlab: gitlab && { ...gitlab, url: oauth.gitlabUrl },
    discord: toClient(oauth.discordClientId, oauth.discordClientSecret),
    google: toClient(oauth.googleClientId, oauth.googleClientSecret),
  };
  for (const name of oauth.off) clients[name] = undefined;
  return clients;
}

function toClient(clientId: string | undefined, clientSecret: string | undefined): OAuthClient | undefined {
  return clientId && clientSecret ? { clientId, clientSecret } : undefined;
}

/** Every setting in the order of the documentation. */
export const settings: readonly ListedSetting[] = listedSettings;

export interface DescribedSetting {
  name: string;
  /** The effective value with secrets masked; empty if unset. */
  value: string;
  source: Source | "default";
}

/** Does not throw for an invalid setting: its text is shown as given. */
export function describeConfig(env: Environment = process.env, cwd: string = process.cwd()): DescribedSetting[] {
  return readSettings(env, cwd).effective.map(toDescribed);
}

const toDescribed = ({ setting, source, text }: Effective): DescribedSetting => ({
  name: setting.name,
  value: mask(setting, text),
  source,
});

/** Stands for the text of a secret wherever settings are shown. */
export const hidden = "********";

function mask({ secret, publicPart }: Setting, text: string): string {
  // URLs that are not secret may still contain a password by mistake.
  if (!secret) return text.replace(/\/\/[^/]*@/g, `//${hidden}@`);
  const shown = publicPart?.exec(text)?.[0] ?? "";
  return shown === text ? text : `${shown}${hidden}`;
}

/** The text of docs/configuration.md. */
export function renderConfigDocs(): string {
  return renderDocs();
}
