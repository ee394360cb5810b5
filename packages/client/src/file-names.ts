// Whether a file name from a server can be used in a folder of this computer, on every system.
import { FileNameError } from "./errors.js";

/** Windows opens devices under these names, with any extension. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be in a name.
const unsafe = /[\u0000-\u001f\u007f/\\:*?"<>|\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

/** The same name. Throws a FileNameError where it would leave the folder, hide the file, or mean a device. */
export function safeFileName(name: string): string {
  const isSafe =
    typeof name === "string" &&
    name !== "" &&
    new TextEncoder().encode(name).length <= 200 &&
    !unsafe.test(name) &&
    !/^[.\s-]|[.\s]$/.test(name) &&
    !devices.test(name);
  if (!isSafe)
    throw new FileNameError(`The registry names a file ${JSON.stringify(name)}, which is not a safe file name.`);
  return name;
}
