// The reasons for a report. They are here because the settings name them too.

export const reportTypes = [
  "spam",
  "reuploaded_work",
  "inappropriate",
  "malicious",
  "name_squatting",
  "poor_description",
  "invalid_metadata",
  "other",
] as const;
export type ReportType = (typeof reportTypes)[number];

/** Operators cannot turn this one off: a report must always be possible. */
export const lastReportType: ReportType = "other";
