// Resolves host names. It queries DNS directly, which uses no thread of the pool: names whose servers never answer
// would otherwise block reading and writing files.
import { promises as dns, type LookupAddress } from "node:dns";
import { isIP } from "node:net";

/** Every address of a name; none if there is no such name. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<string[]>;

const queryMs = 2000;
const tries = 2;

/** With these name servers, or with those of the system. */
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

/** In closed networks, names may be defined in the machine's own files. */
export const resolveBySystem: Resolve = async (host) =>
  (await dns.lookup(host, { all: true })).map(({ address }) => address);

export const toLookupAddress = (address: string): LookupAddress => ({ address, family: isIP(address) });
