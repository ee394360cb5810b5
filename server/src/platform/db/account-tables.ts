// Accounts and everything that signs their users in.

import type { Provenance } from "#lib/provenance.js";
import type { Scope } from "#lib/scopes.js";
import type { Shortcuts } from "#lib/shortcuts.js";
import type { Locale } from "#words/languages.js";
import { bytes, defaulted, flag, integer, json, nullable, type TableShapes, text, time } from "./columns.js";

export type UserRole = "user" | "moderator" | "admin";
export type CodePurpose = "setup" | "password_reset" | "email_change" | "password_add" | "account_deletion";

export const accountTables = {
  users: {
    id: text(),
    user_name: text(),
    name: nullable(text()),
    email: nullable(text()),
    // The owner of the mailbox has confirmed a mail that was sent there.
    email_verified: flag,
    // The address belongs to this account only. If mail is configured, an address is held once it is confirmed.
    email_held: defaulted(flag),
    password_hash: nullable(text()),
    role: text<UserRole>(),
    bio: nullable(text()),
    avatar_id: nullable(text()),
    background_id: nullable(text()),
    date_joined: time,
    date_suspended: nullable(time),
    suspension_reason: nullable(text()),
    // The language of pages and mails; null: not chosen.
    locale: nullable(text<Locale>()),
    // Single-key shortcuts; null: the defaults.
    shortcuts: nullable(json<Partial<Shortcuts>>()),
    followers: defaulted(integer),
  },
  sessions: {
    id: text(),
    user_id: text(),
    token_digest: bytes,
    provider: text(),
    date_created: time,
    date_authenticated: time,
    date_last_active: time,
    date_expires: time,
    address: nullable(text()),
    user_agent: nullable(text()),
    // Whether the last confirmation of the user's identity (date_authenticated) included a second factor.
    passed_second_factor: defaulted(flag),
    // The powers of staff expire then unless the session is used before; null: they are not in force.
    date_powers_end: nullable(time),
  },
  tokens: {
    id: text(),
    user_id: text(),
    name: text(),
    token_digest: bytes,
    scopes: json<Scope[]>(),
    date_created: time,
    date_expires: time,
    date_last_used: nullable(time),
    // How many days before its expiry the owner was last notified.
    expiry_told: nullable(integer),
    // The only project that the token may act on; null: everything that its owner may do.
    project_id: nullable(text()),
    // The trusted publisher whose build got this short-lived token; null: created by its owner.
    publisher_id: nullable(text()),
    // The connection of an application that got this short-lived token; null: created by its owner.
    grant_id: nullable(text()),
    // Where that build comes from; recorded in the versions that it publishes.
    provenance: nullable(json<Provenance>()),
  },
  // Programs of third parties that users can connect to their accounts. The id is the OAuth client id.
  applications: {
    id: text(),
    owner_id: text(),
    name: text(),
    description: text(),
    homepage: text(),
    redirect_uris: json<string[]>(),
    // The most that it can ask for.
    scopes: json<Scope[]>(),
    // Null: a public client, which cannot keep a secret.
    secret_digest: nullable(bytes),
    date_created: time,
    // By a moderator; its tokens do not work, and it gets no new ones.
    date_suspended: nullable(time),
  },
  // One consent of a user to one application: at first a code, then the connection with its refresh token.
  application_grants: {
    id: text(),
    application_id: text(),
    user_id: text(),
    scopes: json<Scope[]>(),
    code_digest: bytes,
    code_challenge: text(),
    redirect_uri: text(),
    date_created: time,
    // Null: the code waits.
    date_redeemed: nullable(time),
    // A refresh token has two parts: one names the connection, and the other changes with every use.
    family_digest: nullable(bytes),
    refresh_digest: nullable(bytes),
    date_last_used: nullable(time),
    // The code expires then; once it is redeemed, the refresh token does.
    date_expires: time,
  },
  // Programs that wait until a user allows them in a browser to have a token.
  device_requests: {
    device_digest: bytes,
    // Short, because people type it. It is of use only to a user who is signed in.
    user_code: text(),
    // The name that the program gives itself.
    program: text(),
    scopes: json<Scope[]>(),
    // The network that the request came from.
    address: nullable(text()),
    // Empty: unknown.
    country: text(),
    // The user who has decided; null: the request waits.
    user_id: nullable(text()),
    approved: nullable(flag),
    date_polled: nullable(time),
    date_created: time,
    date_expires: time,
  },
  // Builds of this repository and workflow may publish to the project in the name of the user.
  trusted_publishers: {
    id: text(),
    project_id: text(),
    user_id: text(),
    issuer: text(),
    repository: text(),
    workflow: text(),
    // Empty: any environment, or none.
    environment: text(),
    // The account that owned the repository at the first use: repository names can get a new owner.
    owner_id: nullable(text()),
    date_created: time,
    date_last_used: nullable(time),
  },
  // Identity tokens of build services that were used: each counts once.
  spent_identities: { digest: bytes, date_expires: time },
  one_time_codes: {
    digest: bytes,
    purpose: text<CodePurpose>(),
    user_id: nullable(text()),
    detail: nullable(text()),
    date_created: time,
    date_expires: time,
  },
  linked_accounts: {
    id: text(),
    user_id: text(),
    provider: text(),
    provider_account_id: text(),
    provider_email: nullable(text()),
    date_linked: time,
  },
  oauth_flows: {
    state_digest: bytes,
    browser_digest: bytes,
    provider: text(),
    intent: text<"signin" | "signup" | "link">(),
    code_verifier: text(),
    user_id: nullable(text()),
    date_expires: time,
    // The path on this site to redirect to at the end.
    next: nullable(text()),
    // The digest of the invite code that the new user has given.
    invite_digest: nullable(bytes),
  },
  // Codes that allow signing up while registration is closed.
  invite_codes: {
    id: text(),
    digest: bytes,
    // For administrators.
    note: text(),
    most_uses: integer,
    uses: integer,
    created_by: nullable(text()),
    date_created: time,
    // Null: it does not expire.
    date_expires: nullable(time),
  },
  // The secret in readable form, because codes are computed from it. Without date_confirmed it was shown but never
  // used.
  totp_secrets: {
    user_id: text(),
    secret: text(),
    // The 30-second step of the last used code: no code works twice.
    last_step: integer,
    date_created: time,
    date_confirmed: nullable(time),
    // The session that began the set-up; null once it is confirmed.
    session_id: nullable(text()),
  },
  recovery_codes: { digest: bytes, user_id: text() },
  // Networks from which the account was opened before: wrong passwords from there are counted separately.
  familiar_addresses: { user_id: text(), digest: bytes, date_expires: time },
  feed_keys: { user_id: text(), digest: bytes, date_created: time },
  passkeys: {
    id: text(),
    user_id: text(),
    credential_id: text(),
    public_key: bytes,
    counter: integer,
    transports: json<string[]>(),
    name: text(),
    date_created: time,
    date_last_used: nullable(time),
  },
  // Unfinished steps of a sign-in: the password was right, a passkey was requested, or a mail offers to end a new
  // session.
  sign_in_steps: {
    digest: bytes,
    kind: text<"second_factor" | "passkey_sign_in" | "passkey_add" | "end_session">(),
    user_id: nullable(text()),
    challenge: nullable(text()),
    // The provider of the first step; null: the password.
    provider: nullable(text()),
    date_expires: time,
  },
} satisfies TableShapes;
