// Checks of what the settings lead to: addresses, taxonomy file, mail server, file storage, malware scanner.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hostOf, isPublic, showScannerPlace } from "#config/addresses.js";
import type { Config } from "#config/config.js";
import { reasonOf } from "#lib/reason-of.js";
import { type Check, type Condition, ok, problem, warning } from "#operations/checks/check.js";
import { openBlobStore } from "#platform/blobs/open.js";
import { openMailer } from "#platform/mail/mailer.js";
import { followScanner } from "#platform/scanner/open.js";
import { say } from "#words/said.js";
import { findTaxonomyFault } from "./taxonomy-file.js";

/** Checks that make no network requests. */
export const quickSiteChecks: readonly Check<Config>[] = [
  { name: "address", find: checkAddress },
  { name: "content host", find: checkContentHost },
  { name: "taxonomy", find: checkTaxonomy },
];

export const siteChecks: readonly Check<Config>[] = [
  ...quickSiteChecks,
  { name: "mail", find: checkMail },
  { name: "storage", find: checkStorage },
  { name: "scanner", find: checkScanner },
];

function checkAddress({ http: { url } }: Config): Condition {
  if (url.startsWith("https:") || !isPublic(hostOf(url))) return ok(say.checkup.reachedAt(url));
  return warning(say.checkup.reachedInClear(url), say.checkup.useTls);
}

function checkContentHost({ http: { url, cdnUrl } }: Config): Condition {
  if (cdnUrl !== url) return ok(say.checkup.filesApart(cdnUrl));
  if (!isPublic(hostOf(url))) return ok(say.checkup.filesTogetherHere);
  return warning(say.checkup.filesTogether(url), say.checkup.separateFiles);
}

function checkTaxonomy({ taxonomyFile }: Config): Condition {
  const fault = findTaxonomyFault(taxonomyFile);
  if (fault) return problem(fault, say.checkup.correctLines);
  return ok(taxonomyFile ? say.checkup.taxonomyFine(taxonomyFile) : say.checkup.taxonomyOwn);
}

const smtpTimeoutMs = 5000;

async function checkMail({ mail, registration }: Config): Promise<Condition> {
  if (!mail)
    return registration === "open"
      ? warning(say.checkup.openWithoutMail, say.checkup.setUpMail("`modshelf admin reset NAME`"))
      : ok(say.checkup.noMail("`modshelf admin reset NAME`"));
  const mailer = openMailer(mail, smtpTimeoutMs);
  try {
    await mailer.check();
    return ok(say.checkup.mailFine(new URL(mail.smtpUrl).host));
  } catch (error) {
    return problem(say.checkup.mailRefused(new URL(mail.smtpUrl).host, reasonOf(error)), say.checkup.correctMail);
  } finally {
    mailer.close();
  }
}

async function checkScanner({ scanner }: Config): Promise<Condition> {
  if (!scanner.place) return ok(say.checkup.noScanner);
  const where = showScannerPlace(scanner.place);
  const opened = followScanner(() => scanner);
  try {
    return ok(say.checkup.scannerFine(where, await opened.readVersion()));
  } catch (error) {
    const todo = scanner.whenUnscanned === "hold" ? say.checkup.scannerHolds : say.checkup.scannerSkips;
    return problem(say.checkup.scannerBroken(where, reasonOf(error)), todo);
  } finally {
    opened.close();
  }
}

async function checkStorage({ storage }: Config): Promise<Condition> {
  if (storage.kind === "disk" && !existsSync(storage.path)) return ok(say.checkup.folderMadeLater(storage.path));
  const where = storage.kind === "disk" ? storage.path : `the bucket ${storage.bucket} at ${storage.endpoint}`;
  // The doctor leaves no files in the data folder, which may not exist yet.
  const temporaryDir = mkdtempSync(join(tmpdir(), "modshelf-doctor-"));
  try {
    const blobs = await openBlobStore(storage.kind === "s3" ? { ...storage, temporaryDir } : storage);
    await blobs.probe().finally(() => blobs.close());
    return ok(say.checkup.storageFine(where));
  } catch (error) {
    const todo = storage.kind === "disk" ? say.checkup.checkFolder : say.checkup.checkBucket;
    return problem(say.checkup.storageBroken(where, reasonOf(error)), todo);
  } finally {
    rmSync(temporaryDir, { recursive: true, force: true });
  }
}
