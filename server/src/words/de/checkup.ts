// German words of what the checks of the machine and the site find.
import { pluralsIn } from "#lib/plurals.js";
import type { Words } from "#words/en/catalogue.js";

const plural = pluralsIn("de");

/** Sizes come with a decimal point. */
const comma = (size: string): string => size.replace(".", ",");

export const checkup: Words["checkup"] = {
  neverBackedUp: "Es gibt noch keine Sicherung.",
  lastBackup: (hours, folder) => {
    const age = plural(hours, { one: "1 Stunde", other: `${hours} Stunden` });
    return `Die letzte Sicherung wurde vor ${hours === 0 ? "weniger als einer Stunde" : age} gemacht, in ${folder}.`;
  },
  backUpDaily:
    "Plane Sicherungen unter /admin/settings/backup, oder lass `modshelf backup ORDNER` jeden Tag laufen. Bewahre eine Kopie auf einer anderen Festplatte auf.",
  backupFailed: (reason) => `Die letzte Sicherung ist fehlgeschlagen: ${reason}`,
  seeBackups: "Sieh unter /admin/settings/backup und im Protokoll des Servers nach.",
  diskLasts: (days, perDay) => `Bei ${comma(perDay)} neuer Dateien am Tag reicht die Festplatte noch ${days} Tage.`,
  diskLastsLong: (perDay) => `Bei ${comma(perDay)} neuer Dateien am Tag reicht die Festplatte mehr als zehn Jahre.`,
  addDisk: "Füge Speicher hinzu oder gib welchen frei, bevor Uploads abgelehnt werden. Siehe /admin/storage.",
  newestVersion: (own) => `Modshelf ${own} ist die neueste Version.`,
  newerVersion: (newest, own) => `Modshelf ${newest} ist verfügbar; hier läuft ${own}.`,
  readAbout: (url) => `Lies darüber unter ${url}, mach eine Sicherung und aktualisiere.`,
  updateSoon: "Mach eine Sicherung und aktualisiere.",
  notChecked: (reason) => `Das ließ sich nicht prüfen: ${reason}`,
  mendFirst: "Behebe das zuerst, und starte dann `modshelf doctor` noch einmal.",
  folderMadeLater: (folder) => `${folder} gibt es noch nicht; der erste Start legt es an.`,
  folderMissing: (folder) => `${folder} gibt es nicht, und dieses Konto darf es nicht anlegen.`,
  giveRight: (folder) => `Gib diesem Konto Schreibrecht in ${folder}, oder setze MODSHELF_DATA_DIR.`,
  folderLocked: (folder) => `Dieses Konto darf in ${folder} nicht schreiben.`,
  giveServerRight: "Gib dem Konto, unter dem der Server läuft, dieses Recht.",
  folderOpen: (folder) =>
    `Jedes Konto auf diesem Rechner kann ${folder} lesen; dort liegen Passwort-Hashes und E-Mail-Adressen.`,
  takeRight: (command) => `Schränke den Zugriff ein: ${command}`,
  folderOfOther: (folder) => `${folder} gehört einem anderen Konto als diesem.`,
  runAsServer: "Führe Befehle unter dem Konto des Servers aus.",
  folderFine: (folder) => `${folder} existiert, ist beschreibbar und privat.`,
  room: (bytes, place) => `Auf der Festplatte von ${place} sind ${comma(bytes)} frei.`,
  freeForUploads: "Schaff jetzt Platz: Bis dahin werden Uploads abgelehnt (MODSHELF_MIN_FREE_DISK).",
  freeNow: "Schaff jetzt Platz: Bald lässt sich nichts mehr speichern.",
  freeSome: "Schaff Platz, oder zieh auf eine größere Festplatte um.",
  limitUnknown: "Die Grenze ist auf diesem System nicht bekannt.",
  limitNone: "Es gibt keine Grenze.",
  limitIs: (limit) => `Die Grenze ist ${limit}.`,
  fewOpenFiles: (limit) => `Dieses Konto darf ${limit} Dateien zugleich öffnen; jede Verbindung ist eine.`,
  raiseLimit: (least) =>
    `Erhöhe die Grenze auf mindestens ${least} (ulimit -n, oder LimitNOFILE= in einer systemd-Unit).`,
  reachedAt: (url) => `Besucher erreichen die Seite unter ${url}.`,
  reachedInClear: (url) =>
    `Besucher erreichen die Seite unter ${url}: Passwörter und Sitzungen werden unverschlüsselt übertragen.`,
  useTls: "Stell einen Proxy mit TLS davor und setze MODSHELF_URL auf dessen https-Adresse.",
  filesApart: (url) => `Hochgeladene Dateien kommen von einem eigenen Host, ${url}.`,
  filesTogetherHere: "Hochgeladene Dateien kommen vom Host der Seite. Zum Ausprobieren genügt das.",
  filesTogether: (url) =>
    `Hochgeladene Dateien kommen von ${url}, dem Host der Seite, der auch die Sitzungen der Besucher erhält.`,
  separateFiles:
    "Gib den Dateien einen eigenen Host, am besten unter einer anderen Domain, und setze MODSHELF_CDN_URL darauf.",
  correctLines: "Berichtige diese Zeilen; der Server startet nicht mit ihnen.",
  taxonomyFine: (file) => `${file} lässt sich verwenden.`,
  taxonomyOwn: "Die mitgelieferte Taxonomie wird verwendet.",
  openWithoutMail:
    "Jeder kann sich registrieren, aber es lassen sich keine E-Mails senden: Bei vergessenen Passwörtern musst du helfen.",
  setUpMail: (command) =>
    `Richte unter /admin/settings/mail oder mit MODSHELF_SMTP_URL einen Mailserver ein, oder gib Links weiter, die ${command} macht.`,
  noMail: (command) => `Es werden keine E-Mails gesendet; Links für vergessene Passwörter macht ${command}.`,
  mailFine: (host) => `Der Mailserver ${host} nimmt E-Mails dieser Seite an.`,
  mailRefused: (host, reason) => `Der Mailserver ${host} nimmt keine E-Mails dieser Seite an: ${reason}`,
  correctMail: "Berichtige die Einstellungen (/admin/settings/mail oder MODSHELF_SMTP_URL) oder den Mailserver.",
  storageFine: (place) => `Eine Testdatei wurde in ${place} geschrieben, gelesen und gelöscht.`,
  storageBroken: (place, reason) =>
    `Eine Testdatei ließ sich in ${place} nicht schreiben, lesen und löschen: ${reason}`,
  checkFolder: "Prüfe die Rechte und die Festplatte dieses Ordners (MODSHELF_STORAGE_URL).",
  checkBucket:
    "Prüfe MODSHELF_STORAGE_URL, die Schlüssel in MODSHELF_S3_ACCESS_KEY_ID und MODSHELF_S3_SECRET_ACCESS_KEY und deren Rechte.",
  noScanner: "Dateien werden nicht auf Schadsoftware geprüft: Es ist kein Virenscanner eingerichtet.",
  scannerFine: (where, version) => `Der Virenscanner unter ${where} antwortet: ${version}.`,
  scannerBroken: (where, reason) => `Der Virenscanner unter ${where} funktioniert nicht: ${reason}`,
  scannerHolds:
    "Starte ihn oder korrigiere seine Adresse unter /admin/settings/scanner (MODSHELF_SCANNER). Bis dahin werden neue Versionen zurückgehalten.",
  scannerSkips:
    "Starte ihn oder korrigiere seine Adresse unter /admin/settings/scanner (MODSHELF_SCANNER). Bis dahin erscheinen neue Versionen ungeprüft.",
};
