// Law: the database itself enforces the invariants of the interface, on this engine, independent of the code above.
import { describe, expect, test } from "vitest";
import { type LengthName, lengths } from "#lib/lengths.js";
import { migrate } from "#platform/db/migrate.js";
import { tables } from "#platform/db/tables.js";
import { emptyDatabase, openForTest } from "./empty-database.js";
import { deleteAll, type Insert, insertAll, rowFor, type TableName, world } from "./sample-rows.js";

const { db } = openForTest(await emptyDatabase());
await migrate(db, 1);
await insertAll(db, world);

/** SQLite's family of constraint errors is 19, PostgreSQL's class is 23. Anything else means a broken test. */
const isConstraint = (error: { errcode?: number; code?: string }): boolean =>
  error.errcode === undefined ? /^23/.test(error.code ?? "") : (error.errcode & 255) === 19;

async function outcome(inserts: readonly Insert[]): Promise<string> {
  try {
    await insertAll(db, inserts);
    // Each case starts with the original rows: rows of one case must not cause the refusal of the next.
    await deleteAll(db, inserts);
    return "stored";
  } catch (error) {
    if (!isConstraint(error as { code?: string })) throw error;
    return "refused";
  }
}

const one = (table: TableName, changes: Record<string, unknown> = {}): Insert[] => [[table, rowFor(table, changes)]];

/** A version with its own primary file, as a publish writes it. */
const newVersion = (changes: Record<string, unknown> = {}): Insert[] => {
  const file = rowFor("version_files");
  const version = rowFor("versions", { primary_file_id: file.id, ...changes });
  return [
    ["versions", version],
    ["version_files", { ...file, version_id: version.id }],
  ];
};

const fresh = (table: TableName, changes: Record<string, unknown> = {}): Insert[] =>
  table === "versions" ? newVersion(changes) : one(table, changes);

test.each(Object.keys(tables) as TableName[])("a valid row of %s is stored", async (table) => {
  expect(await outcome(fresh(table))).toBe("stored");
  expect(await outcome(fresh(table))).toBe("stored");
});

describe("unique values stay unique", () => {
  test.each<[string, Insert[]]>([
    ["a username in another case", one("users", { user_name: "aLICE" })],
    ["an email address in another case", one("users", { email: "ALICE@Example.Com" })],
    ["the placeholder's name", one("users", { user_name: "Deleted_User" })],
    ["a second owner of a team", one("team_members", { is_owner: 1 })],
    ["a user twice in a team", one("team_members", { user_id: "alice" })],
    ["a slug that is taken", one("projects", { slug: "taken" })],
    ["a slug with capitals", one("projects", { slug: "Capital" })],
    ["a team with two projects", one("projects", { team_id: "team" })],
    ["a version number twice in a project", newVersion({ version_number: "1.0.0" })],
    ["a version's slug twice in a project", newVersion({ slug: "1.0.0" })],
    ["a file's name twice in a version, in another case", one("version_files", { name: "mOD.JAR" })],
    ["a second featured picture of a project", one("gallery_items", { featured: 1 })],
    ["a place in the gallery that is taken", one("gallery_items", { order_index: 1001 })],
    ["a second thread for an object", one("threads", { entity_id: "project" })],
    ["two tokens with one digest", twice("tokens", { token_digest: Buffer.alloc(32, 7) })],
    ["two sessions with one digest", twice("sessions", { token_digest: Buffer.alloc(32, 7) })],
    ["two grants with one code", twice("application_grants", { code_digest: Buffer.alloc(32, 7) })],
    ["two grants with one refresh token", twice("application_grants", { family_digest: Buffer.alloc(32, 7) })],
    ["two programs with one user code", twice("device_requests", { user_code: "BCDFGHJK" })],
    ["an account of a provider for two users", twice("linked_accounts", { provider: "p", provider_account_id: "1" })],
    ["two waiting jobs with one key", twice("jobs", { dedupe_key: "once", date_parked: null })],
    ["two open cases about one object", twice("report_cases", { item_id: "project", date_closed: null })],
    ["a content denied twice", twice("denied_hashes", { sha512: Buffer.alloc(64, 7), sha1: null })],
    ["two claims on one object", twice("review_claims", { object_id: "project" })],
    ["two active quarantines of one version", twice("quarantines", { date_lifted: null })],
    ["two deliveries of one message by one webhook", twice("webhook_deliveries", { message_id: "msg_1" })],
    ["one open report twice", twice("reports", { reporter_id: "bob", item_id: "project", closed: 0 })],
  ])("%s is refused", async (_what, inserts) => {
    expect(await outcome(inserts)).toBe("refused");
  });

  test("users without an email address do not conflict", async () => {
    expect(await outcome([...one("users", { email: null }), ...one("users", { email: null })])).toBe("stored");
  });
});

