// Pages as guests have seen them, ready to be sent again: kept until anything in the catalogue changes, so that none is
// out of date, and for a minute at most, because they say how long ago things were.
import { catalogOf } from "../catalog/catalog.js";
import type { ChangeFeed } from "../changes/feed.js";
import { ReadyAnswer } from "../http/answers.js";
import type { Resources } from "../http/resources.js";
import type { Frame } from "./frame.js";

const minute = 60_000;
const mostBytes = 32 * 1024 * 1024;
/** Nobody follows a longer link twice. */
const longestKey = 2000;

interface Kept {
  /** Of the catalogue, and the minute. */
  edition: string;
  bytes: number;
  pages: Map<string, ReadyAnswer>;
}

/** By feed: each server in a process (tests run several) keeps its own. */
const keptBy = new WeakMap<ChangeFeed, Kept>();

export interface KeptPlace {
  find(): ReadyAnswer | undefined;
  /** Only if nothing has changed since the place was asked for. */
  keep(html: string): ReadyAnswer;
}

/** Where the page of this frame is kept; undefined for those whose page is nobody else's. */
export function keptPlace(resources: Resources, frame: Frame): KeptPlace | undefined {
  if (frame.viewer.kind !== "anonymous" || !resources.feed.isFollowing) return undefined;
  const { url, locale, theme, setup, notice } = frame;
  const key = JSON.stringify([url, locale, theme, setup, notice]);
  if (key.length > longestKey) return undefined;
  const editionNow = () => `${catalogOf(resources).edition} ${Math.floor(resources.clock.now() / minute)}`;
  const edition = editionNow();
  let kept = keptBy.get(resources.feed);
  if (kept?.edition !== edition) {
    kept = { edition, bytes: 0, pages: new Map() };
    keptBy.set(resources.feed, kept);
  }
  const { pages } = kept;
  return {
    find: () => pages.get(key),
    keep(html) {
      const answer = new ReadyAnswer(Buffer.from(html));
      if (editionNow() === edition) add(kept, key, answer);
      return answer;
    },
  };
}

/** What was packed for sending is kept too: that makes about a third more. */
function add(kept: Kept, key: string, answer: ReadyAnswer): void {
  const size = 2 * key.length + 1.5 * answer.bytes.length;
  if (kept.bytes + size > mostBytes) {
    kept.pages.clear();
    kept.bytes = 0;
  }
  kept.pages.set(key, answer);
  kept.bytes += size;
}
