// Checks of the services that the settings name: URLs, taxonomy file, mail server, file storage.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hostOf, isPublic } from "#config/addresses.js";
import type { Config } from "#config/config.js";
import { reasonOf } from "#lib/reason-of.js";
import { openBlobStore } from "#platform/blobs/open.js";
import { openMailer } from "#platform/mail/mailer.js";
import { type Check, type Finding, ok, problem, warning } from "./finding.js";
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
];

function checkAddress({ http: { url } }: Config): Finding {
  if (url.startsWith("https:") || !isPublic(hostOf(url))) return ok(`Visitors reach the site at ${url}.`);
  return warning(
    `Visitors reach the site at ${url}: passwords and sessions travel in the clear.`,
    "Put a proxy with TLS in front and set MODSHELF_URL to its https address.",
  );
}

function checkContentHost({ http: { url, cdnUrl } }: Config): Finding {
  if (cdnUrl !== url) return ok(`Uploaded files are served from their own address, ${cdnUrl}.`);
  if (!isPublic(hostOf(url)))
    return ok("Uploaded files are served from the site's own address; enough for trying out.");
  return warning(
    `Uploaded files are served from the site's own address, ${url}, where visitors' sessions live.`,
    "Give them a host of their own, best on another domain, and set MODSHELF_CDN_URL to it.",
  );
}

function checkTaxonomy({ taxonomyFile }: Config): Finding {
  const fault = findTaxonomyFault(taxonomyFile);
  if (fault) return problem(fault, "Correct these lines; the server does not start with them.");
  return ok(taxonomyFile ? `${taxonomyFile} can be used.` : "The one that comes with Modshelf is used.");
}

const smtpTimeoutMs = 5000;

async function checkMail({ mail, registration }: Config): Promise<Finding> {
  if (!mail)
    return registration === "open"
      ? warning(
          "Anybody can register, but no mail can be sent: forgotten passwords need you.",
          "Set MODSHELF_SMTP_URL and MODSHELF_MAIL_FROM, or hand out links made by `modshelf admin reset NAME`.",
        )
      : ok("No mail is sent; links for forgotten passwords come from `modshelf admin reset NAME`.");
  const mailer = openMailer(mail, smtpTimeoutMs);
  try {
    await mailer.check();
    return ok(`The mail server at ${new URL(mail.smtpUrl).host} takes mail from us.`);
  } catch (error) {
    return problem(
      `The mail server at ${new URL(mail.smtpUrl).host} does not take mail from us: ${reasonOf(error)}`,
      "Correct MODSHELF_SMTP_URL, or the mail server.",
    );
  } finally {
    mailer.close();
  }
}

async function checkStorage({ storage }: Config): Promise<Finding> {
  if (storage.kind === "disk" && !existsSync(storage.path))
    return ok(`${storage.path} is not there yet; the first start makes it.`);
  const where = storage.kind === "disk" ? storage.path : `the bucket ${storage.bucket} at ${storage.endpoint}`;
  // The doctor leaves no files in the data folder, which may not exist yet.
  const temporaryDir = mkdtempSync(join(tmpdir(), "modshelf-doctor-"));
  try {
    const blobs = await openBlobStore(storage.kind === "s3" ? { ...storage, temporaryDir } : storage);
    await blobs.probe().finally(() => blobs.close());
    return ok(`Something was written to ${where}, read again and deleted.`);
  } catch (error) {
    const todo =
      storage.kind === "disk"
        ? "Check the rights and the disk of that folder (MODSHELF_STORAGE_URL)."
        : "Check MODSHELF_STORAGE_URL, the keys in MODSHELF_S3_ACCESS_KEY_ID and MODSHELF_S3_SECRET_ACCESS_KEY, and their rights.";
    return problem(`${where} cannot be written, read and deleted from: ${reasonOf(error)}`, todo);
  } finally {
    rmSync(temporaryDir, { recursive: true, force: true });
  }
}
