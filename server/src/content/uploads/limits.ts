// The rules of uploads in parts: how large a part is, how long what has arrived is kept, how much one account may keep.

const mib = 1024 * 1024;
const hour = 60 * 60 * 1000;

export const largestPartBytes = 8 * mib;
/** Of all parts but the last: an upload of crumbs would fill the folder with files. */
export const smallestPartBytes = mib;

/** After the last part that arrived. */
const keptMs = 24 * hour;
/** After its beginning, however busy it is: the sweep of forgotten files must never meet one that is in use. */
const longestMs = 48 * hour;

export const expiryOf = (dateCreated: number, now: number): number => Math.min(now + keptMs, dateCreated + longestMs);

/** Uploads of one account that no version has come of yet. */
export const mostUploads = 20;
/** All of them together, as a multiple of the largest file. */
export const mostBytesTimes = 4;

/** Where the next part begins, or why this one does not fit; "known" where it is here already. */
export function judgePart(
  upload: { size: number; received: number },
  part: { offset: number; size: number },
): "fits" | "known" | "elsewhere" | "tooLong" | "tooShort" {
  const end = part.offset + part.size;
  if (end > upload.size) return "tooLong";
  if (end <= upload.received) return "known";
  if (part.offset !== upload.received) return "elsewhere";
  return end < upload.size && part.size < smallestPartBytes ? "tooShort" : "fits";
}
