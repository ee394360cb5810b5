// The pages that are photographed: [name, path, who looks]. Paths name the demo content.

/** For guests. */
const open = [
  ["home", "/"],
  ["mods", "/mods"],
  ["mods-filtered", "/mods?l=quilt&c=utility"],
  ["mods-gallery", "/mods?view=gallery"],
  ["mods-compact", "/mods?view=compact"],
  ["shaders", "/shaders"],
  ["search", "/search?q=lantern"],
  ["search-users", "/search/users?q=ba"],
  ["search-nothing", "/search?q=zzzzzz"],
  ["project", "/project/dusk-lanterns"],
  ["project-gallery", "/project/dusk-lanterns/gallery"],
  ["project-versions", "/project/dusk-lanterns/versions"],
  ["project-changelog", "/project/dusk-lanterns/changelog"],
  ["project-download", "/project/dusk-lanterns/download"],
  ["project-stats", "/project/dusk-lanterns/stats"],
  ["project-dependents", "/project/lumen-core/dependents"],
  ["user", "/user/curator"],
  ["organization", "/organization/lantern-works"],
  ["sign-in", "/auth/sign-in"],
  ["sign-up", "/auth/sign-up"],
  ["settings", "/settings"],
  ["feeds", "/feeds"],
  ["about", "/about"],
  ["status", "/status"],
  ["rules", "/legal/rules"],
  ["api-docs", "/api/docs"],
  ["not-found", "/project/there-is-no-such-project"],
];

/** For somebody who has just signed up; the administrator sees the desks. */
const signedIn = [
  ["dashboard", "/dashboard", "user"],
  ["notifications", "/dashboard/notifications", "user"],
  ["library", "/dashboard/library", "user"],
  ["new-project", "/new", "user"],
  ["new-organization", "/organizations/new", "user"],
  ["report", "/report?itemType=project&itemId=dusk-lanterns", "user"],
  ["settings-profile", "/settings/profile", "user"],
  ["settings-account", "/settings/account", "user"],
  ["settings-sessions", "/settings/sessions", "user"],
  ["settings-tokens", "/settings/pats", "user"],
  ["settings-notifications", "/settings/notifications", "user"],
  ["moderation", "/moderation", "admin"],
  ["moderation-queue", "/moderation/queue", "admin"],
  ["moderation-reports", "/moderation/reports", "admin"],
  ["moderation-log", "/moderation/log", "admin"],
  ["admin", "/admin", "admin"],
  ["admin-settings", "/admin/settings", "admin"],
  ["admin-jobs", "/admin/jobs", "admin"],
  ["admin-users", "/admin/users", "admin"],
];

export const pages = [...open, ...signedIn];

/** With an empty registry only these look different. */
export const emptyPages = new Set(["home", "mods", "search-nothing", "dashboard", "moderation", "moderation-queue"]);

/** What the README shows. */
export const readmePictures = new Set(["home-light", "mods-light", "project-dark"]);
