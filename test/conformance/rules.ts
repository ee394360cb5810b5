// Sections 4 and 5 of the interface: the endpoints, and their access.

export const endpointRules = {
  "4.wrapper":
    "responses of GET /api/project/{ID|slug}, GET /api/project/{ID|slug}/version and GET /api/project/{ID|slug}/version/{ID/slug} carry a boolean success=true.",
  "4.wrapper.keys": "The project is under the key project; versions are under the key data.",
  "4.wrapper.others": "The other endpoints below return their payload unwrapped, except the PAT delete response.",
  "4.ref": "In paths, {ID|slug} accepts either the identifier or the slug.",
  "4.ids": "List parameters named ids are a plain comma-separated list, not JSON encoded.",

  "4.pat.session": "session authentication required; not usable with a PAT",
  "4.pat.list": "GET | /api/pat | none | array of PAT (without token)",
  "4.pat.create": "POST | /api/pat | JSON body",
  "4.pat.create.name": "name (string, 1 to 64 chars)",
  "4.pat.create.dateExpires": "dateExpires (string, ISO 8601 date, must be in the future)",
  "4.pat.create.authScopes": "authScopes (API_SCOPE[])",
  "4.pat.create.response": "PAT including token, returned once",
  "4.pat.update": "PATCH | /api/pat/{patId} | same body as create | updated PAT without token",
  "4.pat.delete": "DELETE | /api/pat/{patId} | none | JSON with success (boolean) and message (string)",

  "4.project.get": "GET | /api/project/{ID|slug}",
  "4.project.get.includeVersions":
    "query includeVersions (true or false, default false): adds a versions field to the project",
  "4.project.get.featuredOnly":
    "query featuredOnly (true or false, default false): restricts the included versions to featured ones",
  "4.project.get.response": "wrapper with project (full)",
  "4.projects.list": "GET | /api/projects?ids=ID1,ID2 | ids (string[], max 100)",
  "4.projects.list.versionList": "include (string): version-list adds versions as a list of versionNumber values",
  "4.projects.list.versionSlug": "version-slug adds versions as a list of version slugs",
  "4.projects.list.versionInfo": "version-info adds versions as a list of ProjectVersionData",
  "4.projects.list.versionInfoLimit": "version-info-limit (number, default 15) caps the count for version-info",
  "4.projects.list.response": "array of ProjectListItem",
  "4.projects.random": "GET | /api/projects/random | count (number, default 20, max 100)",
  "4.projects.random.response": "array of ProjectListItem (random-list variant)",
  "4.projects.versions": "GET | /api/projects/versions?ids=ID1,ID2,ID3 | ids",
  "4.projects.versions.limit": "limit (number, default 15, caps versions returned)",
  "4.projects.versions.gameVersion": "gameVersion (string)",
  "4.projects.versions.loader": "loader (string)",
  "4.projects.versions.releaseChannel": "releaseChannel (release, beta, alpha or dev)",
  "4.projects.versions.response": "map projectId to ProjectVersionData[]",
  "4.project.icon":
    "PATCH | /api/project/{ID|slug}/icon | multipart form with file part icon; write authentication required",
  "4.channel":
    "releaseChannel on the multiple-projects versions endpoint returns versions of that channel and of all more stable channels (beta returns beta and release).",
  "4.channel.only": "Appending -only to the value (for example beta-only) returns only that channel.",

  "4.version.list": "GET | /api/project/{ID|slug}/version | none | wrapper with data as ProjectVersionData[]",
  "4.version.get":
    "GET | /api/project/{ID|slug}/version/{ID/slug} | none | wrapper with data as one ProjectVersionData",
  "4.version.latest": "GET | /api/project/{ID|slug}/version/latest",
  "4.version.latest.releaseChannel": "releaseChannel (release, beta, alpha or dev; default release)",
  "4.version.latest.gameVersion": "gameVersion (string)",
  "4.version.latest.loader": "loader (string)",
  "4.version.latest.response": "same shape as a single version",
  "4.download.primary":
    "appending /primary-file to a version path above (including /version/latest) downloads that version's primary file.",
  "4.download.named": "Appending /{FILE_NAME} downloads the named file of that version.",
  "4.download.filters": "The same query filters apply.",
  "4.download.content": "The response is the file content.",
};

