// Figures of the whole site (earlier-service 4.18).
import Type, { type Static } from "typebox";
import { admins, open, sessionOnly } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Named } from "#platform/http/schemas.js";

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const Statistics = Named(
  "Statistics",
  {
    users: count("Accounts"),
    authors: count("Users who are in the team of a project or an organization"),
    files: count("Files of the versions below"),
    projects: count("Listed and archived projects"),
    versions: count("Versions of these projects"),
  },
  { description: "Figures about the whole site" },
);
export type Statistics = Static<typeof Statistics>;

const bytes = (description: string) => Type.Integer({ minimum: 0, description: `Bytes: ${description}` });

export const StorageUse = Named(
  "StorageUse",
  {
    totalUsed: bytes("all that is stored; what several share is counted once"),
    breakdown: Type.Object(
      {
        versionFiles: bytes("files of versions"),
        galleryImages: bytes("pictures of galleries, with their thumbnails"),
        iconImages: bytes("icons, avatars and profile backgrounds"),
        unused: bytes("what nothing refers to any more, until it is swept"),
      },
      { description: "The same by use" },
    ),
  },
  { description: "How much is stored" },
);
export type StorageUse = Static<typeof StorageUse>;

export const getStatistics = endpoint({
  id: "getStatistics",
  method: "GET",
  path: "/api/statistics",
  access: open,
  rate: "read",
  tag: "Statistics",
  summary: "How much there is",
  cacheControl: "public, max-age=60",
  answer: Statistics,
});

export const getStorageUse = endpoint({
  id: "getStorageUse",
  method: "GET",
  path: "/api/statistics/storage",
  access: admins(sessionOnly("analytics_read")),
  rate: "bulk",
  tag: "Statistics",
  summary: "How much room it takes",
  description: "For administrators. Measured at most every ten minutes.",
  answer: StorageUse,
});
