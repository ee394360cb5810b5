// What a name leads to. Asked of the DNS directly, which takes no thread: names whose servers never answer would
// otherwise hold up reading and writing files.
import { promises as dns, type LookupAddress } from "node:dns";
import { isIP } from "node:net";

/** Every address of a name; none where there is no such name. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<string[]>;

const queryMs = 2000;
const tries = 2;

/** By these name servers, or by those of the system. */
export const resolveThrough =
  (servers?: readonly string[]): Resolve =>
  async (host, signal) => {
    const resolver = new dns.Resolver({ timeout: queryMs, tries });
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      return found.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  };

export const resolveByDns = resolveThrough();

/** In closed networks names may stand in the machine's own files. */
export const resolveBySystem: Resolve = async (host) =>
  (await dns.lookup(host, { all: true })).map(({ address }) => address);

export const toLookupAddress = (address: string): LookupAddress => ({ address, family: isIP(address) });
