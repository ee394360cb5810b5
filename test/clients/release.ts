// The release that each of the generated clients publishes; it matches the types of all of them.
const {
  MODSHELF_ADDRESS = "",
  MODSHELF_TOKEN = "",
  MODSHELF_PROJECT = "",
  MODSHELF_LIBRARY = "",
  MODSHELF_NUMBER = "",
} = process.env;

export const address = MODSHELF_ADDRESS;
export const headers = { Authorization: `Bearer ${MODSHELF_TOKEN}` };
export const ref = MODSHELF_PROJECT;
export const versionNumber = MODSHELF_NUMBER;

const archive = (name: string) => {
  // The smallest archive: one stored entry, whose text is its name.
  const hex = process.env.MODSHELF_ARCHIVE ?? "";
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return new File([bytes], name, { type: "application/java-archive" });
};

export const release = {
  primaryFile: archive(`mod-${versionNumber}.jar`),
  additionalFiles: [archive(`mod-${versionNumber}-sources.jar`), archive(`mod-${versionNumber}-docs.zip`)],
  title: "Made by a generated client",
  versionNumber,
  releaseChannel: "beta" as const,
  featured: true,
  loaders: ["quilt"],
  gameVersions: ["0.4.8", "0.4.9"],
  dependencies: [{ projectId: MODSHELF_LIBRARY, dependencyType: "required" as const }],
};

export const filter = { releaseChannel: "beta-only" as const, gameVersion: "0.4.8", loader: "quilt" };

/** The first bytes of the file, and the answer's description of them. */
export const print = (
  published: string | undefined,
  latest: string | undefined,
  part: Blob | undefined,
  status: number,
) => process.stdout.write(JSON.stringify({ published, latest, bytes: part?.size, status }));
