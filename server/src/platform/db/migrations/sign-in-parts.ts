// Ways to sign in besides passwords: codes of authenticator apps, recovery codes, passkeys; and the keys of feeds.
import type { ColumnWords } from "#platform/db/dialect.js";
import { columnParts, digest, length, oneOf } from "./column-parts.js";

export const signInParts = (words: ColumnWords): string[] => {
  const { bytes, bigint } = words;
  const { table, time, maybeTime, partOf } = columnParts(words);
  return [
    "ALTER TABLE oauth_flows ADD COLUMN next text",
    `ALTER TABLE oauth_flows ADD COLUMN invite_digest ${bytes}`,
    "ALTER TABLE users ADD COLUMN shortcuts text",
    table(
      "invite_codes",
      "id text PRIMARY KEY",
      `digest ${bytes} NOT NULL ${digest("digest", 32)}`,
      "note text NOT NULL",
      "most_uses integer NOT NULL CHECK (most_uses > 0)",
      "uses integer NOT NULL CHECK (uses BETWEEN 0 AND most_uses)",
      "created_by text REFERENCES users (id) ON DELETE SET NULL",
      time("date_created"),
      maybeTime("date_expires"),
    ),
    "CREATE UNIQUE INDEX invite_codes_digest_unique ON invite_codes (digest)",
    "CREATE INDEX invite_codes_created_by ON invite_codes (created_by)",
    `ALTER TABLE users ADD COLUMN locale text ${oneOf("locale", "en", "de")}`,
    table(
      "totp_secrets",
      "user_id text PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE",
      "secret text NOT NULL",
      `last_step ${bigint} NOT NULL`,
      time("date_created"),
      maybeTime("date_confirmed"),
    ),
    table("recovery_codes", `digest ${bytes} PRIMARY KEY ${digest("digest", 32)}`, partOf("user_id", "users")),
    "CREATE INDEX recovery_codes_user_id ON recovery_codes (user_id)",
    table(
      "passkeys",
      "id text PRIMARY KEY",
      partOf("user_id", "users"),
      "credential_id text NOT NULL",
      `public_key ${bytes} NOT NULL`,
      `counter ${bigint} NOT NULL`,
      "transports text NOT NULL",
      `name text NOT NULL ${length("name", "tokenName")}`,
      time("date_created"),
      maybeTime("date_last_used"),
    ),
    "CREATE UNIQUE INDEX passkeys_credential_id_unique ON passkeys (credential_id)",
    "CREATE INDEX passkeys_user_id ON passkeys (user_id)",
    // Gives access only to the feed of the projects that its owner follows.
    table(
      "feed_keys",
      "user_id text PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE",
      `digest ${bytes} NOT NULL ${digest("digest", 32)}`,
      time("date_created"),
    ),
    "CREATE UNIQUE INDEX feed_keys_digest_unique ON feed_keys (digest)",
    table(
      "sign_in_steps",
      `digest ${bytes} PRIMARY KEY ${digest("digest", 32)}`,
      `kind text NOT NULL ${oneOf("kind", "second_factor", "passkey_sign_in", "passkey_add", "end_session")}`,
      "user_id text REFERENCES users (id) ON DELETE CASCADE",
      "challenge text",
      "provider text",
      time("date_expires"),
    ),
    "CREATE INDEX sign_in_steps_user_id ON sign_in_steps (user_id)",
    "CREATE INDEX sign_in_steps_date_expires ON sign_in_steps (date_expires)",
  ];
};
