// English words of limits, as refusals name them.

export const limits = {
  followedProjects: (most: number) => `${most} followed projects`,
  followedUsers: (most: number) => `${most} followed users`,
  followedOrgs: (most: number) => `${most} followed organizations`,
  mailInvitations: (most: number) => `${most} open invitations by email`,
  passkeys: (most: number) => `${most} passkeys`,
  uploads: (most: number) => `${most} uploads at once`,
  uploadBytes: (most: string) => `${most} of uploads at once`,
  collections: (most: number) => `${most} collections`,
  collectedProjects: (most: number) => `${most} projects in a collection`,
  featuredCollections: (most: number) => `${most} featured collections`,
  applications: (most: number) => `${most} applications`,
  publishers: (most: number) => `${most} trusted publishers`,
  inviteCodes: (most: number) => `${most} invite codes`,
  dependencies: (most: number) => `${most} dependencies`,
  projects: (most: number) => `${most} projects`,
};
