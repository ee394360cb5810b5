// The canonical form of a path: lower case, without a trailing slash. Used when no page exists at the given path.

/** The characters that paths of this site consist of. Others are not repeated, least of all in a header. */
const plain = /^\/[\w./+~-]*$/;

/** Undefined if the path is canonical already, or is not a path of this site. */
export function canonicalPath(url: string): string | undefined {
  const queryAt = url.indexOf("?");
  const [path, query] = queryAt < 0 ? [url, ""] : [url.slice(0, queryAt), url.slice(queryAt)];
  if (!plain.test(path) || path.startsWith("//")) return undefined;
  const moved = respelled(path);
  // A query with control or non-ASCII characters is dropped, because the result goes into a header.
  return moved === undefined ? undefined : `${moved}${/^[\x21-\x7e]*$/.test(query) ? query : ""}`;
}

/**
 * Makes one change at a time. Ids contain capital letters, so the whole path is put in lower case only as the last try.
 */
function respelled(path: string): string | undefined {
  if (path === "/") return undefined;
  // A loop, because a regular expression for trailing slashes takes quadratic time on paths with many slashes.
  let end = path.length;
  while (path[end - 1] === "/") end--;
  if (end < path.length) return path.slice(0, end);
  if (/^\/project\/[^/]+\/version$/.test(path)) return `${path}s`;
  const [, first = "", ...rest] = path.split("/");
  if (first !== first.toLowerCase()) return ["", first.toLowerCase(), ...rest].join("/");
  const small = path.toLowerCase();
  return small === path ? undefined : small;
}
