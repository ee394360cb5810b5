// English words of what the checks of the machine and the site find.

import { pluralsIn } from "#lib/plurals.js";

const plural = pluralsIn("en");

export const checkup = {
  neverBackedUp: "No backup has been made yet.",
  lastBackup: (hours: number, folder: string) => {
    const age = plural(hours, { one: "1 hour", other: `${hours} hours` });
    return `The last backup was made ${hours === 0 ? "less than an hour" : age} ago, in ${folder}.`;
  },
  backUpDaily:
    "Schedule backups at /admin/settings/backup, or run `modshelf backup FOLDER` every day. Keep a copy on another disk.",
  backupFailed: (reason: string) => `The last backup failed: ${reason}`,
  seeBackups: "See /admin/settings/backup, and the server log.",
  diskLasts: (days: number, perDay: string) => `At ${perDay} of new files a day, the disk lasts for ${days} days.`,
  diskLastsLong: (perDay: string) => `At ${perDay} of new files a day, the disk lasts for more than ten years.`,
  addDisk: "Add storage or free some, before uploads are refused. See /admin/storage.",
  newestVersion: (own: string) => `Modshelf ${own} is the newest version.`,
  newerVersion: (newest: string, own: string) => `Modshelf ${newest} is available; this is ${own}.`,
  readAbout: (url: string) => `Read about it at ${url}, make a backup, and update.`,
  updateSoon: "Make a backup, and update.",
  notChecked: (reason: string) => `This could not be checked: ${reason}`,
  mendFirst: "Fix this first, then run `modshelf doctor` again.",
  folderMadeLater: (folder: string) => `${folder} does not exist yet. It is created at the first start.`,
  folderMissing: (folder: string) =>
    `${folder} does not exist, and this account does not have permission to create it.`,
  giveRight: (folder: string) => `Give this account permission to write to ${folder}, or set MODSHELF_DATA_DIR.`,
  folderLocked: (folder: string) => `This account does not have permission to write to ${folder}.`,
  giveServerRight: "Give that permission to the account that runs the server.",
  folderOpen: (folder: string) =>
    `Every account on this machine can read ${folder}, which contains password hashes and email addresses.`,
  takeRight: (command: string) => `Restrict access: ${command}`,
  folderOfOther: (folder: string) => `${folder} belongs to a different account than the one running this command.`,
  runAsServer: "Run commands as the account that runs the server.",
  folderFine: (folder: string) => `${folder} exists, is writable and is private.`,
  room: (bytes: string, place: string) => `${bytes} are free on the disk of ${place}.`,
  freeForUploads: "Free up space now: uploads are rejected until there is more (MODSHELF_MIN_FREE_DISK).",
  freeNow: "Free up space now: writes are about to fail.",
  freeSome: "Free up space, or move the data to a larger disk.",
  limitUnknown: "The limit is not known on this system.",
  limitNone: "There is no limit.",
  limitIs: (limit: string) => `The limit is ${limit}.`,
  fewOpenFiles: (limit: string) => `This account can open ${limit} files at once. Every connection counts as one.`,
  raiseLimit: (least: number) => `Raise the limit to ${least} or more (ulimit -n, or LimitNOFILE= in a systemd unit).`,
  reachedAt: (url: string) => `Visitors reach the site at ${url}.`,
  reachedInClear: (url: string) => `Visitors reach the site at ${url}: passwords and sessions are sent unencrypted.`,
  useTls: "Put a proxy with TLS in front of the server, and set MODSHELF_URL to its https URL.",
  filesApart: (url: string) => `Uploaded files are served from their own host, ${url}.`,
  filesTogetherHere: "Uploaded files are served from the host of the site. That is fine for trying things out.",
  filesTogether: (url: string) =>
    `Uploaded files are served from ${url}, the host of the site, which also receives the visitors' sessions.`,
  separateFiles: "Give the files their own host, preferably on another domain, and set MODSHELF_CDN_URL to it.",
  correctLines: "Fix these lines. The server does not start with them.",
  taxonomyFine: (file: string) => `${file} is valid.`,
  taxonomyOwn: "The taxonomy that comes with Modshelf is used.",
  openWithoutMail:
    "Everyone can sign up, but the site cannot send email: users who forget their password need your help.",
  setUpMail: (command: string) =>
    `Set up a mail server at /admin/settings/mail or with MODSHELF_SMTP_URL, or give users links made by ${command}.`,
  noMail: (command: string) => `The site cannot send email. For forgotten passwords, make links with ${command}.`,
  mailFine: (host: string) => `The mail server at ${host} accepts email from this site.`,
  mailRefused: (host: string, reason: string) =>
    `The mail server at ${host} does not accept email from this site: ${reason}`,
  correctMail: "Fix the settings (/admin/settings/mail or MODSHELF_SMTP_URL) or the mail server.",
  storageFine: (place: string) => `A test file was written to ${place}, read and deleted.`,
  storageBroken: (place: string, reason: string) =>
    `Writing, reading and deleting a test file in ${place} failed: ${reason}`,
  checkFolder: "Check the permissions and the disk of that folder (MODSHELF_STORAGE_URL).",
  checkBucket:
    "Check MODSHELF_STORAGE_URL, the keys in MODSHELF_S3_ACCESS_KEY_ID and MODSHELF_S3_SECRET_ACCESS_KEY, and their permissions.",
  noScanner: "Files are not scanned for malware: no scanner is set up.",
  scannerFine: (where: string, version: string) => `The malware scanner at ${where} answers: ${version}.`,
  scannerBroken: (where: string, reason: string) => `The malware scanner at ${where} does not work: ${reason}`,
  scannerHolds:
    "Start it, or correct its address at /admin/settings/scanner (MODSHELF_SCANNER). Until then new versions are held.",
  scannerSkips:
    "Start it, or correct its address at /admin/settings/scanner (MODSHELF_SCANNER). Until then new versions are published without a scan.",
};
