// The names under which uploaded files are stored and served: one ASCII component that is harmless in every shell, file
// system and header.
import { lengths } from "./lengths.js";

const [, longest] = lengths.fileName;
const longestExtension = 16;
/** Windows opens devices under these names, whatever their extension. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/**
 * Letters lose their accents, everything else that is not plain becomes "-". The extension survives shortening; where
 * nothing of the name before it is left, it is "file". Undefined when there is nothing to go by at all.
 */
export function storedFileName(given: string): string | undefined {
  const last = given.split(/[/\\]/).pop() ?? "";
  const plain = last
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/\.{2,}/g, ".");
  const [, extension = ""] = /[^.](\.[A-Za-z0-9]+)$/.exec(plain) ?? [];
  const stem = toPlain(extension === "" ? plain : plain.slice(0, -extension.length));
  if (stem === "" && extension === "") return undefined;
  const kept = extension.length <= longestExtension ? extension : "";
  const named = stem === "" ? "file" : devices.test(stem.split(".")[0]!) ? `file-${stem}` : stem;
  return named.slice(0, longest - kept.length).replace(/[.-]+$/, "") + kept;
}

const toPlain = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9._+-]+/g, "-")
    // A name that begins with a dot is hidden, with a dash an option; one that ends so means another file on Windows.
    .replace(/^[.-]+|[.-]+$/g, "");
