// What is said in English about uploaded files and pictures, and the same in German.
import type { SentencePair } from "#lib/sentence-book.js";

export const filesDe: readonly SentencePair[] = [
  ["it must be PNG, JPEG, GIF or WebP", "Es muss PNG, JPEG, GIF oder WebP sein"],
  ["it has more than 25 million pixels", "Es hat mehr als 25 Millionen Pixel"],
  ["it cannot be decoded", "Es lässt sich nicht lesen"],
  ["it takes too long to decode; try a simpler one", "Es zu lesen dauert zu lange; nimm ein einfacheres"],
  ["it has no usable name", "Sie hat keinen brauchbaren Namen"],
  ["The file", "Die Datei"],
  ["this content", "dieser Inhalt"],
  [
    "its content is not of a type we know, or not what its name says",
    "Ihr Inhalt ist von keiner bekannten Art, oder nicht, was ihr Name sagt",
  ],
  ["the primary file must be {0} here", "Die Hauptdatei muss hier {0} sein"],
  ["{0} followed projects", "{0} Projekte, denen du folgst"],
  ["{0} open invitations by mail", "{0} offene Einladungen per E-Mail"],
  ["{0} passkeys", "{0} Passkeys"],
  ["{0} uploads at once", "{0} Uploads auf einmal"],
  ["{0} in uploads at once", "{0} in Uploads auf einmal"],
  ["{0} collections", "{0} Sammlungen"],
  ["{0} projects in a collection", "{0} Projekte in einer Sammlung"],
  // What an inspection finds (platform/archives/problems.ts): with the entry after it, where it is about one.
  ["The file does not begin like an archive of its type{0}.", "Die Datei beginnt nicht wie ein Archiv ihrer Art{0}."],
  ["The archive holds no files{0}.", "Das Archiv enthält keine Dateien{0}."],
  ["The archive ends in the middle{0}.", "Das Archiv endet mittendrin{0}."],
  ["More data follows after the end of the archive{0}.", "Nach dem Ende des Archivs folgen noch Daten{0}."],
  [
    "The archive holds bytes that belong to no entry{0}.",
    "Das Archiv enthält Bytes, die zu keinem Eintrag gehören{0}.",
  ],
  [
    "The archive holds an entry that its directory does not list{0}.",
    "Das Archiv enthält einen Eintrag, der nicht in seinem Verzeichnis steht{0}.",
  ],
  [
    "The directory lists an entry that is not there, or that overlaps another{0}.",
    "Das Verzeichnis nennt einen Eintrag, den es nicht gibt oder der sich mit einem anderen überschneidet{0}.",
  ],
  [
    "The archive describes the same thing in two ways that do not agree{0}.",
    "Das Archiv beschreibt dasselbe zweimal verschieden{0}.",
  ],
  ["A record of the archive is malformed{0}.", "Ein Teil des Archivs ist fehlerhaft{0}."],
  ["The compressed data of an entry is broken{0}.", "Die gepackten Daten eines Eintrags sind beschädigt{0}."],
  ["An entry is not as long as the archive says{0}.", "Ein Eintrag ist nicht so lang, wie das Archiv sagt{0}."],
  [
    "The content of an entry does not fit its checksum{0}.",
    "Der Inhalt eines Eintrags passt nicht zu seiner Prüfsumme{0}.",
  ],
  ["An entry is encrypted{0}.", "Ein Eintrag ist verschlüsselt{0}."],
  ["An entry is neither stored nor deflated{0}.", "Ein Eintrag ist auf unbekannte Weise gepackt{0}."],
  [
    "An entry is a link, a device or another special file{0}.",
    "Ein Eintrag ist eine Verknüpfung, ein Gerät oder eine andere besondere Datei{0}.",
  ],
  ["The path of an entry leads out of the archive{0}.", "Der Pfad eines Eintrags führt aus dem Archiv hinaus{0}."],
  [
    "The name of an entry cannot be used on every system{0}.",
    "Der Name eines Eintrags geht nicht auf jedem System{0}.",
  ],
  ["The path of an entry is too long{0}.", "Der Pfad eines Eintrags ist zu lang{0}."],
  ["The path of an entry has too many folders{0}.", "Der Pfad eines Eintrags hat zu viele Ordner{0}."],
  [
    "Two entries have the same name, at least where upper and lower case count as the same{0}.",
    "Zwei Einträge heißen gleich, jedenfalls wo Groß- und Kleinschreibung nicht zählt{0}.",
  ],
  ["The archive has too many entries{0}.", "Das Archiv hat zu viele Einträge{0}."],
  ["An entry is too large{0}.", "Ein Eintrag ist zu groß{0}."],
  ["The archive unpacks to too much{0}.", "Ausgepackt ist das Archiv zu groß{0}."],
  [
    "The archive unpacks to far more than its own size{0}.",
    "Ausgepackt ist das Archiv unverhältnismäßig viel größer{0}.",
  ],
  ["Archives lie inside archives too deeply{0}.", "Archive liegen zu tief in Archiven{0}."],
  ["The archive holds too many other archives{0}.", "Das Archiv enthält zu viele andere Archive{0}."],
  ["The inspection of the archive took too long{0}.", "Das Archiv zu prüfen dauerte zu lange{0}."],
  ["The inspection of the archive took too much memory{0}.", "Das Archiv zu prüfen brauchte zu viel Speicher{0}."],
  ["The inspection of the archive ended unexpectedly{0}.", "Die Prüfung des Archivs endete unerwartet{0}."],
];
