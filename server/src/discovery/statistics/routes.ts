// The routes of the site's figures.
import { type Route, route } from "#platform/http/endpoint.js";
import * as contract from "./contract.js";
import { readStatistics, readStorageUse } from "./read.js";

export const statisticsRoutes: Route[] = [
  route(contract.getStatistics, (_call, { db }) => readStatistics(db)),

  route(contract.getStorageUse, (_call, resources) => readStorageUse(resources)),
];
