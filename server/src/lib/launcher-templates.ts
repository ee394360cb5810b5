// Templates that hand a version over to a program of the visitor: links with the scheme of a launcher, and a command for a
// terminal. Operators write them (config/launchers.ts); values come from projects, so that they are always encoded.

/** The words in braces that a template can contain. */
export const linkWords = [
  ...(["project", "projectId", "name", "version", "versionId", "file", "url", "sha1", "sha512"] as const),
  ...(["gameVersion", "loader", "host"] as const),
] as const;
type LinkWord = (typeof linkWords)[number];

export type LauncherValues = Record<LinkWord, string>;

/** Names and file names are free text, which has no place in a terminal. */
export const commandWords = linkWords.filter((word) => word !== "name" && word !== "file");

const inBraces = /\{([^{}]*)\}/g;

/** Whether a template has at least one word, only these words, and no other braces. */
export function usesOnly(template: string, words: readonly string[]): boolean {
  const used = [...template.matchAll(inBraces)].map(([, word = ""]) => word);
  return used.length > 0 && used.every((word) => words.includes(word)) && !/[{}]/.test(template.replace(inBraces, ""));
}

/** Schemes that run code, read the device, or start parts of the system or the browser, and http, which anyone can alter. */
const forbidden = new Set([
  ...["javascript", "vbscript", "livescript", "data", "file", "blob", "filesystem", "about", "view-source", "jar"],
  ...["http", "ws", "wss", "ftp", "sftp", "smb", "ssh", "telnet", "ldap", "mailto", "tel", "sms", "intent", "shell"],
  ...["search", "search-ms", "mhtml", "hcp", "res", "wyciwyg", "resource", "moz-extension", "x-apple-helpbasic"],
]);
const forbiddenStart = /^(?:ms-|chrome|edge|safari|opera|brave|x-apple|itms|vscode)/;

/** The scheme is written out and harmless, and the link is a URL whatever the values are. */
export function isSafeLink(template: string): boolean {
  const [, scheme = ""] = /^([a-z][a-z0-9+.-]{1,31}):[!-~]+$/.exec(template) ?? [];
  if (scheme === "" || forbidden.has(scheme) || forbiddenStart.test(scheme) || /["'<>\\^`|]/.test(template))
    return false;
  return URL.parse(template.replace(inBraces, "x"))?.protocol === `${scheme}:`;
}

export const fillLink = (template: string, values: LauncherValues): string =>
  template.replace(inBraces, (_all, word: LinkWord) => encodeURIComponent(values[word].toWellFormed()));

/** Plain values stay as they are; others are quoted as shells of Linux and macOS read them. */
const plainWord = /^[\w@%+=:,./-]+$/;
export const fillCommand = (template: string, values: LauncherValues): string =>
  template.replace(inBraces, (_all, word: LinkWord) => {
    const value = values[word].replace(/\p{Cc}/gu, "");
    return plainWord.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
  });
