// How long each text may be, in characters: one definition for validation (contract.ts) and for the database's checks.
// Changing one means a migration that changes the check too.

export const lengths = {
  userName: [2, 32],
  displayName: [1, 64],
  bio: [0, 256],
  email: [3, 256],
  password: [8, 128],
  tokenName: [1, 64],
  slug: [2, 64],
  projectName: [2, 32],
  projectSummary: [1, 320],
  projectDescription: [0, 65_256],
  orgName: [2, 32],
  // An organization may have none; one that is given has these lengths (earlier-service 1.2).
  orgDescription: [0, 256],
  newOrgDescription: [5, 256],
  editedOrgDescription: [1, 256],
  memberRole: [0, 32],
  versionNumber: [1, 64],
  versionTitle: [2, 64],
  changelog: [0, 65_256],
  fileName: [1, 128],
  collectionName: [2, 32],
  collectionDescription: [0, 256],
  galleryTitle: [2, 32],
  galleryDescription: [0, 256],
  licenseId: [0, 64],
  licenseName: [0, 128],
  link: [0, 256],
  threadMessage: [0, 2048],
  reportBody: [10, 8192],
  moderationReason: [1, 512],
  userNote: [1, 2048],
  webhookUrl: [1, 2048],
  donationPlatform: [1, 32],
  repository: [3, 200],
  workflow: [1, 200],
  environment: [0, 255],
} as const satisfies Record<string, readonly [number, number]>;

export type LengthName = keyof typeof lengths;
