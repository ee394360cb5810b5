// Collects all stored data about a user, for the user: no secrets, no digests, no messages between others.
import { sql } from "kysely";
import { listConnections, listOwnApplications } from "#accounts/applications/read.js";
import { findAccount, findProfile, toUser } from "#accounts/users/read.js";
import { visibleTo } from "#content/projects/policy.js";
import { isNotQuarantined } from "#content/versions/policy.js";
import { fromJson } from "#lib/json.js";
import type { Db, Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { maybeTimestamp, timestamp } from "#platform/http/schemas.js";

export async function collectOwnData({ db, config, clock }: Resources, userId: string) {
  const account = await findAccount(db, userId);
  const profile = await findProfile(db, userId);
  if (!account || !profile) throw fail.userNotFound();
  return {
    site: config.http.url,
    dateExported: timestamp(clock.now()),
    account: { ...toUser(profile, config.http.cdnUrl), ...toPrivateFacts(account) },
    ...(await waysIn(db, account)),
    ...(await belongings(db, account)),
    ...(await words(db, userId)),
    securityLog: await log(db, userId),
  };
}

/** Without powers of staff: the export is about the user, and may be read elsewhere later. */
const isVisibleTo = ({ id, user_name }: Row<"users">) =>
  visibleTo({ kind: "session", user: { id, userName: user_name, role: "user" }, sessionId: "", dateAuthenticated: 0 });

/** The current slug of a project, while the user can see it. */
const visibleSlug = (account: Row<"users">) =>
  sql<string | null>`case when ${isVisibleTo(account)} then projects.slug end`.as("project");

const toPrivateFacts = (account: Row<"users">) => ({
  email: account.email,
  emailVerified: account.email_verified === 1,
  hasAPassword: account.password_hash !== null,
  language: account.locale,
  dateSuspended: maybeTimestamp(account.date_suspended),
});

async function waysIn(db: Db, account: Row<"users">) {
  const userId = account.id;
  const sessions = await db.selectFrom("sessions").selectAll().where("user_id", "=", userId).execute();
  const tokens = await db
    .selectFrom("tokens")
    .selectAll()
    .where("user_id", "=", userId)
    .where("grant_id", "is", null)
    .execute();
  const applications = await listOwnApplications(db, userId);
  const connections = await listConnections(db, userId, 0);
  const linked = await db.selectFrom("linked_accounts").selectAll().where("user_id", "=", userId).execute();
  const passkeys = await db.selectFrom("passkeys").selectAll().where("user_id", "=", userId).execute();
  const feedKey = await db.selectFrom("feed_keys").selectAll().where("user_id", "=", userId).executeTakeFirst();
  const publishers = await db
    .selectFrom("trusted_publishers")
    .innerJoin("projects", "projects.id", "trusted_publishers.project_id")
    .selectAll("trusted_publishers")
    .select(visibleSlug(account))
    .where("trusted_publishers.user_id", "=", userId)
    .execute();
  return {
    sessions: sessions.map((row) => ({
      provider: row.provider,
      address: row.address,
      userAgent: row.user_agent,
      dateCreated: timestamp(row.date_created),
      dateLastActive: timestamp(row.date_last_active),
    })),
    tokens: tokens.map((row) => ({
      name: row.name,
      scopes: fromJson(row.scopes),
      dateCreated: timestamp(row.date_created),
      dateExpires: timestamp(row.date_expires),
      dateLastUsed: maybeTimestamp(row.date_last_used),
      projectId: row.project_id,
    })),
    applications: applications.map(({ id, name, description, homepage, redirectUris, scopes, ...row }) => ({
      ...{ id, name, description, homepage, redirectUris, scopes },
      dateCreated: timestamp(row.dateCreated),
      dateSuspended: maybeTimestamp(row.dateSuspended),
    })),
    connectedApplications: connections.map(({ name, scopes, dateConnected, dateLastUsed }) => ({
      ...{ name, scopes },
      dateConnected: timestamp(dateConnected),
      dateLastUsed: timestamp(dateLastUsed),
    })),
    linkedAccounts: linked.map((row) => ({
      provider: row.provider,
      accountId: row.provider_account_id,
      email: row.provider_email,
      dateLinked: timestamp(row.date_linked),
    })),
    passkeys: passkeys.map((row) => ({ name: row.name, dateCreated: timestamp(row.date_created) })),
    feedKey: feedKey ? { dateCreated: timestamp(feedKey.date_created) } : null,
    trustedPublishers: publishers.map(({ project, issuer, repository, workflow, environment, ...row }) => ({
      ...{ project, issuer, repository, workflow, environment },
      dateCreated: timestamp(row.date_created),
      dateLastUsed: maybeTimestamp(row.date_last_used),
    })),
  };
}

async function belongings(db: Db, account: Row<"users">) {
  const userId = account.id;
  const memberships = await db
    .selectFrom("team_members")
    .innerJoin("teams", "teams.id", "team_members.team_id")
    .leftJoin("projects", "projects.team_id", "teams.id")
    .leftJoin("organizations", "organizations.team_id", "teams.id")
    .select(["team_members.role", "team_members.is_owner", "team_members.accepted"])
    .select(["projects.slug as project", "organizations.slug as organization"])
    .where("team_members.user_id", "=", userId)
    .execute();
  const invitations = await db
    .selectFrom("mail_invites")
    .select(["email", "role", "date_created"])
    .where("invited_by", "=", userId)
    .execute();
  const versions = await db
    .selectFrom("versions")
    .innerJoin("projects", "projects.id", "versions.project_id")
    .select(visibleSlug(account))
    .select("versions.version_number as version")
    .where("versions.author_id", "=", userId)
    .where(isNotQuarantined)
    .execute();
  const follows = await db
    .selectFrom("follows")
    .innerJoin("projects", "projects.id", "follows.project_id")
    .select(visibleSlug(account))
    .select(["follows.preferences", "follows.date_created"])
    .where("follows.user_id", "=", userId)
    .execute();
  const followedAuthors = await listFollowedAuthors(db, userId);
  return {
    memberships: memberships.map(({ is_owner, accepted, ...row }) => ({
      ...row,
      isOwner: is_owner === 1,
      accepted: accepted === 1,
    })),
    versionsPublished: versions,
    follows: follows.map((row) => ({
      project: row.project,
      preferences: fromJson(row.preferences),
      dateFollowed: timestamp(row.date_created),
    })),
    followedUsers: followedAuthors.filter(({ kind }) => kind === "user").map(toFollowedAuthor),
    followedOrganizations: followedAuthors.filter(({ kind }) => kind === "organization").map(toFollowedAuthor),
    invitationsByMail: invitations.map(({ email, role, date_created }) => ({
      email,
      role,
      dateCreated: timestamp(date_created),
    })),
    collections: await listCollections(db, account),
  };
}

const toFollowedAuthor = ({ name, date_created }: { name: string; date_created: number }) => ({
  name,
  dateFollowed: timestamp(date_created),
});

/** By username, or by the slug of the organization. */
const listFollowedAuthors = (db: Db, userId: string) =>
  db
    .selectFrom("user_follows as follow")
    .innerJoin("users", "users.id", "follow.author_id")
    .select([sql<string>`'user'`.as("kind"), "users.user_name as name", "follow.date_created"])
    .where("follow.follower_id", "=", userId)
    .unionAll(
      db
        .selectFrom("organization_follows as follow")
        .innerJoin("organizations", "organizations.id", "follow.author_id")
        .select([sql<string>`'organization'`.as("kind"), "organizations.slug as name", "follow.date_created"])
        .where("follow.follower_id", "=", userId),
    )
    .execute();

async function listCollections(db: Db, account: Row<"users">) {
  const collections = await db.selectFrom("collections").selectAll().where("user_id", "=", account.id).execute();
  const members = await db
    .selectFrom("collection_projects")
    .innerJoin("collections", "collections.id", "collection_projects.collection_id")
    .innerJoin("projects", "projects.id", "collection_projects.project_id")
    .select(["collections.id", "projects.slug"])
    .where("collections.user_id", "=", account.id)
    .where(isVisibleTo(account))
    .execute();
  return collections.map(({ id, name, description, visibility, date_created }) => ({
    name,
    description,
    visibility,
    dateCreated: timestamp(date_created),
    projects: members.filter((member) => member.id === id).map(({ slug }) => slug),
  }));
}

async function words(db: Db, userId: string) {
  const notifications = await db.selectFrom("notifications").selectAll().where("user_id", "=", userId).execute();
  const settings = await db
    .selectFrom("notification_settings")
    .selectAll()
    .where("user_id", "=", userId)
    .executeTakeFirst();
  const reports = await db.selectFrom("reports").selectAll().where("reporter_id", "=", userId).execute();
  const messages = await db.selectFrom("thread_messages").selectAll().where("author_id", "=", userId).execute();
  return {
    notificationSettings: settings ? { digest: settings.digest, muted: fromJson(settings.muted) } : null,
    notifications: notifications.map(({ type, body, date_created, date_read }) => ({
      type,
      body: fromJson(body),
      dateCreated: timestamp(date_created),
      dateRead: maybeTimestamp(date_read),
    })),
    reports: reports.map(({ type, item_type, item_id, body, closed, date_created }) => ({
      type,
      itemType: item_type,
      itemId: item_id,
      body,
      closed: closed === 1,
      dateCreated: timestamp(date_created),
    })),
    messages: messages.map(({ type, body, date_created }) => ({
      type,
      body: fromJson(body),
      dateCreated: timestamp(date_created),
    })),
  };
}

async function log(db: Db, userId: string) {
  const rows = await db.selectFrom("audit_log").selectAll().where("actor_id", "=", userId).orderBy("id").execute();
  return rows.map(({ action, object_kind, object_id, address, date_created }) => ({
    action,
    objectKind: object_kind,
    objectId: object_id,
    address,
    date: timestamp(date_created),
  }));
}
