// Looks at a request's headers without building the object of all of them, which costs as much as the rest of a hot read.

/** What the hot path needs to know of a request that it may take. */
export interface Seen {
  host: string;
  acceptEncoding: string | undefined;
  forwardedFor: string | undefined;
  /** Of a body of JSON. */
  bodyLength: number | undefined;
}

const json = /^application\/json(?:; ?charset=utf-8)?$/i;

/** Undefined for a request with a credential, a condition, an origin, or anything that we do not know. */
export function look(rawHeaders: readonly string[]): Seen | undefined {
  let host: string | undefined;
  let acceptEncoding: string | undefined;
  let forwardedFor: string | undefined;
  let length: string | undefined;
  let type: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const value = rawHeaders[index + 1]!;
    switch (rawHeaders[index]!.toLowerCase()) {
      case "host":
        if (host !== undefined) return undefined;
        host = value;
        break;
      case "accept-encoding":
        if (acceptEncoding !== undefined) return undefined;
        acceptEncoding = value;
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
      case "accept":
      case "accept-language":
      case "connection":
      case "user-agent":
      case "referer":
        break;
      default:
        return undefined;
    }
  }
  if (host === undefined || (length === undefined) !== (type === undefined)) return undefined;
  return { host, acceptEncoding, forwardedFor, bodyLength: length === undefined ? undefined : Number(length) };
}
