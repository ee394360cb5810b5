// The Range header (RFC 9110 §14): a single range is served; anything else is ignored, as the RFC allows.

export type RangeRequest = { kind: "whole" } | { kind: "part"; start: number; end: number } | { kind: "unsatisfiable" };

export function parseRange(header: string | undefined, size: number): RangeRequest {
  const [, first, last] = /^bytes=\s*(\d*)-(\d*)\s*$/.exec(header ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return { kind: "whole" };
  if (first === "") {
    const suffix = Math.min(Number(last), size);
    return suffix === 0 ? { kind: "unsatisfiable" } : { kind: "part", start: size - suffix, end: size - 1 };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return { kind: "whole" };
  if (start >= size) return { kind: "unsatisfiable" };
  return { kind: "part", start, end: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
}

/** If-Range: the part is sent only if the ETag still matches. Dates never match, because no dates are sent. */
export const isRangeWanted = (ifRange: string | undefined, etag: string): boolean =>
  ifRange === undefined || ifRange.trim() === etag;
