// The few quarantined versions of a project are found by an index: after each publication the versions and files that are
// not quarantined are counted, and a project may have thousands, whose rows would all have to be read.

export const quarantinedVersions = (): string[] => [
  "CREATE INDEX versions_quarantined ON versions (project_id) WHERE date_quarantined IS NOT NULL",
];
