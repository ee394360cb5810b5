// The names under which uploaded files are stored and served: one ASCII component that is harmless in every shell, file
// system and header.
import { lengths } from "./lengths.js";

const [, longest] = lengths.fileName;
const longestExtension = 16;
/** Windows opens devices under these names, with any extension. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Longer names are cut before they are examined, to bound the work. */
export const longestLooked = 255;

/**
 * Letters lose their accents, and every other character that is not plain becomes "-". The extension survives
 * shortening; if nothing before it remains, the stem becomes "file". Undefined if no usable character remains.
 */
export function storedFileName(given: string): string | undefined {
  const last = withoutMiddle(given.slice(Math.max(given.lastIndexOf("/"), given.lastIndexOf("\\")) + 1));
  const letters = last.normalize("NFKD").replace(/\p{M}/gu, "");
  const plain = withoutEnd(
    letters.replace(/[^A-Za-z0-9._+-]+/g, "-").replace(/[.-]+/g, (run) => (run.includes(".") ? "." : run)),
  );
  // A leading dot would hide the file; shells read a leading dash as an option.
  const name = plain.replace(/^[.-]+/, "");
  if (name === "") return undefined;
  const hasLostStem = plain.startsWith(".") && !letters.startsWith(".") && !name.includes(".");
  return shorten(hasLostStem ? `file.${name}` : devices.test(name) ? `file-${name}` : name);
}

/** Keeps the start and the extension of a name that is too long to examine. */
const withoutMiddle = (name: string): string =>
  name.length <= longestLooked ? name : name.slice(0, longestLooked - longestExtension) + name.slice(-longestExtension);

/** The look-behind starts the match only once per run of dots and dashes, which keeps it linear. */
const withoutEnd = (name: string): string => name.replace(/(?<![.-])[.-]+$/, "");

function shorten(name: string): string {
  const dot = name.lastIndexOf(".");
  const extension = dot > 0 && name.length - dot <= longestExtension ? name.slice(dot) : "";
  const stem = name.slice(0, name.length - extension.length);
  return withoutEnd(stem.slice(0, longest - extension.length)) + extension;
}