function twice(table: TableName, changes: Record<string, unknown>): Insert[] {
  return [...one(table, changes), ...one(table, changes)];
}

describe("a version has exactly one primary file, and it belongs to the version", () => {
  test.each<[string, Insert[]]>([
    ["a version without a primary file", newVersion({ primary_file_id: null })],
    ["a version whose primary file does not exist", newVersion({ primary_file_id: "nowhere" })],
    ["a version whose primary file belongs to another version", newVersion({ primary_file_id: "file" })],
    ["a file of a version that does not exist", one("version_files", { version_id: "nowhere" })],
    ["a file whose bytes are not stored", one("version_files", { sha512: Buffer.alloc(64, 9) })],
  ])("%s is refused", async (_what, inserts) => {
    expect(await outcome(inserts)).toBe("refused");
  });

  test("the primary file cannot be deleted", async () => {
    const removal = db.deleteFrom("version_files").where("id", "=", "file").execute();
    expect(
      isConstraint(
        await removal.then(
          () => ({}),
          (error) => error,
        ),
      ),
    ).toBe(true);
  });

  test("a version is deleted with its files", async () => {
    const [version, file] = newVersion();
    await insertAll(db, [version!, file!]);
    await db
      .deleteFrom("versions")
      .where("id", "=", version![1].id as string)
      .execute();
    const left = await db
      .selectFrom("version_files")
      .select("id")
      .where("id", "=", file![1].id as string)
      .execute();
    expect(left).toEqual([]);
  });
});

const texts: [TableName, string, LengthName][] = [
  ["users", "user_name", "userName"],
  ["users", "name", "displayName"],
  ["users", "email", "email"],
  ["users", "bio", "bio"],
  ["tokens", "name", "tokenName"],
  ["applications", "name", "applicationName"],
  ["applications", "description", "applicationDescription"],
  ["applications", "homepage", "homepage"],
  ["device_requests", "program", "tokenName"],
  ["images", "file_name", "fileName"],
  ["team_members", "role", "memberRole"],
  ["organizations", "name", "orgName"],
  ["organizations", "slug", "slug"],
  ["organizations", "description", "orgDescription"],
  ["projects", "name", "projectName"],
  ["projects", "slug", "slug"],
  ["projects", "summary", "projectSummary"],
  ["projects", "description", "projectDescription"],
  ["projects", "license_id", "licenseId"],
  ["projects", "license_name", "licenseName"],
  ["projects", "license_url", "link"],
  ["projects", "issue_tracker_url", "link"],
  ["projects", "source_url", "link"],
  ["projects", "wiki_url", "link"],
  ["projects", "discord_url", "link"],
  ["project_old_slugs", "slug", "slug"],
  ["versions", "title", "versionTitle"],
  ["versions", "version_number", "versionNumber"],
  ["versions", "slug", "versionNumber"],
  ["versions", "changelog", "changelog"],
  ["version_files", "name", "fileName"],
  ["gallery_items", "name", "galleryTitle"],
  ["gallery_items", "description", "galleryDescription"],
  ["collections", "name", "collectionName"],
  ["collections", "description", "collectionDescription"],
  ["reports", "body", "reportBody"],
];

