// Days as numbers since 1970, in UTC.

const dayMs = 86_400_000;

export const dayOf = (time: number): number => Math.floor(time / dayMs);

export const startOfDay = (day: number): number => day * dayMs;

/** "2026-01-31" */
export const toDate = (day: number): string => new Date(startOfDay(day)).toISOString().slice(0, 10);
