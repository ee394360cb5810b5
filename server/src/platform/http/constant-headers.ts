// Headers that are the same on every answer, or on every answer of a kind.

/**
 * On every answer. Headers that matter only for documents are on pages only (web/frame/rendering.tsx), to keep JSON small.
 */
export const securityHeaders = (siteUrl: string): Record<string, string> => ({
  "x-content-type-options": "nosniff",
  ...(siteUrl.startsWith("https:") && { "strict-transport-security": "max-age=31536000" }),
});

/** Everything that an answer of the API can depend on besides its URL. */
export const variesBy = "Accept-Encoding, Authorization, Cookie, Origin";

/** All headers of a public answer for anonymous callers, as a list of names and values. */
export const publicAnswerHeaders = (
  siteUrl: string,
  cacheControl: string,
  more: Readonly<Record<string, string>> = {},
): string[] =>
  Object.entries({
    "content-type": "application/json; charset=utf-8",
    ...securityHeaders(siteUrl),
    "access-control-allow-origin": "*",
    "cache-control": cacheControl,
    vary: variesBy,
    ...more,
  }).flat();
