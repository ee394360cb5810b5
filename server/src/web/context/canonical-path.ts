// The one spelling of an address: small letters, no slash at its end. Asked where nothing was found under another one.

import { projectTypes } from "./project-types.js";

/** What we ever put into an address. Anything else is not repeated, least of all in a header. */
const plain = /^\/[\w./+~-]*$/;

/** Undefined where the address is spelled as it should be, or is none of ours. */
export function canonicalPath(url: string): string | undefined {
  const queryAt = url.indexOf("?");
  const [path, query] = queryAt < 0 ? [url, ""] : [url.slice(0, queryAt), url.slice(queryAt)];
  if (!plain.test(path) || path.startsWith("//")) return undefined;
  const moved = respelled(path);
  // Whoever put line breaks or worse into a query gets his page without it.
  return moved === undefined ? undefined : `${moved}${/^[\x21-\x7e]*$/.test(query) ? query : ""}`;
}

/** "/mod": the list of them is meant. */
const isOneType = (path: string): boolean => projectTypes.some((type) => path === `/${type}`);

/** One thing at a time: ids have capital letters, so that only what does not exist otherwise is made small. */
function respelled(path: string): string | undefined {
  if (path === "/") return undefined;
  // Without a pattern: one that looks for slashes before the end takes quadratic time for many that stand elsewhere.
  let end = path.length;
  while (path[end - 1] === "/") end--;
  if (end < path.length) return path.slice(0, end);
  if (/^\/project\/[^/]+\/version$/.test(path) || isOneType(path)) return `${path}s`;
  const [, first = "", ...rest] = path.split("/");
  if (first !== first.toLowerCase()) return ["", first.toLowerCase(), ...rest].join("/");
  const small = path.toLowerCase();
  return small === path ? undefined : small;
}
