// What can be wrong with something that is reported. Here, because the settings name them too.

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

/** Whatever an operator turns off, this one stays: a report must always be possible. */
export const lastReportType: ReportType = "other";
