// Every distribution of the living benchmark, in one place: the generated registry and the traffic on it. All of them
// are parameters; the defaults follow the public figures of the largest site of this kind (May 2026: 124,000 projects,
// 1,105,000 versions, 1,205,000 files).

export const registry = {
  /** Versions of a project: a power law with this exponent, cut at `most`. */
  versions: { mean: 8.91, exponent: 1.35, most: 3000 },
  /** Files of a version beyond the primary one. */
  secondFile: 0.0905,
  /** Characters of a description and of a changelog (log-normal). */
  description: { median: 1800, sigma: 1.15, most: 60_000 },
  changelog: { median: 220, sigma: 1.2, least: 0, most: 30_000 },
  /** Words that texts are made of, with frequencies as in real texts. */
  vocabulary: 30_000,
  gameVersions: 40,
  /** The probability of each further game version that a version supports, and their maximum number. */
  moreGameVersions: { more: 0.55, most: 12 },
  /** The share of projects with several loaders that publish one version per loader. */
  versionPerLoader: 0.4,
  /** Projects that the versions of a project depend on; a few libraries are much more popular than the others. */
  dependencies: { none: 0.45, more: 0.45, most: 8, exponent: 1.1 },
  /** The share of dependencies that name a version. */
  pinned: 0.08,
  users: 0.25,
  /** The probability of each further member of a team besides its owner. */
  moreMembers: { more: 0.25, most: 6 },
  /** Organizations for each project, and the share of projects that belong to one. */
  organizations: { perProject: 0.015, share: 0.12 },
  follows: { more: 0.6, most: 20 },
  icon: 0.75,
  gallery: { none: 0.6, more: 0.6, most: 12 },
  /** Years over which projects were created. */
  years: 6,
  /**
   * How much popularity depends on the number of versions, from 0 to 1. With this value the project of an average
   * request has 40 to 60 versions, whatever the size of the registry.
   */
  popularityByVersions: 0.25,
  downloads: { first: 50_000_000, exponent: 1.05 },
  /** Sizes in the rows of files; only those below are stored. */
  fileSize: { median: 180_000, sigma: 1.9, least: 900, most: 200_000_000 },
  /** Files with stored bytes: the primary file of the newest version of the most popular projects. */
  stored: { small: 2000, smallBytes: 24 * 1024, large: 12, largeBytes: 5_000_000 },
  /** Projects in which the publisher of the living phase is a member. */
  publishable: 200,
};

const launchers = [
  [0.15, ""],
  [0.35, "gzip"],
  [0.4, "gzip, deflate, br"],
  [0.1, "gzip, deflate, br, zstd"],
];
const browsers = [
  [0.05, ""],
  [0.1, "gzip, deflate"],
  [0.15, "gzip, deflate, br"],
  [0.7, "gzip, deflate, br, zstd"],
];

export const traffic = {
  connections: 24,
  /** The shares of the kinds of questions. */
  mix: {
    project: 0.25,
    versions: 0.15,
    latest: 0.1,
    hashes: 0.15,
    updates: 0.1,
    projects: 0.05,
    search: 0.08,
    pages: 0.12,
  },
  /** The choice among projects in the order of their popularity: Zipf with this exponent. */
  projectExponent: 0.8,
  /** The share of projects that are named by their slug; others are named by their id. */
  bySlug: 0.6,
  /** A folder of mods: its size, the share of unknown files, of SHA-1, and of each older version. */
  folder: { least: 20, most: 140, unknown: 0.05, sha1: 0.2, older: 0.5 },
  projectList: 50,
  /** Search: shares of questions without words, and probabilities of each filter. */
  search: { noWords: 0.4, twoWords: 0.3, type: 0.7, gameVersion: 0.5, loader: 0.4, facets: 0.1, secondPage: 0.15 },
  pages: [
    [0.6, "project"],
    [0.15, "versions"],
    [0.15, "browse"],
    [0.1, "home"],
  ],
  /** Accept-Encoding as launchers send it to the API, and browsers for pages. */
  encodings: { mixed: { api: launchers, pages: browsers } },
  /** The living phase: the share of downloads, of large files among them, and versions published per second. */
  living: { downloads: 0.1, largeDownloads: 0.02, publishedPerSecond: 2 },
};

for (const [name, header] of Object.entries({ none: "", gzip: "gzip", br: "gzip, deflate, br", zstd: "zstd" }))
  traffic.encodings[name] = { api: [[1, header]], pages: [[1, header]] };

/** Answers that took longer than this are counted: there should be none. */
export const slowMs = 250;

/** The name of each kind of question in the tables. */
export const kindNames = {
  project: "a project",
  versions: "version list",
  latest: "latest version",
  hashes: "20 to 140 hashes",
  updates: "updates of 20 to 140 hashes",
  projects: "list of 50 projects",
  search: "search",
  pages: "pages",
  download: "downloads",
};
