// Which application calls the token and revocation endpoints: by HTTP Basic authentication, or by fields of the form.
import { timingSafeEqual } from "node:crypto";
import { tokenDigest } from "#lib/secret-token.js";
import type { Db } from "#platform/db/tables.js";
import { fail, invalid } from "#platform/errors.js";
import { say } from "#words/said.js";
import { type Application, findApplication } from "./read.js";

interface Credentials {
  id: string;
  secret: string | undefined;
}

/** Refuses unknown applications, and confidential ones without their secret. */
export async function getClient(
  db: Db,
  header: string | undefined,
  form: { client_id?: string; client_secret?: string },
): Promise<Application> {
  const { id, secret } = credentialsOf(header, form);
  const application = id.length <= 64 ? await findApplication(db, id) : undefined;
  if (!application || !isProven(application.secretDigest, secret)) throw fail.clientInvalid();
  return application;
}

function credentialsOf(
  header: string | undefined,
  { client_id: id, client_secret: secret }: { client_id?: string; client_secret?: string },
): Credentials {
  if (header === undefined) {
    if (id === undefined) throw fail.clientInvalid();
    return { id, secret };
  }
  const basic = readBasic(header);
  if (!basic) throw fail.clientInvalid();
  // One way only (RFC 6749, section 2.3); a repeated id is harmless if it is the same.
  if (secret !== undefined) throw invalid({ path: "client_secret", message: say.problems.onceOnly });
  if (id !== undefined && id !== basic.id) throw invalid({ path: "client_id", message: say.problems.onceOnly });
  return basic;
}

/** Both parts are encoded like fields of a form (RFC 6749, section 2.3.1). */
function readBasic(header: string): Credentials | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header.trim()) ?? [];
  if (encoded === undefined) return undefined;
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, "base64").toString("utf8")) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  const decode = (text: string) => new URLSearchParams(`x=${text.replaceAll("&", "%26")}`).get("x")!;
  return { id: decode(id), secret: decode(secret) };
}

/** A public application has no secret: one that sends a secret is mistaken about what it is. */
function isProven(digest: Uint8Array | null, secret: string | undefined): boolean {
  if (digest === null || secret === undefined) return digest === null && secret === undefined;
  return timingSafeEqual(digest, tokenDigest(secret));
}
