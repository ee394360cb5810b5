// Quotas of the rate classes in words: "600 requests a minute".

const units: Record<number, string> = { 60: "a minute", 3600: "an hour" };

export const quotaInWords = ({ quota, windowSeconds }: { quota: number; windowSeconds: number }): string =>
  `${quota} requests ${units[windowSeconds] ?? `in ${windowSeconds / 60} minutes`}`;
