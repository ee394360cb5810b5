// Holding contents back: quarantine of a version or of a content wherever it is, the list of denied contents, and what
// moderators need to look at before and after.

import Type, { type Static } from "typebox";
import { Version } from "#content/shapes/version.js";
import { page } from "#moderation/desk/shapes.js";
import { moderators, needs } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Choice, Done, fileContent, Line, Named, Nullable, Ref } from "#platform/http/schemas.js";
import { say } from "#words/said.js";
import { DeniedHash, HeldVersion, Quarantine } from "./shapes.js";

const shared = { tag: "Moderation" } as const;
const reading = { ...shared, method: "GET", access: moderators(needs("version_read")) } as const;
const writing = { ...shared, access: moderators(needs("version_write")), rate: "write" } as const;

const problem = say.problems.sha1OrSha512;
const Hash = Type.String({
  pattern: "^(?:[0-9A-Fa-f]{40}|[0-9A-Fa-f]{128})$",
  description: "SHA-1 or SHA-512 in hex",
  examples: ["a".repeat(128)],
  "x-problem": problem,
});
const Sha512 = Type.String({
  pattern: "^[0-9A-Fa-f]{128}$",
  examples: ["a".repeat(128)],
  description: "Every version that has a file with this content, now and as long as the quarantine stands",
  "x-problem": say.problems.sha512,
});
const Reason = Line("moderationReason", { description: "Why", examples: ["Reads saved passwords"] });
const quarantineId = Type.Object({ quarantineId: Ref("Quarantine id") });

export const getQuarantines = endpoint({
  ...reading,
  id: "getQuarantines",
  path: "/api/moderation/quarantines",
  rate: "search",
  summary: "List quarantines, newest first",
  description: "For moderators.",
  query: Type.Object({
    state: Type.Optional(
      Choice(
        { standing: "Active quarantines", lifted: "Lifted quarantines", all: "All" },
        { default: "standing", description: "Which quarantines" },
      ),
    ),
    ...page,
  }),
  answer: Type.Array(Quarantine),
});

export const createQuarantine = endpoint({
  ...writing,
  id: "createQuarantine",
  method: "POST",
  path: "/api/moderation/quarantine",
  summary: "Put a version, or a content wherever it is, into quarantine",
  description:
    "For moderators. Give versionId or sha512. The quarantined versions immediately become invisible on all routes except those of moderators; the authors are told why. No data is deleted: when the quarantine is lifted, everything is as it was. A content in quarantine cannot be published again. With deny it is also added to the list of denied contents, so that archives that contain it are refused.",
  body: Type.Object({
    versionId: Type.Optional(Nullable(Ref("Version id"))),
    sha512: Type.Optional(Nullable(Sha512)),
    reason: Reason,
    deny: Type.Optional(Type.Boolean({ default: false, description: "Only with sha512" })),
  }),
  answer: Type.Object({
    ...Done.properties,
    quarantine: Quarantine,
    versions: Type.Integer({ description: "How many are held that were not before" }),
  }),
  errors: ["versionNotFound", "wrongState"],
});

export const QuarantineDetail = Named(
  "QuarantineDetail",
  {
    ...Quarantine.properties,
    versions: Type.Array(HeldVersion, { description: "At most a hundred" }),
  },
  { description: "A quarantine with the versions that it is about" },
);

export const getQuarantine = endpoint({
  ...reading,
  id: "getQuarantine",
  path: "/api/moderation/quarantine/:quarantineId",
  rate: "read",
  summary: "Get a quarantine with the versions it is about",
  description: "For moderators.",
  params: quarantineId,
  answer: QuarantineDetail,
  errors: ["quarantineNotFound"],
});

export const liftQuarantine = endpoint({
  ...writing,
  id: "liftQuarantine",
  method: "DELETE",
  path: "/api/moderation/quarantine/:quarantineId",
  summary: "Lift a quarantine",
  description:
    "For moderators. Versions without another quarantine are available again immediately, on every route. The authors are notified.",
  params: quarantineId,
  answer: Type.Object({ ...Done.properties, versions: Type.Integer({ description: "How many are back" }) }),
  errors: ["quarantineNotFound", "wrongState"],
});

export const InspectedVersion = Named(
  "InspectedVersion",
  {
    version: Version,
    project: HeldVersion.properties.project,
    quarantined: Type.Boolean({ description: "Whether it is in quarantine now" }),
    quarantines: Type.Array(Quarantine, { description: "The quarantines that apply to it" }),
  },
  { description: "A version as moderators see it" },
);
export type InspectedVersion = Static<typeof InspectedVersion>;

const versionId = { versionId: Ref("Version id") };

export const inspectVersion = endpoint({
  ...reading,
  id: "inspectVersion",
  path: "/api/moderation/version/:versionId",
  rate: "read",
  summary: "Look at any version",
  description: "For moderators, whether or not it is in quarantine.",
  params: Type.Object(versionId),
  answer: InspectedVersion,
  errors: ["versionNotFound"],
});

export const inspectVersionFile = endpoint({
  ...reading,
  id: "inspectVersionFile",
  path: "/api/moderation/version/:versionId/:fileName",
  rate: "content",
  summary: "Download a file of any version for inspection",
  description: "For moderators. It is not counted as a download.",
  params: Type.Object({
    ...versionId,
    fileName: Type.String({ minLength: 1, maxLength: 255, description: "File name" }),
  }),
  answer: fileContent,
  errors: ["versionNotFound", "fileNotFound"],
});

export const InspectedContent = Named(
  "InspectedContent",
  {
    sha1: Nullable(Type.String(), "SHA-1 in hex; null where it is not known"),
    sha512: Nullable(Type.String(), "SHA-512 in hex; null where it is not known"),
    size: Nullable(Type.Integer(), "Size in bytes; null where no version has it"),
    denied: Nullable(DeniedHash),
    quarantine: Nullable(Quarantine),
    versions: Type.Array(HeldVersion, {
      description: "The versions that have a file with this content, at most a hundred",
    }),
  },
  { description: "Where a content is, and whether it is held back" },
);
export type InspectedContent = Static<typeof InspectedContent>;

export const inspectContent = endpoint({
  ...reading,
  id: "inspectContent",
  path: "/api/moderation/file/:hash",
  rate: "read",
  summary: "Find where a content is, and whether it is held",
  description: "For moderators. By SHA-1 or SHA-512.",
  params: Type.Object({ hash: Hash }),
  answer: InspectedContent,
});

export const getDeniedHashes = endpoint({
  ...reading,
  id: "getDeniedHashes",
  path: "/api/moderation/denied-hashes",
  rate: "search",
  summary: "List denied contents, newest first",
  description: "For moderators.",
  query: Type.Object(page),
  answer: Type.Array(DeniedHash),
});

export const denyHash = endpoint({
  ...writing,
  id: "denyHash",
  method: "POST",
  path: "/api/moderation/denied-hash",
  summary: "Deny a content",
  description:
    "For moderators. From now on no file with this content can be published, under any name, nor any archive that contains it as deep as archives are inspected. Published versions stay available: put them into quarantine.",
  body: Type.Object({ hash: Hash, reason: Reason }),
  answer: Type.Object({ ...Done.properties, denied: DeniedHash }),
  errors: ["wrongState"],
});

export const allowHash = endpoint({
  ...writing,
  id: "allowHash",
  method: "DELETE",
  path: "/api/moderation/denied-hash/:hash",
  summary: "Allow a content again",
  description: "For moderators.",
  params: Type.Object({ hash: Hash }),
  answer: Done,
  errors: ["deniedHashNotFound"],
});
