// Indexes of the few rows that are looked for among very many.

export const partialIndexes = (): string[] => [
  // After each publication the versions and files of a project that are not quarantined are counted. The rows of thousands
  // of versions would have to be read.
  "CREATE INDEX versions_quarantined ON versions (project_id) WHERE date_quarantined IS NOT NULL",
  // The start page asks whether there is an administrator. All users would have to be read if there is none.
  "CREATE INDEX users_administrators ON users (id) WHERE role = 'admin'",
];
