// The country of a request, if the operator has configured a header for it.
import type { Config } from "#config/config.js";
import { parseTrustedProxies, type TrustedProxies } from "#lib/client-address.js";
import { clientCountry } from "./client-country.js";

const proxies = new WeakMap<Config, TrustedProxies>();

function proxiesOf(config: Config): TrustedProxies {
  let trusted = proxies.get(config);
  if (!trusted) {
    trusted = parseTrustedProxies([...config.http.trustedProxies]);
    proxies.set(config, trusted);
  }
  return trusted;
}

/** `header` is the value of the header that the operator has configured. */
export const countryOf = (peer: string, header: string | string[] | undefined, config: Config): string =>
  header === undefined ? "" : clientCountry(peer, header, proxiesOf(config));
