// Who and what the fuzz tests play with: accounts that may come to harm, and rows that must not.
import { write } from "../../server/src/changes/write.js";
import { assignableScopes } from "../../server/src/lib/scopes.js";
import { newSecretToken } from "../../server/src/lib/secret-token.js";
import { createCode } from "../../server/src/users/codes.js";
import { siteUrl, type TestApp, uniqueName } from "../harness.js";
import type { Cast } from "./fuzz-requests.js";

/** New accounts, tokens and codes, and what to call things by. */
export async function makeCast({ make, clock, resources }: TestApp): Promise<Cast> {
  const password = "sample-1234";
  const [plain, other, withPassword] = await Promise.all([make.user(), make.user(), make.user({ password })]);
  const cookie = (token: string) => ({ cookie: `auth-token=${token}`, origin: siteUrl });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const all = await make.token(other, { scopes: assignableScopes });
  const few = await make.token(other, { scopes: ["user_read"] });
  const expired = await make.token(other, { scopes: assignableScopes, dateExpires: clock.now() - 1 });
  const own = await make.token(plain, { scopes: [] });
  const codes = await write(resources, {}, async (tx) => [
    await createCode(tx, "password_reset", withPassword.id),
    await createCode(tx, "email_change", plain.id, `${uniqueName()}@example.com`),
  ]);
  const newNames = Array.from({ length: 20 }, () => uniqueName("fuzz"));
  return {
    sessions: [cookie(plain.sessionToken), cookie(withPassword.sessionToken), cookie(withPassword.sessionToken)],
    tokens: [
      bearer(all.value),
      { authorization: all.value },
      { authorization: `Basic ${Buffer.from(`x:${all.value}`).toString("base64")}` },
    ],
    strangers: [
      {},
      {},
      bearer(few.value),
      bearer(expired.value),
      bearer(newSecretToken("msp_", resources.random)),
      bearer(other.sessionToken),
      cookie(all.value),
      { ...cookie(other.sessionToken), origin: "https://evil.example" },
      { cookie: `auth-token=x; auth-token=${other.sessionToken}; =; ;;a` },
      { authorization: "Basic \x80\xff====" },
    ],
    hints: {
      ref: ["bystander", plain.id, "Bystander"],
      id: [plain.id, "MIT", "mit"],
      ids: [`${plain.id},${other.id}`, plain.id],
      file: ["default.png"],
      patId: [own.id],
      sessionId: [plain.id],
      name: ["A name", "名前"],
      userName: newNames,
      email: [`${newNames[0]}@example.com`, `${newNames[1]}@example.com`, withPassword.email, "bystander"],
      password: [password],
      currentPassword: [password],
      newPassword: [password, "another-1234"],
      confirmNewPassword: [password, "another-1234"],
      code: codes,
      provider: ["github"],
      dateExpires: ["2099-01-31", "2099-01-31T12:00:00Z"],
      authScopes: ["user_read", "user_write"],
    },
  };
}

/** A user whom no request is made for, and an administrator. Returns the user's id. */
export async function plant({ make }: TestApp): Promise<string> {
  const bystander = await make.user({ userName: "bystander", password: "bystander-1234" });
  await make.token(bystander, { scopes: assignableScopes });
  await make.user({ userName: "the-admin", role: "admin" });
  return bystander.id;
}

/** What no request has any business with. */
export async function planted({ resources: { db } }: TestApp, userId: string): Promise<unknown> {
  return {
    user: await db.selectFrom("users").selectAll().where("id", "=", userId).execute(),
    sessions: await db.selectFrom("sessions").selectAll().where("user_id", "=", userId).execute(),
    tokens: await db.selectFrom("tokens").selectAll().where("user_id", "=", userId).execute(),
    privileged: await db.selectFrom("users").selectAll().where("role", "!=", "user").execute(),
    placeholder: await db.selectFrom("users").selectAll().where("id", "=", "deleted_user").execute(),
    taxonomies: await db.selectFrom("taxonomies").selectAll().execute(),
    settings: await db.selectFrom("settings").selectAll().execute(),
  };
}
