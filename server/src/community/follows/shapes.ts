// The notification preferences of a follow, and a follow as answers show it.
import Type, { type Static } from "typebox";
import { ChannelOf } from "#content/shapes/version.js";
import { Choice, Described, Id, Named, Nullable, Timestamp } from "#platform/http/schemas.js";

const modes = {
  all: "Every new version",
  filtered: "New versions that pass all three filters",
  none: "Nothing",
} as const;

const Names = (example: string, maxItems: number, description: string) =>
  Nullable(
    Type.Array(Type.String({ minLength: 1, maxLength: 64, examples: [example] }), {
      maxItems,
      description,
    }),
  );

const filter = {
  gameVersions: Names("0.4.8", 200, "With mode filtered: versions for at least one of these; null for any"),
  loaders: Names("quilt", 64, "With mode filtered: versions for at least one of these, or for none; null for any"),
  channels: Type.Array(ChannelOf, {
    minItems: 1,
    maxItems: 16,
    description: "With mode filtered: versions of these channels",
    examples: [["release"]],
  }),
};

export const FollowDefaults = Named(
  "FollowDefaults",
  { mode: Choice(modes, { description: "Which versions the user is notified of", examples: ["filtered"] }), ...filter },
  { description: "Which versions the user is notified of if a follow has no preferences" },
);
export type FollowDefaults = Static<typeof FollowDefaults>;

export const FollowPreferences = Named(
  "FollowPreferences",
  {
    mode: Choice(
      { default: "As the notification settings of the account say", ...modes },
      { description: "Which versions the user is notified of", examples: ["filtered"] },
    ),
    ...filter,
  },
  { description: "A user's notification preferences for a project" },
);
export type FollowPreferences = Static<typeof FollowPreferences>;

/** For request bodies: every field may be absent. */
export const FollowPreferencesInput = Type.Partial(Type.Object(FollowPreferences.properties));
export type FollowPreferencesInput = Static<typeof FollowPreferencesInput>;
export const FollowDefaultsInput = Type.Partial(Type.Object(FollowDefaults.properties));
export type FollowDefaultsInput = Static<typeof FollowDefaultsInput>;

export const Follow = Named(
  "Follow",
  {
    projectId: Described(Id, "Id of the project"),
    dateFollowed: Described(Timestamp, "Since when it is followed"),
    preferences: FollowPreferences,
  },
  { description: "A project that the user follows" },
);
export type Follow = Static<typeof Follow>;
