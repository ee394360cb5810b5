// Accounts and what opens them.
import type { Scope } from "../lib/scopes.js";
import { bytes, flag, json, nullable, type TableShapes, text, time } from "./columns.js";

export type UserRole = "user" | "moderator" | "admin";
export type CodePurpose = "setup" | "password_reset" | "email_change";

export const accountTables = {
  users: {
    id: text(),
    user_name: text(),
    name: nullable(text()),
    email: nullable(text()),
    email_verified: flag,
    password_hash: nullable(text()),
    role: text<UserRole>(),
    bio: nullable(text()),
    avatar_id: nullable(text()),
    background_id: nullable(text()),
    date_joined: time,
    date_suspended: nullable(time),
    suspension_reason: nullable(text()),
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
  },
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
  },
} satisfies TableShapes;
