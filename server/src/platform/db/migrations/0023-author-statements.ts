// Statements of authors about AI, telemetry and paid features, and the license that the manifest of the last published
// file names. Existing projects have neither.

export const authorStatements = (): string[] => [
  "ALTER TABLE projects ADD COLUMN disclosures text NOT NULL DEFAULT '{}'",
  "ALTER TABLE projects ADD COLUMN named_license text",
];
