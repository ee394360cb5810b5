// The start page and project lists.
import type { Route } from "#platform/http/endpoint.js";
import { homeRoutes } from "./home.route.js";
import { listRoutes } from "./list-page.route.js";
import { namedListRoutes } from "./named-list.route.js";
import { suggestionRoutes } from "./suggestions.js";

export const browseRoutes: Route[] = [...homeRoutes, ...listRoutes, ...namedListRoutes, ...suggestionRoutes];
