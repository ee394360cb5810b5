// Rules across settings: settings that need each other, exclude each other, or make no sense together.
import { hostOf, isLoopback, isPublic, isWildcard } from "./addresses.js";
import { isSample } from "./parsers.js";
import type { Problem } from "./setting.js";
import { type Draft, listedSettings, type Values } from "./table.js";

interface Names {
  has(name: string): boolean;
}

export function findConflicts(draft: Draft, given: Names): Problem[] {
  const problems = new Map<string, Problem>();
  const report = (name: string, message: string) => problems.set(name, { name, message });
  for (const { name, needs = [] } of listedSettings) {
    for (const needed of needs) {
      if (given.has(name) && !given.has(needed)) report(needed, `is missing, but ${name} is set. Set both or neither.`);
    }
  }
  if (draft.storage.location?.kind === "s3") {
    for (const name of ["MODSHELF_S3_ACCESS_KEY_ID", "MODSHELF_S3_SECRET_ACCESS_KEY"]) {
      if (!given.has(name))
        report(name, "is missing, but MODSHELF_STORAGE_URL names S3 storage. Set it, or use file:<path>.");
    }
  }
  if (draft.http.port === 0 && !given.has("MODSHELF_URL"))
    report("MODSHELF_URL", "is missing, but MODSHELF_PORT is 0. Set it to the URL that visitors use.");
  if (draft.metrics.port && draft.metrics.port === draft.http.port) {
    report("MODSHELF_METRICS_PORT", "must differ from MODSHELF_PORT. Choose another port for one of the two.");
  }
  return [...problems.values()];
}

export function listWarnings({ http, database, storage, mail }: Values, given: Names): string[] {
  const warnings: string[] = [];
  const warn = (name: string, message: string) => warnings.push(`${name}: ${message}`);
  const siteHost = hostOf(http.url);
  if (!isLoopback(http.host) && isLoopback(siteHost)) {
    warn(
      "MODSHELF_URL",
      `is ${http.url}, but the service also listens for other machines; set the URL that visitors use.`,
    );
  }
  if (isWildcard(siteHost))
    warn("MODSHELF_URL", "is a wildcard address, which no visitor can open; set the URL that visitors use.");
  if (http.url.startsWith("http:") && isPublic(siteHost)) {
    warn(
      "MODSHELF_URL",
      "is http, so passwords and sessions are sent unencrypted; put a proxy with TLS in front and use https.",
    );
  }
  if (http.url.startsWith("https:") && http.trustedProxies.length === 0) {
    warn(
      "MODSHELF_TRUSTED_PROXIES",
      "is empty, but a proxy must terminate TLS; all visitors would share its address and its rate limit.",
    );
  }
  if (http.url.startsWith("https:") && http.cdnUrl.startsWith("http:")) {
    warn("MODSHELF_CDN_URL", "is http while MODSHELF_URL is https; browsers will not load files from it.");
  }
  if (storage.location.kind === "disk" && given.has("MODSHELF_S3_ACCESS_KEY_ID")) {
    warn("MODSHELF_S3_ACCESS_KEY_ID", "has no effect, because MODSHELF_STORAGE_URL does not name S3 storage.");
  }
  if (database.location.engine === "postgres" && hasSamplePassword(database.location.url)) {
    warn("MODSHELF_DATABASE_URL", "contains a password that is easy to guess.");
  }
  if (database.location.engine === "postgres" && !given.has("MODSHELF_SECRET_KEY")) {
    warn(
      "MODSHELF_SECRET_KEY",
      "is not set, so the key is in this server's data folder; another server would use a different key.",
    );
  }
  if (mail.smtpUrl && hasSamplePassword(mail.smtpUrl))
    warn("MODSHELF_SMTP_URL", "contains a password that is easy to guess.");
  for (const { name, usedWith } of listedSettings) {
    if (usedWith && given.has(name) && !given.has(usedWith)) warn(name, `has no effect without ${usedWith}.`);
  }
  return warnings;
}

function hasSamplePassword(url: string): boolean {
  const password = decodeURIComponent(new URL(url).password);
  return password !== "" && isSample(password);
}
