// German words of limits, as refusals name them.
import type { Words } from "#words/en/catalogue.js";

export const limits: Words["limits"] = {
  followedProjects: (most) => `${most} Projekte, denen du folgst`,
  followedUsers: (most) => `${most} Personen, denen du folgst`,
  followedOrgs: (most) => `${most} Organisationen, denen du folgst`,
  mailInvitations: (most) => `${most} offene Einladungen per E-Mail`,
  passkeys: (most) => `${most} Passkeys`,
  uploads: (most) => `${most} Uploads auf einmal`,
  uploadBytes: (most) => `${most} in Uploads auf einmal`,
  collections: (most) => `${most} Sammlungen`,
  collectedProjects: (most) => `${most} Projekte in einer Sammlung`,
  featuredCollections: (most) => `${most} Sammlungen auf der Startseite`,
  applications: (most: number) => `${most} Anwendungen`,
  publishers: (most) => `${most} vertraute Builds`,
  inviteCodes: (most) => `${most} Einladungscodes`,
  dependencies: (most) => `${most} Abhängigkeiten`,
  projects: (most) => `${most} Projekte`,
};
