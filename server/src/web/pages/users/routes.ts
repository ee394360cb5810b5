// The pages of users.
import type { Route } from "#platform/http/endpoint.js";
import { userPageRoutes } from "./user.route.js";

export const userRoutes: Route[] = [...userPageRoutes];
