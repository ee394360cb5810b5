// Accounts and what opens them.

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
    // The owner of the mailbox has answered a mail that was sent there.
    email_verified: flag,
    // The address leads to this account, and to no other. Where mail is configured, an address is held once it is confirmed.
    email_held: defaulted(flag),
    password_hash: nullable(text()),
    role: text<UserRole>(),
    bio: nullable(text()),
    avatar_id: nullable(text()),
    background_id: nullable(text()),
    date_joined: time,
    date_suspended: nullable(time),
    suspension_reason: nullable(text()),
    // Of pages and mails; null: not chosen.
    locale: nullable(text<Locale>()),
    // What single keys do; null: what they usually do.
    shortcuts: nullable(json<Partial<Shortcuts>>()),
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
    // The powers of staff end here unless the session is used before; null: they are not in force.
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
    // How many days before its end its owner was told of it last.
    expiry_told: nullable(integer),
    // The one project that it works for; null: for everything that its owner may do.
    project_id: nullable(text()),
    // Got by a build for the word of its service, for some minutes; null: made by its owner.
    publisher_id: nullable(text()),
    // Of what that build was made; its versions say so.
    provenance: nullable(json<Provenance>()),
  },
  // Builds whose service vouches for them: of this repository and workflow, for this project, in the name of the user.
  trusted_publishers: {
    id: text(),
    project_id: text(),
    user_id: text(),
    issuer: text(),
    repository: text(),
    workflow: text(),
    // Empty: any, or none.
    environment: text(),
    // The account that the repository belonged to at the first use: names change hands.
    owner_id: nullable(text()),
    date_created: time,
    date_last_used: nullable(time),
  },
  // What a build service vouched for and was taken: each counts once.
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
    // Where on this site to go in the end.
    next: nullable(text()),
    // Of the invite code that lets the newcomer in.
    invite_digest: nullable(bytes),
  },
  // What lets people in where registration is closed.
  invite_codes: {
    id: text(),
    digest: bytes,
    // For administrators.
    note: text(),
    most_uses: integer,
    uses: integer,
    created_by: nullable(text()),
    date_created: time,
    // Null: it has no end.
    date_expires: nullable(time),
  },
  // The secret as it must be to make codes from it. Without date_confirmed it was shown to one session, but never used.
  totp_secrets: {
    user_id: text(),
    secret: text(),
    // The 30 seconds whose code was used last: no code works twice.
    last_step: integer,
    date_created: time,
    date_confirmed: nullable(time),
    // The session that began the set-up; null once it is confirmed.
    session_id: nullable(text()),
  },
  recovery_codes: { digest: bytes, user_id: text() },
  // From where the account was opened before: wrong passwords from there are counted apart from those of strangers.
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
  // What was begun at the door and not finished: the password was right, a passkey was asked for, or a mail spoke of a new
  // session that its reader may want to end.
  sign_in_steps: {
    digest: bytes,
    kind: text<"second_factor" | "passkey_sign_in" | "passkey_add" | "end_session">(),
    user_id: nullable(text()),
    challenge: nullable(text()),
    // How the first step was taken; null: with the password.
    provider: nullable(text()),
    date_expires: time,
  },
} satisfies TableShapes;
