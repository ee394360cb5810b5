// Headers that are the same on every answer, or on every answer of a kind.

/** On everything. What only binds documents is on pages alone (web/frame/rendering.tsx): launchers read JSON by the thousand. */
export const securityHeaders = (siteUrl: string): Record<string, string> => ({
  "x-content-type-options": "nosniff",
  ...(siteUrl.startsWith("https:") && { "strict-transport-security": "max-age=31536000" }),
});

/** What an answer of the API can depend on besides its address. */
export const variesBy = "Accept-Encoding, Authorization, Cookie, Origin";

/** All of them for what a stranger is told of something public, names and values in turn. */
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
