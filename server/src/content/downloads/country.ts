// The country of a download, if the operator has configured a header for it.
import type { FastifyRequest } from "fastify";
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

export function countryOf(request: FastifyRequest, config: Config): string {
  const { countryHeader } = config.http;
  if (countryHeader === undefined) return "";
  return clientCountry(request.socket.remoteAddress ?? "", request.headers[countryHeader], proxiesOf(config));
}
