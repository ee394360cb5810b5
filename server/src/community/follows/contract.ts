// Following projects: to find them again, and to be notified of their new versions (earlier-service 4.4, 4.6). Users and
// organizations are followed to be notified of their new projects.
import Type from "typebox";
import { userRef } from "#accounts/users/contract.js";
import { orgRef } from "#content/organizations/contract.js";
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
  description: "Most downloaded first. Projects that you can no longer see stay followed, and are left out.",
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
  summary: "List your notification preferences for each project that you follow",
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
    preferences: Nullable(FollowPreferences, "Your notification preferences; null if you do not follow it"),
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
  description: "Without a body your notification settings apply: by default you are notified of every new version.",
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
  summary: "Choose which notifications you get about a project that you follow",
  description: "Absent fields stay unchanged.",
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

const FollowsAuthor = Type.Object({ following: Type.Boolean({ description: "Whether you follow them" }) });
const user = { path: "/api/user/:ref/follow", tag, params: userRef } as const;
const organization = { path: "/api/organization/:ref/follow", tag, params: orgRef } as const;

export const getUserFollow = endpoint({
  ...user,
  id: "getUserFollow",
  method: "GET",
  access: needs("user_read"),
  rate: "read",
  summary: "Get whether you follow a user",
  answer: FollowsAuthor,
  errors: ["userNotFound"],
});

export const followUser = endpoint({
  ...user,
  id: "followUser",
  method: "POST",
  access: needs("user_write"),
  rate: "write",
  summary: "Follow a user",
  description: "You are notified of each new project that they publish.",
  answer: Done,
  errors: ["userNotFound", "alreadyFollowing", "wrongState", "limitReached"],
});

export const unfollowUser = endpoint({
  ...user,
  id: "unfollowUser",
  method: "DELETE",
  access: needs("user_write"),
  rate: "write",
  summary: "Stop following a user",
  answer: Done,
  errors: ["userNotFound", "notFollowing"],
});

export const getOrganizationFollow = endpoint({
  ...organization,
  id: "getOrganizationFollow",
  method: "GET",
  access: needs("user_read"),
  rate: "read",
  summary: "Get whether you follow an organization",
  answer: FollowsAuthor,
  errors: ["organizationNotFound"],
});

export const followOrganization = endpoint({
  ...organization,
  id: "followOrganization",
  method: "POST",
  access: needs("user_write"),
  rate: "write",
  summary: "Follow an organization",
  description: "You are notified of each new project that it publishes.",
  answer: Done,
  errors: ["organizationNotFound", "alreadyFollowing", "limitReached"],
});

export const unfollowOrganization = endpoint({
  ...organization,
  id: "unfollowOrganization",
  method: "DELETE",
  access: needs("user_write"),
  rate: "write",
  summary: "Stop following an organization",
  answer: Done,
  errors: ["organizationNotFound", "notFollowing"],
});
