// Passwords as argon2id in PHC strings. Every check costs the same work, whatever is known about the account.
import { argon2, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { lengths } from "#lib/lengths.js";
import { Queue } from "#lib/queue.js";
import type { Random } from "#lib/random.js";

interface Argon2Hash {
  memory: number;
  passes: number;
  parallelism: number;
  salt: Buffer;
  tag: Buffer;
}

// OWASP's recommendation for argon2id. The lengths are those of the PHC specification.
const current = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const saltBytes = 16;
const tagBytes = 32;

// A dummy hash for an account that is unknown or has no password.
const nobody: Argon2Hash = { ...current, salt: Buffer.alloc(saltBytes), tag: Buffer.alloc(tagBytes) };

// Each hash holds 19 MiB and a thread of the pool that file access needs too.
const hashing = new Queue(2);
const argon2Async = promisify(argon2);

/** Counts characters (code points), as people and JSON Schema do. Half a surrogate pair is not a character. */
export function isAcceptablePassword(password: string): boolean {
  const [least, most] = lengths.password;
  const length = [...password.normalize("NFC")].length;
  return password.isWellFormed() && length >= least && length <= most;
}

export async function hashPassword(password: string, random: Random): Promise<string> {
  const salt = random.bytes(saltBytes);
  const tag = await computeTag(password, { ...current, salt, tag: Buffer.alloc(tagBytes) });
  const { memory, passes, parallelism } = current;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toBase64(salt)}$${toBase64(tag)}`;
}

/** `needsRehash`: the password is right but was hashed with other settings than today's. */
export async function verifyPassword(
  phc: string | undefined,
  password: string,
): Promise<{ ok: boolean; needsRehash: boolean }> {
  const known = phc === undefined ? undefined : parsePhc(phc);
  const hash = known ?? nobody;
  const tag = await computeTag(password, hash);
  const ok = timingSafeEqual(tag, hash.tag) && known !== undefined;
  return { ok, needsRehash: ok && !isCurrent(hash) };
}

async function computeTag(password: string, { salt, tag, ...cost }: Argon2Hash): Promise<Buffer> {
  // One keyboard sends "é" as one code point, another as two; NFC makes them the same password. NFKC would go further
  // and treat different characters as one ("²" and "2"), which only makes passwords weaker.
  const message = Buffer.from(password.normalize("NFC"), "utf8");
  return hashing.run(() => argon2Async("argon2id", { message, nonce: salt, tagLength: tag.length, ...cost }));
}

// Stronger settings are not current either: accounts with other costs can be told apart by the time a check takes.
function isCurrent({ memory, passes, parallelism, salt, tag }: Argon2Hash): boolean {
  const sameCost = memory === current.memory && passes === current.passes && parallelism === current.parallelism;
  return sameCost && salt.length === saltBytes && tag.length === tagBytes;
}

const phcForm =
  /^\$argon2id\$v=19\$m=(\d{1,6}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;
// Limits for imported hashes: a bad row must not let one sign-in use up the machine's memory.
const mostAccepted = { memory: 262_144, passes: 16, parallelism: 16 } as const;

function parsePhc(phc: string): Argon2Hash | undefined {
  const [, memory, passes, parallelism, salt = "", tag = ""] = phcForm.exec(phc) ?? [];
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const enough = cost.passes >= 1 && cost.parallelism >= 1 && cost.memory >= 8 * cost.parallelism;
  const bounded =
    cost.memory <= mostAccepted.memory &&
    cost.passes <= mostAccepted.passes &&
    cost.parallelism <= mostAccepted.parallelism;
  if (!enough || !bounded) return undefined;
  return { ...cost, salt: Buffer.from(salt, "base64"), tag: Buffer.from(tag, "base64") };
}

function toBase64(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "");
}
