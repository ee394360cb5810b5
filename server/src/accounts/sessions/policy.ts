// How long sessions last (decisions §4): 30 days from the last use, 90 days at most.

const day = 24 * 60 * 60 * 1000;
const idleMs = 30 * day;
const lifeMs = 90 * day;
/** A use is written down at most this often: reading must not become writing. */
const noteUseMs = 60_000;

export const sessionLifeSeconds = lifeMs / 1000;

export const sessionExpiry = (dateCreated: number, now: number): number => Math.min(now + idleMs, dateCreated + lifeMs);

export const isUseWorthNoting = (dateLastActive: number, now: number): boolean => now - dateLastActive >= noteUseMs;
