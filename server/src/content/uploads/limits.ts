// The limits of uploads in parts: the size of a part, how long parts are kept, and how much an account may store.

const mib = 1024 * 1024;
const hour = 60 * 60 * 1000;

export const largestPartBytes = 8 * mib;
/** For all parts except the last: tiny parts would fill the folder with files. */
export const smallestPartBytes = mib;

/** Counted from the last part that arrived. */
const keptMs = 24 * hour;
/**
 * Counted from the start, however active the upload is: the sweep of old files must never delete one that is in use.
 */
const longestMs = 48 * hour;

export const expiryOf = (dateCreated: number, now: number): number => Math.min(now + keptMs, dateCreated + longestMs);

/** Uploads of one account that no version has used yet. */
export const mostUploads = 20;
/** Their total size, as a multiple of the largest file. */
export const mostBytesTimes = 4;

/** Whether the part fits or why not; "known" if it was received already. */
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
