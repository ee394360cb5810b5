// Which requests for a page are views, and what is counted of them. Nothing here needs a cookie or a script.

/** The headers that decide. */
export interface VisitHeaders {
  userAgent: string | undefined;
  /** Sec-Fetch-Dest. */
  fetchDest: string | undefined;
  /** Sec-Purpose, or one of its predecessors: the browser loads the page in case the user will open it. */
  purpose: string | undefined;
  referer: string | undefined;
  /** DNT or Sec-GPC: the user does not want to be tracked. */
  asksForPrivacy: boolean;
}

/**
 * A page that the user opens, or that a script of the site reports because it was prefetched before (web/scripts/site.ts).
 * Some browsers, and all on sites without HTTPS, do not send the header.
 */
const visitDestinations: readonly unknown[] = [undefined, "document", "empty"];

/** Every browser starts its name like this; most programs do not. */
const browser = /^(?:Mozilla|Opera)\//;
/** Names of robots, and the usual ways in which they introduce themselves. CUBOT makes phones. */
const robot =
  /(?<!cu)bot\b|bot\/|crawl|spider|slurp|headless|lighthouse|pagespeed|pingdom|uptime|monitor|facebookexternalhit|scrapy|phantomjs|archiver|compatible;(?! msie)|https?:\/\//i;
const longestName = 400;

export function isVisit({ userAgent = "", fetchDest, purpose }: VisitHeaders): boolean {
  if (purpose !== undefined || !visitDestinations.includes(fetchDest)) return false;
  return browser.test(userAgent) && !robot.test(userAgent.slice(0, longestName));
}

/** Referrers that are not a host of another site. Hosts have a dot, these have none. */
export const direct = "direct";
export const thisSite = "self";
export const otherHosts = "other";

const httpHost = /^https?:\/\/(?:www\.)?([a-z0-9.-]{1,100})(?::\d{1,5})?(?:[/?#]|$)/i;

/** The host that a Referer header names. `own` are the names of this site. */
export function referrerOf(referer: string | undefined, own: ReadonlySet<string>): string {
  const found = referer === undefined ? undefined : httpHost.exec(referer)?.[1]?.toLowerCase();
  if (found === undefined) return direct;
  if (own.has(found)) return thisSite;
  const labels = found.split(".");
  if (labels.length < 2 || labels.includes("")) return otherHosts;
  // A copy: a part of a string would keep the whole header in memory.
  return Buffer.from(found, "latin1").toString("latin1");
}

/** The name of a site as `referrerOf` compares it. */
export const ownName = (url: string): string => new URL(url).hostname.replace(/^www\./, "");

export interface View {
  /** A digest of the client and the project together: it does not show which projects a client has viewed. */
  visitor: string;
  projectId: string;
  referrer: string;
  /** Two letters; empty if unknown. */
  country: string;
  time: number;
}
