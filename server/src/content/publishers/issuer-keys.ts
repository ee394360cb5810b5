// The signing keys of build services, fetched and cached for a while. A token with an unknown key causes another fetch,
// but not every time: anyone can send such tokens.
import type { CryptoKey } from "jose";
import { askForJson, JsonError } from "#platform/outbound/json.js";
import { readKeySet } from "./jwt.js";

const minute = 60_000;
/** Revoked keys are accepted for at most this long. */
const freshMs = 10 * minute;
/** If the service does not respond, its keys are used for this long. */
const staleMs = 60 * minute;
const betweenLooksMs = minute;
const afterTroubleMs = 5000;

interface Kept {
  keys: Map<string, CryptoKey>;
  dateFetched: number;
}

export class IssuerKeys {
  readonly #kept = new Map<string, Kept>();
  readonly #nextLook = new Map<string, number>();
  readonly #looking = new Map<string, Promise<void>>();
  readonly #timeoutMs: number;

  constructor(timeoutMs = 5000) {
    this.#timeoutMs = timeoutMs;
  }

  /** Undefined if it has no such key. Throws JsonError if that is unknown because the service does not respond. */
  async find(issuer: string, keyId: string, now: number): Promise<CryptoKey | undefined> {
    const known = this.#keysOf(issuer, now, freshMs)?.get(keyId);
    if (known) return known;
    let trouble: unknown;
    try {
      await this.#look(issuer, now);
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      trouble = error;
    }
    const keys = this.#keysOf(issuer, now, staleMs);
    if (!keys) throw trouble ?? new JsonError("It did not respond a moment ago");
    return keys.get(keyId);
  }

  #keysOf(issuer: string, now: number, longestMs: number): Map<string, CryptoKey> | undefined {
    const kept = this.#kept.get(issuer);
    return kept && now - kept.dateFetched < longestMs ? kept.keys : undefined;
  }

  /** All requests for one issuer wait for the same fetch. */
  async #look(issuer: string, now: number): Promise<void> {
    const running = this.#looking.get(issuer);
    if (running) return running;
    if (now < (this.#nextLook.get(issuer) ?? 0)) return;
    const look = this.#fetch(issuer, now).finally(() => this.#looking.delete(issuer));
    this.#looking.set(issuer, look);
    return look;
  }

  async #fetch(issuer: string, now: number): Promise<void> {
    this.#nextLook.set(issuer, now + afterTroubleMs);
    const document = (await askForJson(`${issuer}/.well-known/openid-configuration`, {}, this.#timeoutMs)) as {
      issuer?: unknown;
      jwks_uri?: unknown;
    } | null;
    const address = typeof document?.jwks_uri === "string" ? URL.parse(document.jwks_uri) : null;
    if (document?.issuer !== issuer) throw new JsonError("Its configuration names another issuer");
    // The operator trusts this host, so its document must not lead to another one.
    if (!address || address.origin !== new URL(issuer).origin) throw new JsonError("Its keys are on another host");
    const keys = await readKeySet(await askForJson(address.href, {}, this.#timeoutMs));
    if (keys.size === 0) throw new JsonError("It has no supported keys");
    this.#kept.set(issuer, { keys, dateFetched: now });
    this.#nextLook.set(issuer, now + betweenLooksMs);
  }
}
