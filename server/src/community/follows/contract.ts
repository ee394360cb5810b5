// Following projects: to find them again, and to be told of their new versions (earlier-service 4.4, 4.6).
import Type from "typebox";
import { projectRef } from "#content/projects/contract.js";
import { ProjectListItem } from "#content/shapes/project.js";
import { needs } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Done, DoneWith, Id, Nullable, Switch } from "#platform/http/schemas.js";
import { Follow, FollowPreferences, FollowPreferencesInput } from "./shapes.js";

const tag = "Follows";
const Saved = DoneWith({ preferences: FollowPreferences });

export const getFollowedProjects = endpoint({
  id: "getFollowedProjects",
  method: "GET",
  ready: true,
  path: "/api/user/follows",
  access: needs("user_read"),
  rate: "bulk",
  tag,
  summary: "List the projects that you follow",
  description: "Most downloaded first. One that you may no longer see stays followed, and is left out.",
  query: Type.Object({
    idsOnly: Switch("true: only the ids of the projects"),
  }),
  answer: Type.Union([Type.Array(ProjectListItem), Type.Array(Id)]),
});

export const getFollows = endpoint({
  id: "getFollows",
  method: "GET",
  path: "/api/user/follows/preferences",
  access: needs("user_read"),
  rate: "bulk",
  tag,
  summary: "List what you want to be told of each project that you follow",
  answer: Type.Array(Follow),
});

const shared = { path: "/api/project/:ref/follow", tag, params: projectRef } as const;

export const getFollow = endpoint({
  ...shared,
  id: "getFollow",
  method: "GET",
  access: needs("user_read"),
  rate: "read",
  summary: "Get whether you follow a project",
  answer: Type.Object({
    following: Type.Boolean({ description: "Whether you follow it" }),
    preferences: Nullable(FollowPreferences, "What you want to be told; null where you do not follow it"),
  }),
  errors: ["projectNotFound"],
});

export const followProject = endpoint({
  ...shared,
  id: "followProject",
  method: "POST",
  access: needs("user_write"),
  rate: "write",
  summary: "Follow a project",
  description:
    "Without a body you are told of what your notification settings say: of every new version, unless you chose otherwise there.",
  body: FollowPreferencesInput,
  answer: Saved,
  errors: ["projectNotFound", "alreadyFollowing", "limitReached"],
});

export const setFollowPreferences = endpoint({
  ...shared,
  id: "setFollowPreferences",
  method: "PATCH",
  access: needs("user_write"),
  rate: "write",
  summary: "Choose what you are told of a project that you follow",
  description: "A field that is absent stays as it is.",
  body: FollowPreferencesInput,
  answer: Saved,
  errors: ["projectNotFound", "notFollowing"],
});

export const unfollowProject = endpoint({
  ...shared,
  id: "unfollowProject",
  method: "DELETE",
  access: needs("user_write"),
  rate: "write",
  summary: "Stop following a project",
  answer: Done,
  errors: ["projectNotFound", "notFollowing"],
});
