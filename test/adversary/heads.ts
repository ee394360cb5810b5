// Requests that are expensive before their body arrives: URLs, queries and headers as long as the server accepts them.
import { bait } from "./bait.js";

/** The server accepts headers of 16 KiB. */
const mostBytes = 14_000;
/** The router accepts parameters of 512 characters. */
const mostOfParameter = 500;

const repeated = (piece: string, most = mostBytes): string => piece.repeat(Math.floor(most / piece.length));
const listed = (piece: (at: number) => string, count: number): string =>
  Array.from({ length: count }, (_, at) => piece(at)).join("");

/** A run, percent-encoded for a URL, as long as possible. */
export function encodedBait(name: string, most = mostBytes): string {
  const worth = encodeURIComponent(bait(name, 100)).length / 100;
  return encodeURIComponent(bait(name, Math.floor(most / worth) - 3));
}

export const parameterBait = (name: string): string => encodedBait(name, mostOfParameter);

export const queries: Readonly<Record<string, (salt: number) => string>> = {
  "one key again and again": (salt) => `x=${salt}${repeated("&a")}`,
  "thousands of keys": (salt) => `x=${salt}${listed((at) => `&k${at}`, 2200)}`,
  "ampersands only": (salt) => `x=${salt}${repeated("&")}`,
  "keys in brackets": (salt) => `x=${salt}&a${repeated("[a]")}=1`,
  "one long key": (salt) => `${repeated("k")}${salt}`,
  "percent signs": (salt) => `x=${salt}&a=${repeated("%")}`,
  "escaped bytes that are no text": (salt) => `x=${salt}&a=${repeated("%ff")}`,
};

export const endings: Readonly<Record<string, string>> = {
  slashes: repeated("/"),
  "slashes and a letter": `${repeated("/")}x`,
  segments: repeated("/a"),
  "segments of dots": repeated("/.."),
  "escaped slashes": repeated("%2f"),
  "dots and a slash": `${repeated(".")}/`,
  "dashes and a slash": `${repeated("-")}/`,
};

export const headers: Readonly<Record<string, Record<string, string>>> = {
  cookies: { cookie: repeated("a=b; ") },
  "cookies of ours": { cookie: repeated("auth-token=x; ") },
  "one long cookie": { cookie: `auth-token=${repeated("x")}` },
  "spaces in cookies": { cookie: `a${repeated(" ")};` },
  languages: { "accept-language": repeated("de-x;q=0.1,") },
  "spaces between languages": { "accept-language": `de${repeated(" ")};q` },
  encodings: { "accept-encoding": repeated("br;q=0,") },
  "spaces between encodings": { "accept-encoding": `br${repeated(" ")};q` },
  types: { accept: repeated("text/html;q=0.1,") },
  tags: { "if-none-match": repeated('"a",') },
  "spaces between tags": { "if-none-match": `"a"${repeated(" ")}x` },
  ranges: { range: `bytes=${repeated("0-0,")}` },
  "digits of a range": { range: `bytes=${repeated("1")}-` },
  "a long authorization": { authorization: `Bearer ${repeated("a")}` },
  "spaces in an authorization": { authorization: `Bearer${repeated(" ")}x${repeated(" ", 1000)}y` },
  "a long basic authorization": { authorization: `Basic ${repeated("Ojo6")}` },
  addresses: { "x-forwarded-for": repeated("1.2.3.4, ") },
  "a long idempotency key": { "idempotency-key": repeated("k") },
  origins: { origin: `https://${repeated("a.")}` },
  referrers: { referer: `https://example.org/${repeated("/")}` },
  "user agents": { "user-agent": repeated("a/1.0 (b) ") },
  "fetch headers": { "sec-fetch-site": repeated("same-origin ") },
  "event ids": { "last-event-id": repeated("9") },
  dates: { "if-modified-since": repeated("1 ") },
  hosts: { host: repeated("a.") },
  "hundreds of headers": Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`x-${at}`, "1"])),
};