describe("texts have the lengths that validation allows", () => {
  test.each(texts)("%s.%s (%s)", async (table, column, name) => {
    const [least, most] = lengths[name];
    const withText = (text: string) => outcome(fresh(table, { [column]: text }));
    expect(await withText("a".repeat(most + 1))).toBe("refused");
    // Counted in code points, not in bytes or UTF-16 units, as validation does.
    expect(await withText("😀".repeat(most + 1))).toBe("refused");
    if (least > 0) expect(await withText("a".repeat(least - 1))).toBe("refused");
  });

  test.each([
    ["users", "bio", "bio"],
    ["tokens", "name", "tokenName"],
    ["collections", "name", "collectionName"],
    ["reports", "body", "reportBody"],
  ] as [TableName, string, LengthName][])(
    "%s.%s accepts its full length in characters beyond ASCII",
    async (table, column, name) => {
      const [least, most] = lengths[name];
      expect(await outcome(fresh(table, { [column]: "😀".repeat(most) }))).toBe("stored");
      expect(await outcome(fresh(table, { [column]: "ä".repeat(least) }))).toBe("stored");
    },
  );
});

const choices: [TableName, string][] = [
  ["users", "role"],
  ["one_time_codes", "purpose"],
  ["oauth_flows", "intent"],
  ["images", "owner_kind"],
  ["teams", "kind"],
  ["projects", "status"],
  ["projects", "requested_status"],
  ["projects", "visibility"],
  ["projects", "client_side"],
  ["projects", "server_side"],
  ["versions", "channel"],
  ["version_compat", "channel"],
  ["dependencies", "type"],
  ["pack_files", "client"],
  ["pack_files", "server"],
  ["collections", "visibility"],
  ["notification_settings", "digest"],
  ["threads", "type"],
  ["reports", "item_type"],
  ["report_cases", "item_type"],
  ["reviews", "status"],
  ["review_claims", "kind"],
  ["webhooks", "owner_kind"],
  ["webhooks", "form"],
  ["webhooks", "disabled_reason"],
  ["webhook_deliveries", "status"],
  ["public_changes", "kind"],
  ["public_changes", "act"],
  ["public_things", "kind"],
];

test.each(choices)("%s.%s accepts only the known values", async (table, column) => {
  for (const word of ["", "other", "USER", "Release"])
    expect(await outcome(fresh(table, { [column]: word }))).toBe("refused");
});

describe("numbers, flags, digests and references are checked", () => {
  test.each<[string, Insert[]]>([
    ["a flag of 2", one("users", { email_verified: 2 })],
    ["a negative count", one("projects", { downloads: -1 })],
    ["a negative size", one("blobs", { size: -1 })],
    ["an index beyond the gallery", one("gallery_items", { order_index: 1025 })],
    ["a digest that is too short", one("tokens", { token_digest: Buffer.alloc(31) })],
    ["a hash that is too long", one("blobs", { sha512: Buffer.alloc(65) })],
    ["a quarantine of nothing", one("quarantines", { version_id: null, sha512: null })],
    ["a quarantine of a version and a content", one("quarantines", { sha512: Buffer.alloc(64) })],
    ["a denied content without a hash", one("denied_hashes", { sha512: null, sha1: null })],
    ["an owner who has not accepted", one("team_members", { is_owner: 1, accepted: 0 })],
    ["an acceptance without its date", one("team_members", { date_accepted: null })],
    ["an invalid color", one("projects", { color: "red" })],
    ["a session without a user", one("sessions", { user_id: "nobody" })],
    ["a picture whose bytes are not stored", one("images", { sha512: Buffer.alloc(64, 9) })],
    ["a user without a name", one("users", { user_name: null })],
    ["a token without a digest", one("tokens", { token_digest: null })],
  ])("%s is refused", async (_what, inserts) => {
    expect(await outcome(inserts)).toBe("refused");
  });
});
