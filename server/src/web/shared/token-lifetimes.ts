// The lifetimes to choose from for a token, in days.

export const lifetimes = ["7", "30", "90", "365"] as const;
