// The scopes of the interface (§5), in the order in which answers list them. Tokens can hold only the assignable ones;
// the restricted ones exist only for browser sessions, and the types keep the two apart. The staff scope is not in the
// interface's list: only moderators and administrators can give it to their tokens, and other users never see it.

export const assignableScopes = [
  "user_read_email",
  "user_read",
  "user_write",
  "notification_read",
  "notification_write",
  "notification_delete",
  "project_create",
  "project_read",
  "project_write",
  "project_delete",
  "version_create",
  "version_read",
  "version_write",
  "version_delete",
  "organization_create",
  "organization_read",
  "organization_write",
  "organization_delete",
  "collection_create",
  "collection_read",
  "collection_write",
  "collection_delete",
  "report_create",
  "report_read",
  "report_write",
  "report_delete",
  "thread_read",
  "thread_write",
  "user_write_email",
] as const;

export const scopeMeanings = {
  user_read_email: "Read the user's own email address",
  user_read: "Read the user's profile and follows",
  user_write: "Edit the user's profile, follow projects and answer invitations",
  notification_read: "Read notifications",
  notification_write: "Mark notifications as read",
  notification_delete: "Delete notifications",
  project_create: "Create projects",
  project_read: "Read projects that are not public",
  project_write: "Edit projects and their teams",
  project_delete: "Delete projects",
  version_create: "Publish versions",
  version_read: "Read versions that are not public",
  version_write: "Edit and withdraw versions",
  version_delete: "Delete versions",
  organization_create: "Create organizations",
  organization_read: "Read organizations",
  organization_write: "Edit organizations and their teams",
  organization_delete: "Delete organizations",
  collection_create: "Create collections",
  collection_read: "Read collections that are not public",
  collection_write: "Edit collections",
  collection_delete: "Delete collections",
  report_create: "Submit reports",
  report_read: "Read reports",
  report_write: "Edit reports",
  report_delete: "Delete reports",
  thread_read: "Read conversations with moderators",
  thread_write: "Post to conversations with moderators",
  user_write_email: "Change the user's own email address",
} as const satisfies Record<(typeof assignableScopes)[number], string>;

/**
 * The scopes that applications of third parties can get. An application that could change the email address could take over
 * the account, so no application can; nor can one use the powers of staff.
 */
export const applicationScopes = assignableScopes.filter((scope) => scope !== "user_write_email");

export const restrictedScopes = [
  "user_delete",
  "user_auth_write",
  "user_session_read",
  "user_session_delete",
  "analytics_read",
  "pat_create",
  "pat_read",
  "pat_write",
  "pat_delete",
] as const;

/** A token with this scope has the powers of its owner's role; every other token acts as an ordinary user. */
export const staffScope = "staff";

export type Scope = (typeof assignableScopes)[number] | typeof staffScope;
export type RestrictedScope = (typeof restrictedScopes)[number];

const known = new Set<string>([...assignableScopes, staffScope]);
const restricted = new Set<string>(restrictedScopes);

export const isScope = (name: string): name is Scope => known.has(name);
export const isRestrictedScope = (name: string): name is RestrictedScope => restricted.has(name);

/** Each given scope once, in the order of the interface. */
export const sortScopes = (scopes: Iterable<Scope>): Scope[] => {
  const given = new Set(scopes);
  return ([...assignableScopes, staffScope] as const).filter((scope) => given.has(scope));
};
