// The pages about the site itself, and files for browsers and other sites.
import type { Route } from "#platform/http/endpoint.js";
import { aboutRoutes } from "./about.route.js";
import { feedPageRoutes } from "./feeds.route.js";
import { followingFeedRoutes } from "./following-feed.route.js";
import { legalRoutes } from "./legal.route.js";
import { machineRoutes } from "./machine.js";
import { cardRoutes } from "./og-card.js";
import { statusRoutes } from "./status.route.js";
import { videoPlayerRoutes } from "./video-player.js";

export const siteRoutes: Route[] = [
  ...aboutRoutes,
  ...statusRoutes,
  ...feedPageRoutes,
  ...followingFeedRoutes,
  ...legalRoutes,
  ...machineRoutes,
  ...cardRoutes,
  ...videoPlayerRoutes,
];
