// Which addresses belong to the public internet. Everything else may be this machine, its network or its cloud's own
// services, and nobody who can name an address here has any business there.
import { BlockList, isIP, isIPv4 } from "node:net";

const ipv4Ranges = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];

/** Of IPv6 one range is in public use (2000::/3), and these parts of it are not: protocols, tunnels, documentation. */
const ipv6Exceptions = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

const notPublic = new BlockList();
const inUse = new BlockList();
const translated = new BlockList();
const add = (list: BlockList, range: string, family: "ipv4" | "ipv6") => {
  const [network = "", prefix] = range.split("/");
  list.addSubnet(network, Number(prefix), family);
};
for (const range of ipv4Ranges) add(notPublic, range, "ipv4");
for (const range of ipv6Exceptions) add(notPublic, range, "ipv6");
add(inUse, "2000::/3", "ipv6");
// RFC 6052: how a machine without IPv4 reaches it. What counts is the address inside.
add(translated, "64:ff9b::/96", "ipv6");

/** Forms that carry an IPv4 address in an IPv6 one are not public, except for the translation that networks do. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublic.check(address, "ipv4");
  // A zone names a network card: such an address never leaves the local network.
  if (isIP(address) !== 6 || address.includes("%")) return false;
  if (translated.check(address, "ipv6")) return isPublicAddress(embeddedIpv4(address));
  return inUse.check(address, "ipv6") && !notPublic.check(address, "ipv6");
}

/** The last 32 bits of an IPv6 address, in the spelling that the URL parser gives to all of them. */
function embeddedIpv4(address: string): string {
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(":");
  const [high = 0, low = 0] = groups.slice(-2).map((group) => (group === "" ? 0 : Number.parseInt(group, 16)));
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}