export const hashRules = {
  "4.hashes.find": "POST | /api/version-files",
  "4.hashes.find.algorithm": "algorithm (sha1 or sha512, default sha512)",
  "4.hashes.find.hashes": "hashes (string[])",
  "4.hashes.find.response": "map from each input hash to its version",
  "4.hashes.update": "POST | /api/version-files/update",
  "4.hashes.update.algorithm": "algorithm (sha1 or sha512, default sha512)",
  "4.hashes.update.hashes": "hashes (string[])",
  "4.hashes.update.gameVersions": "gameVersions (string[], optional)",
  "4.hashes.update.loader": "loader (string, optional)",
  "4.hashes.update.releaseChannel": "releaseChannel (string, optional)",
  "4.hashes.update.response":
    "map from each input hash to the latest version of the project that the hashed version belongs to",
  "4.hash.update": "POST | /api/version-file/{hash}/update",
  "4.hash.update.algorithm": "algorithm (sha1 or sha512, default sha512)",
  "4.hash.update.gameVersions": "gameVersions (string[])",
  "4.hash.update.loader": "loader (string)",
  "4.hash.update.releaseChannel": "releaseChannel (string)",
  "4.hash.update.response": "the latest version of the project that the hashed version belongs to",
  "4.hash.form": "In the single-hash form, {hash} is the file hash in the chosen algorithm.",
};

export const accessRules = {
  "4.organization.get": "GET | /api/organization/{ID|slug} | none | Organization",
  "4.organization.projects":
    "GET | /api/organization/{ID|slug}/projects | none | array of ProjectListItem (same as user projects)",
  "4.organizations.list": "GET | /api/organizations?ids=ID1,ID2 | ids (string[], max 100) | array of Organization",
  "4.organization.own":
    "GET | /api/organization | none; authentication required | array of the current user's organizations",
  "4.organization.ofUser":
    "GET | /api/user/{userId}/organization | none | array of organizations the user is a member of",
  "4.user.get": "GET | path of the single-user lookup: not shown | | User",
  "4.users.list":
    "GET | path of the multiple-users lookup: not shown | ids (string[], max 100, comma-separated, not JSON encoded) | array of User",
  "4.user.projects": "GET | /api/user/{ID|username}/projects | none | array of ProjectListItem",

  "5.public": "Most read endpoints are public.",
  "5.required": "Write endpoints and the current-user organization list require authentication.",
  "5.header": "A personal access token is sent in the Authorization header.",
  "5.header.forms": "Both the bare token value and the form Bearer <ACCESS_TOKEN> appear in use.",
  "5.cookie": "A browser session is sent in the Cookie header as auth-token=<SESSION_TOKEN>.",
  "5.patBySession": "PAT creation, update, deletion and listing require a session; they cannot be done with a PAT.",
  "5.tokenOnce": "A PAT token value is returned only in the creation response, and looks like <ACCESS_TOKEN>.",
  "5.expiryAndScopes":
    "A PAT has an expiry date (must be in the future at creation) and a set of scopes limiting its actions.",
  "5.scopes":
    "Scopes assignable to a PAT (API_SCOPE): user_read, user_read_email, user_write, user_write_email, project_create, project_read, project_write, project_delete, version_create, version_read, version_write, version_delete, organization_create, organization_read, organization_write, organization_delete, collection_create, collection_read, collection_write, collection_delete, notification_read, notification_write, notification_delete, report_create, report_read, report_write, report_delete, thread_read, thread_write.",
  "5.meaning.userRead": "user_read reads public profile data",
  "5.meaning.userReadEmail": "user_read_email reads the own email address",
  "5.meaning.userWrite": "user_write updates the own profile",
  "5.meaning.userWriteEmail": "user_write_email updates the own email address",
  "5.meaning.others": "the *_create scopes create, *_read read, *_write edit",
  "5.meaning.marksAndPosts": "notification_write marks as read; thread_write posts to threads",
  "5.meaning.delete": "*_delete delete the respective resource",
  "5.meaning.upload": "version_create uploads versions",
  "5.meaning.report": "report_create submits reports",
  "5.restricted":
    "Restricted scopes, which cannot be assigned to a PAT and exist only for browser sessions: pat_create, pat_read, pat_write, pat_delete, user_session_read, user_session_delete, user_auth_write, user_delete, analytics_read.",
};
