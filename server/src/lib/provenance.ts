// Where a version was built, as the build service attests.

export interface Provenance {
  repository: string;
  repositoryUrl: string;
  workflow: string;
  ref: string | null;
  commit: string | null;
  commitUrl: string | null;
  /** The build's number at that service. */
  run: string | null;
}
