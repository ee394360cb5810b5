// The address of the caller: the peer of the socket, or the address that a trusted proxy reports. Also the forms of an
// address for rate limits and logs.
import { BlockList, isIP, isIPv4 } from "node:net";

export type TrustedProxies = BlockList;

/** Used for peers without an address (a Unix socket, a closed connection): all of them share one limit. */
const unknownAddress = "unknown";
// The longest address text is 45 characters; brackets, a port and a zone make it longer, but not this long.
const longestHop = 80;

const namedRanges: Record<string, string[]> = {
  loopback: ["127.0.0.0/8", "::1"],
  linklocal: ["169.254.0.0/16", "fe80::/10"],
  uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
};

/** Entries are addresses, CIDR ranges or the names above. Throws on the first entry that is none of these. */
export function parseTrustedProxies(list: string[]): TrustedProxies {
  const trusted = new BlockList();
  for (const entry of list) {
    const ranges = Object.hasOwn(namedRanges, entry) ? namedRanges[entry] : undefined;
    for (const range of ranges ?? [entry]) addRange(trusted, range);
  }
  return trusted;
}

function addRange(trusted: BlockList, entry: string): void {
  const [text = "", prefixText, ...rest] = entry.split("/");
  const address = isIP(text) ? toAddress(text) : undefined;
  const invalid = new Error(`"${entry}" is not an address, a CIDR range or a named range such as loopback`);
  if (!address || rest.length > 0) throw invalid;
  const bits = address.includes(":") ? 128 : 32;
  if (prefixText === undefined) {
    trusted.addAddress(address, familyOf(address));
    return;
  }
  if (!/^\d{1,3}$/.test(prefixText)) throw invalid;
  // A range of IPv4-mapped addresses is written with the 96 bits in front of the IPv4 part.
  const prefix = Number(prefixText) - (bits === 32 && text.includes(":") ? 96 : 0);
  if (prefix < 0 || prefix > bits) throw invalid;
  if (prefix === 0) throw new Error(`"${entry}" would trust every client: each could choose its own address`);
  trusted.addSubnet(address, prefix, familyOf(address));
}

/**
 * The peer, or the right-most hop of X-Forwarded-For that is not a trusted proxy when the peer is one. Only the right
 * end of the header was written by trusted proxies: everything to the left of the first untrusted or malformed hop may
 * have been invented by the client.
 */
export function clientAddress(peer: string, forwardedFor: string | undefined, trusted: TrustedProxies): string {
  let client = toAddress(peer);
  if (client === undefined) return unknownAddress;
  let rest = forwardedFor;
  while (rest !== undefined && trusted.check(client, familyOf(client))) {
    const comma = rest.lastIndexOf(",");
    const hop = toAddress(rest.slice(comma + 1));
    if (hop === undefined) break;
    client = hop;
    rest = comma === -1 ? undefined : rest.slice(0, comma);
  }
  return client;
}

export function isTrusted(peer: string, trusted: TrustedProxies): boolean {
  const address = toAddress(peer);
  return address !== undefined && trusted.check(address, familyOf(address));
}

/** Limits count per IPv4 address or per IPv6 /64: one subscriber usually owns a whole /64 and can use any of it. */
export function limitKey(address: string): string {
  const known = toAddress(address);
  if (known === undefined) return unknownAddress;
  return known.includes(":") ? network64(known) : known;
}

/** The network of an address, for audit rows and logs that must not identify a person permanently. */
export function truncatedAddress(address: string): string {
  const known = toAddress(address);
  if (known === undefined) return unknownAddress;
  return known.includes(":") ? network64(known) : `${known.slice(0, known.lastIndexOf("."))}.0/24`;
}

/** The canonical spelling of an address, without brackets, port and zone; undefined if the text is not an address. */
function toAddress(text: string): string | undefined {
  if (text.length > longestHop) return undefined;
  const bare = withoutPort(text.trim());
  if (isIPv4(bare)) return bare;
  // A zone names a network interface of the machine that wrote it; it says nothing about the caller.
  const withoutZone = bare.split("%", 1)[0] ?? "";
  if (isIP(withoutZone) !== 6) return undefined;
  const groups = toGroups(withoutZone);
  return toMappedIPv4(groups) ?? toText(groups);
}

// Some proxies add the port: 192.0.2.1:4711, [2001:db8::1]:4711.
function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text);
  if (bracketed) return bracketed[1] ?? "";
  return /^[\d.]+:\d{1,5}$/.test(text) ? text.slice(0, text.indexOf(":")) : text;
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return address.includes(":") ? "ipv6" : "ipv4";
}

function network64(address: string): string {
  return `${toText([...toGroups(address).slice(0, 4), 0, 0, 0, 0])}/64`;
}

/** The eight 16-bit groups of a text that is known to be an IPv6 address. */
function toGroups(address: string): number[] {
  const [head = "", tail] = address.split("::");
  const before = parseGroups(head);
  if (tail === undefined) return before;
  const after = parseGroups(tail);
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function parseGroups(text: string): number[] {
  if (text === "") return [];
  return text.split(":").flatMap((part) => {
    if (!part.includes(".")) return [Number.parseInt(part, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = part.split(".").map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}

function toMappedIPv4(groups: number[]): string | undefined {
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  return isMapped ? [high >> 8, high & 255, low >> 8, low & 255].join(".") : undefined;
}

/** RFC 5952: lower case, no leading zeros, the first longest run of at least two zero groups as "::". */
function toText(groups: number[]): string {
  let start = 0;
  let length = 1;
  for (let from = 0; from < groups.length; from++) {
    let to = from;
    while (groups[to] === 0) to++;
    if (to - from > length) [start, length] = [from, to - from];
  }
  const hex = groups.map((group) => group.toString(16));
  if (length === 1) return hex.join(":");
  return `${hex.slice(0, start).join(":")}::${hex.slice(start + length).join(":")}`;
}
