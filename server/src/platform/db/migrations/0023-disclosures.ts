// Statements of authors about AI, telemetry and paid features. Existing projects have stated nothing.

export const disclosures = (): string[] => ["ALTER TABLE projects ADD COLUMN disclosures text NOT NULL DEFAULT '{}'"];
