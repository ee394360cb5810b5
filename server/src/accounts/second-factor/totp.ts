// Codes of authenticator apps (RFC 6238), as every app makes them: six digits, every 30 seconds.
import { Secret, TOTP } from "otpauth";
import type { Random } from "#lib/random.js";

const periodSeconds = 30;
const secretBytes = 20;

const totpOf = (secret: string, account = "", issuer = "") =>
  new TOTP({ issuer, label: account, secret: Secret.fromBase32(secret), digits: 6, period: periodSeconds });

/** In base 32, as apps accept it when it is typed. */
export const newTotpSecret = (random: Random): string =>
  new Secret({ buffer: new Uint8Array(random.bytes(secretBytes)).buffer }).base32;

/** The link that apps open. */
export const totpLink = (secret: string, account: string, issuer: string): string =>
  totpOf(secret, account, issuer).toString();

/** The time step of the code; clocks may differ by one step. Undefined if the code matches no step. */
export function stepOfCode(secret: string, code: string, now: number): number | undefined {
  // The library fails on digits of other scripts.
  if (!/^[0-9]{6}$/.test(code)) return undefined;
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window: 1 });
  return delta === null ? undefined : Math.floor(now / 1000 / periodSeconds) + delta;
}
