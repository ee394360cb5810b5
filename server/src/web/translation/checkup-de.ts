// What the checks of the machine and the site find (checkup/, in the words of `modshelf doctor`), and the same in German.
import type { SentencePair } from "#lib/sentence-book.js";

export const checkupDe: readonly SentencePair[] = [
  ["data folder", "Datenordner"],
  ["free disk", "Platz auf der Festplatte"],
  ["open files", "Offene Dateien"],
  ["address", "Adresse"],
  ["content host", "Adresse für Dateien"],
  ["taxonomy", "Taxonomie"],
  ["mail", "E-Mail"],
  ["storage", "Speicher"],
  ["backup", "Sicherung"],
  ["`modshelf backup` was never run here.", "`modshelf backup` lief hier noch nie."],
  ["The last one was made {0} hours ago, in {1}.", "Die letzte wurde vor {0} Stunden gemacht, in {1}."],
  [
    "Run `modshelf backup FOLDER` every day, to another disk.",
    "Lass `modshelf backup ORDNER` jeden Tag laufen, auf eine andere Festplatte.",
  ],
  ["This could not be checked: {0}", "Das ließ sich nicht prüfen: {0}"],
  ["Mend that first, then run the doctor again.", "Behebe das zuerst, und starte dann `modshelf doctor` noch einmal."],
  ["{0} is not there yet; the first start makes it.", "{0} gibt es noch nicht; der erste Start legt es an."],
  ["{0} is not there, and this account may not make it.", "{0} gibt es nicht, und dieses Konto darf es nicht anlegen."],
  [
    "Give this account the right to write in {0}, or set MODSHELF_DATA_DIR.",
    "Gib diesem Konto Schreibrecht in {0}, oder setze MODSHELF_DATA_DIR.",
  ],
  ["This account may not write in {0}.", "Dieses Konto darf in {0} nicht schreiben."],
  ["Give the account that runs the server that right.", "Gib dem Konto, unter dem der Server läuft, dieses Recht."],
  [
    "Every account of this machine can enter {0}, which holds password hashes and e-mail addresses.",
    "Jedes Konto dieses Rechners kommt in {0}; dort liegen Passwort-Hashes und E-Mail-Adressen.",
  ],
  ["Take that right away: {0}", "Nimm ihnen dieses Recht: {0}"],
  ["{0} belongs to another account than this one.", "{0} gehört einem anderen Konto als diesem."],
  ["Run commands as the account of the server.", "Führe Befehle unter dem Konto des Servers aus."],
  ["{0} is there, writable and private.", "{0} ist da, beschreibbar und privat."],
  ["{0} are free where {1} lies.", "Wo {1} liegt, sind {0} frei."],
  ["Free some space now: writes are about to fail.", "Schaff jetzt Platz: Bald lässt sich nichts mehr speichern."],
  ["Free some space, or move the data to a larger disk.", "Schaff Platz, oder zieh auf eine größere Festplatte um."],
  ["The limit is not known on this system.", "Die Grenze ist auf diesem System nicht bekannt."],
  ["The limit is {0}.", "Die Grenze ist {0}."],
  [
    "This account may open {0} files at once; every connection is one.",
    "Dieses Konto darf {0} Dateien zugleich öffnen; jede Verbindung ist eine.",
  ],
  [
    "Raise the limit to {0} or more (ulimit -n, or LimitNOFILE= in a systemd unit).",
    "Erhöhe die Grenze auf mindestens {0} (ulimit -n, oder LimitNOFILE= in einer systemd-Unit).",
  ],
  ["Visitors reach the site at {0}.", "Besucher erreichen die Seite unter {0}."],
  [
    "Visitors reach the site at {0}: passwords and sessions travel in the clear.",
    "Besucher erreichen die Seite unter {0}: Passwörter und Sitzungen reisen unverschlüsselt.",
  ],
  [
    "Put a proxy with TLS in front and set MODSHELF_URL to its https address.",
    "Stell einen Proxy mit TLS davor und setze MODSHELF_URL auf dessen https-Adresse.",
  ],
  ["Uploaded files are served from their own address, {0}.", "Hochgeladene Dateien haben eine eigene Adresse, {0}."],
  [
    "Uploaded files are served from the site's own address; enough for trying out.",
    "Hochgeladene Dateien kommen von der Adresse der Seite selbst; zum Ausprobieren genügt das.",
  ],
  [
    "Uploaded files are served from the site's own address, {0}, where visitors' sessions live.",
    "Hochgeladene Dateien kommen von der Adresse der Seite selbst, {0}, wo auch die Sitzungen der Besucher sind.",
  ],
  [
    "Give them a host of their own, best on another domain, and set MODSHELF_CDN_URL to it.",
    "Gib ihnen eine eigene Adresse, am besten unter einer anderen Domain, und setze MODSHELF_CDN_URL darauf.",
  ],
  [
    "Correct these lines; the server does not start with them.",
    "Berichtige diese Zeilen; der Server startet nicht mit ihnen.",
  ],
  ["{0} can be used.", "{0} lässt sich verwenden."],
  ["The one that comes with Modshelf is used.", "Die mitgelieferte wird verwendet."],
  [
    "Anybody can register, but no mail can be sent: forgotten passwords need you.",
    "Jeder kann sich registrieren, aber es lassen sich keine E-Mails senden: Bei vergessenen Passwörtern musst du helfen.",
  ],
  [
    "Set MODSHELF_SMTP_URL and MODSHELF_MAIL_FROM, or hand out links made by {0}.",
    "Setze MODSHELF_SMTP_URL und MODSHELF_MAIL_FROM, oder gib Links weiter, die {0} macht.",
  ],
  [
    "No mail is sent; links for forgotten passwords come from {0}.",
    "Es werden keine E-Mails gesendet; Links für vergessene Passwörter macht {0}.",
  ],
  ["The mail server at {0} takes mail from us.", "Der Mailserver {0} nimmt E-Mails von uns an."],
  ["The mail server at {0} does not take mail from us: {1}", "Der Mailserver {0} nimmt keine E-Mails von uns an: {1}"],
  ["Correct MODSHELF_SMTP_URL, or the mail server.", "Berichtige MODSHELF_SMTP_URL oder den Mailserver."],
  [
    "Something was written to {0}, read again and deleted.",
    "In {0} ließ sich etwas schreiben, wieder lesen und löschen.",
  ],
  ["{0} cannot be written, read and deleted from: {1}", "In {0} lässt sich nicht schreiben, lesen und löschen: {1}"],
  [
    "Check the rights and the disk of that folder (MODSHELF_STORAGE_URL).",
    "Prüfe die Rechte und die Festplatte dieses Ordners (MODSHELF_STORAGE_URL).",
  ],
  [
    "Check MODSHELF_STORAGE_URL, the keys in MODSHELF_S3_ACCESS_KEY_ID and MODSHELF_S3_SECRET_ACCESS_KEY, and their rights.",
    "Prüfe MODSHELF_STORAGE_URL, die Schlüssel in MODSHELF_S3_ACCESS_KEY_ID und MODSHELF_S3_SECRET_ACCESS_KEY und deren Rechte.",
  ],
];
