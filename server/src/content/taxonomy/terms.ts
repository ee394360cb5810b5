// The terms that a taxonomy file can use. They are apart from its schema and parser (document.ts), which are large, and which
// the thread that prepares answers does not need.

export const releaseTypes = ["release", "beta", "alpha", "pre-release", "snapshot"] as const;
export const categoryKinds = ["category", "feature", "resolution", "performance_impact"] as const;
/** From strongest to weakest: if a project has several types, the strongest rule for a side wins. */
export const sideRules = ["required", "chosen", "optional", "unsupported"] as const;
