// Which addresses belong to the public internet. All others may be this machine, its network or the services of its
// cloud provider, and users who configure a URL must not reach them.
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

/** One range of IPv6 is in public use (2000::/3), except these parts: protocols, tunnels, documentation. */
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
// RFC 6052: how a machine without IPv4 reaches IPv4 hosts. The embedded address counts.
add(translated, "64:ff9b::/96", "ipv6");

/** IPv6 forms that contain an IPv4 address are not public, except for the translation that networks do. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublic.check(address, "ipv4");
  // A zone names a network interface: such an address never leaves the local network.
  if (isIP(address) !== 6 || address.includes("%")) return false;
  if (translated.check(address, "ipv6")) return isPublicAddress(embeddedIpv4(address));
  return inUse.check(address, "ipv6") && !notPublic.check(address, "ipv6");
}

/** The last 32 bits of an IPv6 address, read from the canonical spelling of the URL parser. */
function embeddedIpv4(address: string): string {
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(":");
  const [high = 0, low = 0] = groups.slice(-2).map((group) => (group === "" ? 0 : Number.parseInt(group, 16)));
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}
