// Of what a version was built, on the word of the build service.

export interface Provenance {
  repository: string;
  repositoryUrl: string;
  workflow: string;
  ref: string | null;
  commit: string | null;
  commitUrl: string | null;
  /** The service's number of the build. */
  run: string | null;
}
