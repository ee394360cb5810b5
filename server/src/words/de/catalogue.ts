// All German words of the site, by area.
import type { Words } from "#words/en/catalogue.js";
import { account } from "./account.js";
import { admin } from "./admin.js";
import { browse } from "./browse.js";
import { collections } from "./collections.js";
import { dashboard } from "./dashboard.js";
import { docs } from "./docs.js";
import { frame } from "./frame.js";
import { moderation } from "./moderation.js";
import { names } from "./names.js";
import { organizations } from "./organizations.js";
import { parts } from "./parts.js";
import { project } from "./project.js";
import { projectSettings } from "./project-settings.js";
import { publish } from "./publish.js";
import { reports } from "./reports.js";
import { setup } from "./setup.js";
import { site } from "./site.js";
import { teams } from "./teams.js";
import { users } from "./users.js";

export const catalogue: Words = {
  account,
  admin,
  browse,
  collections,
  dashboard,
  docs,
  frame,
  moderation,
  names,
  organizations,
  parts,
  projectSettings,
  project,
  publish,
  reports,
  setup,
  site,
  teams,
  users,
};
