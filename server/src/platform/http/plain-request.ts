// Reads the needed headers without building the object of all headers, which costs as much as the rest of a hot read.

/** The parts of a request that the hot path needs. */
export interface Seen {
  host: string;
  acceptEncoding: string | undefined;
  acceptLanguage: string | undefined;
  forwardedFor: string | undefined;
  /** Whether a page made the request, and from which site. */
  fetchSite: string | undefined;
  /** The use of the answer: a document, a picture, or another one. */
  fetchDest: string | undefined;
  /** The country of the client, as a proxy reports it. */
  country: string | undefined;
  userAgent: string | undefined;
  referer: string | undefined;
  /** The user does not want to be tracked (DNT, Sec-GPC). */
  asksForPrivacy: boolean;
  /** The length of a JSON body. */
  bodyLength: number | undefined;
}

const json = /^application\/json(?:; ?charset=utf-8)?$/i;

/**
 * Undefined for a request with a credential, a condition, an origin, or any unknown header. `countryHeader` is the header
 * that names the country, in lower case.
 */
export function look(rawHeaders: readonly string[], countryHeader?: string): Seen | undefined {
  let host: string | undefined;
  let acceptEncoding: string | undefined;
  let acceptLanguage: string | undefined;
  let forwardedFor: string | undefined;
  let fetchSite: string | undefined;
  let fetchDest: string | undefined;
  let country: string | undefined;
  let userAgent: string | undefined;
  let referer: string | undefined;
  let asksForPrivacy = false;
  let length: string | undefined;
  let type: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const value = rawHeaders[index + 1]!;
    const name = rawHeaders[index]!.toLowerCase();
    if (name === countryHeader) {
      if (country !== undefined) return undefined;
      country = value;
      continue;
    }
    switch (name) {
      case "host":
        if (host !== undefined) return undefined;
        host = value;
        break;
      case "accept-encoding":
        if (acceptEncoding !== undefined) return undefined;
        acceptEncoding = value;
        break;
      case "accept-language":
        if (acceptLanguage !== undefined) return undefined;
        acceptLanguage = value;
        break;
      case "x-forwarded-for":
        if (forwardedFor !== undefined) return undefined;
        forwardedFor = value;
        break;
      case "content-type":
        if (type !== undefined || !json.test(value)) return undefined;
        type = value;
        break;
      case "content-length":
        if (length !== undefined) return undefined;
        length = value;
        break;
      case "sec-fetch-site":
        fetchSite = value;
        break;
      case "sec-fetch-dest":
        if (fetchDest !== undefined) return undefined;
        fetchDest = value;
        break;
      case "user-agent":
        userAgent = value;
        break;
      case "referer":
        referer = value;
        break;
      case "dnt":
      case "sec-gpc":
        if (value === "1") asksForPrivacy = true;
        break;
      case "accept":
      case "connection":
      // Headers that browsers send when they follow a link or a bookmark.
      case "upgrade-insecure-requests":
      case "sec-ch-ua":
      case "sec-ch-ua-mobile":
      case "sec-ch-ua-platform":
      case "sec-fetch-mode":
      case "sec-fetch-user":
      case "priority":
      case "cache-control":
      case "pragma":
      // Headers that proxies and content delivery networks add. None of them changes a public answer.
      case "x-forwarded-proto":
      case "x-forwarded-host":
      case "x-forwarded-port":
      case "x-real-ip":
      case "x-request-id":
      case "via":
      case "cdn-loop":
      case "traceparent":
      case "tracestate":
      case "cf-connecting-ip":
      case "cf-ipcountry":
      case "cf-ray":
      case "cf-visitor":
        break;
      default:
        return undefined;
    }
  }
  if (host === undefined || (length === undefined) !== (type === undefined)) return undefined;
  const bodyLength = length === undefined ? undefined : Number(length);
  return {
    ...{ host, acceptEncoding, acceptLanguage, forwardedFor, fetchSite, fetchDest, country, userAgent, referer },
    ...{ asksForPrivacy, bodyLength },
  };
}
