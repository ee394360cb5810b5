// The interface as data: every statement with a name, in its order and its words. Each is covered by a test that quotes
// it (conforms.ts), and no part of the document is left out (statements.test.ts).
import { fieldRows, resources } from "./fields.js";
import { accessRules, endpointRules, hashRules } from "./rules.js";

/** The text before and within sections 1 and 2, up to the tables of fields. */
const openingRules = {
  "0.base": "Paths below start with /api and are appended to {base_url}, which is the service host address.",
  "0.cdn": "File and image addresses in responses point to a separate content host, written {cdn_url}.",
  "1.registry": "The service is a registry and download host for game add-on content.",
  "1.content":
    "Projects (for example shader packs, resource packs and mods) have versions, and each version has downloadable files.",
  "1.owners": "Projects belong to teams, users or organizations.",
  "1.read":
    "Clients can read project, version, organization and user data, look up versions by file hash, and download version files.",
  "1.write":
    "Authenticated clients can manage personal access tokens and perform write actions such as uploading a project icon.",
  "2.ids": "all identifiers (id, projectId, teamId, userId and so on) are opaque strings.",
  "2.dates": "All dates are ISO 8601 timestamps in UTC, for example <timestamp>.",
  "2.nullable": "Nullable means the field is present with a null value when unset.",
};

const stateRules = {
  "3.fields": "A project has a status field and a requestedStatus field (nullable), and a visibility field.",
  "3.observed": "Observed values are status approved and visibility listed.",
  "3.userProjects":
    "Unauthenticated requests and requests from other users to the user-projects endpoint only return projects whose visibility is listed, unlisted or archived.",
  "3.pat": "A PAT has no state field; it becomes unusable at dateExpires.",
};

const closingRules = {
  "7.authentication": "an endpoint that requires authentication cannot be used without it",
  "7.patByPat": "PAT management cannot be done with a PAT",
  "7.restricted": "restricted scopes cannot be assigned to a PAT",
  "7.expiry": "dateExpires must be in the future",
  "7.name": "name must be 1 to 64 characters",
  "8.ids": "ids on /api/organizations, /api/projects and the multiple-users lookup | max 100 entries",
  "8.count": "count on /api/projects/random | default 20, max 100",
  "8.limit": "limit on /api/projects/versions | default 15",
  "8.versionInfoLimit": "version-info-limit on /api/projects | default 15, applies with include=version-info",
  "8.patName": "PAT name | 1 to 64 characters",
  "9.prefix": "All paths share the /api prefix without a version segment.",
};

export const fieldId = (resource: string, field: string): string => `2.${resource}.${field}`;
export const fieldQuote = (field: string, type: string): string => `| ${field} | ${type}`;

/** A row of a table is a statement about the field, and another one if it has a note. */
const fieldRules = Object.fromEntries(
  resources.flatMap((resource) =>
    fieldRows(resource).flatMap(([field, type, note]) => {
      const id = fieldId(resource, field);
      const row = [[id, fieldQuote(field, type)]];
      return note === undefined ? row : [...row, [`${id}.note`, note]];
    }),
  ),
) as Record<string, string>;

export const statements: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...openingRules,
    ...fieldRules,
    ...stateRules,
    ...endpointRules,
    ...hashRules,
    ...accessRules,
    ...closingRules,
  }),
);

/** Statements about scopes that no route needs yet: covered as soon as one does. */
export const waitingForRoutes: Readonly<Record<string, readonly string[]>> = {};
