// All English words of the site, by area. English is the type: a language that lacks a key, or has one too many, does not
// compile.
import { account } from "./account.js";
import { admin } from "./admin.js";
import { applications } from "./applications.js";
import { archiveDetails, archives } from "./archives.js";
import { audit } from "./audit.js";
import { bodies } from "./bodies.js";
import { browse } from "./browse.js";
import { checks } from "./checks.js";
import { checkup } from "./checkup.js";
import { collections } from "./collections.js";
import { dashboard } from "./dashboard.js";
import { deliveries } from "./deliveries.js";
import { docs } from "./docs.js";
import { files } from "./files.js";
import { frame } from "./frame.js";
import { identity } from "./identity.js";
import { limits } from "./limits.js";
import { mails } from "./mails.js";
import { moderation } from "./moderation.js";
import { names } from "./names.js";
import { notifications } from "./notifications.js";
import { operator } from "./operator.js";
import { organizations } from "./organizations.js";
import { packs } from "./packs.js";
import { parts } from "./parts.js";
import { problems } from "./problems.js";
import { project } from "./project.js";
import { projectSettings } from "./project-settings.js";
import { publish } from "./publish.js";
import { refusals } from "./refusals.js";
import { reports } from "./reports.js";
import { settings } from "./settings.js";
import { setup } from "./setup.js";
import { site } from "./site.js";
import { states } from "./states.js";
import { taxonomy } from "./taxonomy.js";
import { teams } from "./teams.js";
import { users } from "./users.js";

export const catalogue = {
  account,
  admin,
  applications,
  archiveDetails,
  archives,
  audit,
  deliveries,
  bodies,
  browse,
  checks,
  checkup,
  collections,
  dashboard,
  docs,
  files,
  frame,
  identity,
  limits,
  mails,
  moderation,
  names,
  notifications,
  operator,
  organizations,
  packs,
  parts,
  problems,
  projectSettings,
  project,
  publish,
  refusals,
  reports,
  settings,
  setup,
  site,
  states,
  taxonomy,
  teams,
  users,
};

/** Values are words. Words with parts that change are functions. */
type Same<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...parts: infer P) => string
      ? (...parts: P) => string
      : Same<T[K]>;
};

/** The words that every language has. */
export type Words = Same<typeof catalogue>;
