// The pages about the site itself, and what browsers and other places ask it for.
import type { Route } from "#platform/http/endpoint.js";
import { aboutRoutes } from "./about.js";
import { feedPageRoutes } from "./feeds.js";
import { followingFeedRoutes } from "./following-feed.js";
import { legalRoutes } from "./legal.js";
import { machineRoutes } from "./machine.js";
import { cardRoutes } from "./og-card.js";
import { statusRoutes } from "./status.js";

export const siteRoutes: Route[] = [
  ...aboutRoutes,
  ...statusRoutes,
  ...feedPageRoutes,
  ...followingFeedRoutes,
  ...legalRoutes,
  ...machineRoutes,
  ...cardRoutes,
];
