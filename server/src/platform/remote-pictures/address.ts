// Where visitors get a picture of another site: from the content host, at a URL that only this service can make. So no
// visitor contacts the other site, and no one can use the service to fetch pictures that no text here contains.
import { isIP } from "node:net";
import type { Config, RemotePictures } from "#config/config.js";
import type { Vault } from "#platform/secrets/vault.js";

export const remotePath = "/cdn/remote";
const about = "remote picture";

export interface PictureSite {
  config: Pick<Config, "http" | "remotePictures">;
  vault: Vault;
}

/** Undefined if the operator does not want this picture to be shown. */
export function remotePictureUrl({ config, vault }: PictureSite, url: string): string | undefined {
  if (!isAllowed(url, config.remotePictures)) return undefined;
  return `${config.http.cdnUrl}${remotePath}/${vault.sign(url, about)}?url=${encodeURIComponent(url)}`;
}

export const isOwnAddress = (vault: Vault, url: string, signature: string): boolean =>
  vault.isSigned(url, signature, about);

export function isAllowed(url: string, allowed: RemotePictures): boolean {
  const { host, hostname } = URL.parse(url) ?? {};
  if (!host || !hostname || allowed === "off") return false;
  if (allowed === "on") return true;
  return allowed.some((each) =>
    each.startsWith("*.")
      ? !isAddress(hostname) && hostname.endsWith(each.slice(1))
      : each === host || each === hostname,
  );
}

const isAddress = (hostname: string): boolean => isIP(hostname.replace(/^\[|\]$/g, "")) > 0;

/** Only an operator who names the IP address of a host means a private network. */
export const mayBePrivate = (url: string, allowed: RemotePictures): boolean =>
  Array.isArray(allowed) && isAddress(URL.parse(url)?.hostname ?? "") && isAllowed(url, allowed);
