// The start page and project lists.
import type { Route } from "#platform/http/endpoint.js";
import { homeRoutes } from "./home.js";
import { listRoutes } from "./list-page.js";
import { namedListRoutes } from "./named-list.js";

export const browseRoutes: Route[] = [...homeRoutes, ...listRoutes, ...namedListRoutes];
