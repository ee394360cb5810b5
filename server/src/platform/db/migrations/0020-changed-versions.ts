// The change log names the versions of a project that have changed, so that the others need not be read again.

export const changedVersions = (): string[] => ["ALTER TABLE changes ADD COLUMN versions text"];
