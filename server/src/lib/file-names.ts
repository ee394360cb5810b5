// The names under which uploaded files are stored and served: one ASCII component that is harmless in every shell, file
// system and header.
import { lengths } from "./lengths.js";

const [, longest] = lengths.fileName;
const longestExtension = 16;
/** Windows opens devices under these names, whatever their extension. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** No name needs more; what is longer costs nothing but time. */
export const longestLooked = 255;

/**
 * Letters lose their accents, everything else that is not plain becomes "-". The extension survives shortening; where
 * nothing of the name before it is left, it is "file". Undefined when there is nothing to go by at all.
 */
export function storedFileName(given: string): string | undefined {
  const last = withoutMiddle(given.slice(Math.max(given.lastIndexOf("/"), given.lastIndexOf("\\")) + 1));
  const letters = last.normalize("NFKD").replace(/\p{M}/gu, "");
  const plain = withoutEnd(
    letters.replace(/[^A-Za-z0-9._+-]+/g, "-").replace(/[.-]+/g, (run) => (run.includes(".") ? "." : run)),
  );
  // A name that begins with a dot is hidden, with a dash an option.
  const name = plain.replace(/^[.-]+/, "");
  if (name === "") return undefined;
  const hasLostStem = plain.startsWith(".") && !letters.startsWith(".") && !name.includes(".");
  return shorten(hasLostStem ? `file.${name}` : devices.test(name) ? `file-${name}` : name);
}

/** The beginning and the extension of a name that is too long to be looked at. */
const withoutMiddle = (name: string): string =>
  name.length <= longestLooked ? name : name.slice(0, longestLooked - longestExtension) + name.slice(-longestExtension);

/** The look-behind lets the search begin once in every run of dots and dashes, so that it stays linear. */
const withoutEnd = (name: string): string => name.replace(/(?<![.-])[.-]+$/, "");

function shorten(name: string): string {
  const dot = name.lastIndexOf(".");
  const extension = dot > 0 && name.length - dot <= longestExtension ? name.slice(dot) : "";
  const stem = name.slice(0, name.length - extension.length);
  return withoutEnd(stem.slice(0, longest - extension.length)) + extension;
}
