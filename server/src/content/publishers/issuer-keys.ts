// The keys with which build services sign, fetched from them and kept for a while. A token with an unknown key makes us
// look again, though not at every such token: strangers send them.
import type { CryptoKey } from "jose";
import { askForJson, JsonTrouble } from "#platform/outbound/json.js";
import { readKeySet } from "./jwt.js";

const minute = 60_000;
/** Keys that were withdrawn are believed for no longer than this. */
const freshMs = 10 * minute;
/** Where the service does not answer, its keys stay good for so long. */
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

  /** Undefined where it has no such key. Throws JsonTrouble where nobody knows because it does not answer. */
  async find(issuer: string, keyId: string, now: number): Promise<CryptoKey | undefined> {
    const known = this.#keysOf(issuer, now, freshMs)?.get(keyId);
    if (known) return known;
    let trouble: unknown;
    try {
      await this.#look(issuer, now);
    } catch (error) {
      if (!(error instanceof JsonTrouble)) throw error;
      trouble = error;
    }
    const keys = this.#keysOf(issuer, now, staleMs);
    if (!keys) throw trouble ?? new JsonTrouble("It did not answer a moment ago");
    return keys.get(keyId);
  }

  #keysOf(issuer: string, now: number, longestMs: number): Map<string, CryptoKey> | undefined {
    const kept = this.#kept.get(issuer);
    return kept && now - kept.dateFetched < longestMs ? kept.keys : undefined;
  }

  /** All who wait for one issuer wait for one look. */
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
    if (document?.issuer !== issuer) throw new JsonTrouble("It names itself otherwise");
    // The operator trusts this host: its word must not lead us to another.
    if (!address || address.origin !== new URL(issuer).origin) throw new JsonTrouble("Its keys lie on another host");
    const keys = await readKeySet(await askForJson(address.href, {}, this.#timeoutMs));
    if (keys.size === 0) throw new JsonTrouble("It has no keys that we can use");
    this.#kept.set(issuer, { keys, dateFetched: now });
    this.#nextLook.set(issuer, now + betweenLooksMs);
  }
}
