// The names under which uploaded files are stored and served: one ASCII component that is harmless in every shell, file
// system and header.
import { lengths } from "../lib/lengths.js";

const [, longest] = lengths.fileName;
/** Windows opens devices under these names, whatever their extension. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Every other character becomes "-"; the extension survives shortening. Undefined when nothing of a name is left. */
export function storedFileName(given: string): string | undefined {
  const last = given.split(/[/\\]/).pop() ?? "";
  const safe = last
    .normalize("NFC")
    .replace(/[^A-Za-z0-9._+-]+/g, "-")
    .replace(/\.{2,}/g, ".")
    .replace(/^[.-]+|[.-]+$/g, "");
  if (safe === "" || !/[A-Za-z0-9]/.test(safe)) return undefined;
  const named = devices.test(safe) ? `file-${safe}` : safe;
  if (named.length <= longest) return named;
  const dot = named.lastIndexOf(".");
  const extension = dot > 0 && named.length - dot <= 16 ? named.slice(dot) : "";
  return named.slice(0, longest - extension.length).replace(/[.-]+$/, "") + extension;
}
