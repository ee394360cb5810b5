// Users and the projects that they follow, in Modrinth's form.
import Type from "typebox";
import { needs, readable } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Ref } from "#platform/http/schemas.js";
import { JsonList, projectRef, shared } from "./project-contract.js";
import { ModrinthProject, ModrinthUser, nothing } from "./shapes.js";

const userRef = Type.Object({ ref: Ref("Id or username", "ada") });

export const modrinthGetUser = endpoint({
  ...shared,
  id: "modrinthGetUser",
  path: "/v2/user/:ref",
  access: readable("user_read"),
  summary: "Get a user in Modrinth's form",
  params: userRef,
  answer: ModrinthUser,
  errors: ["userNotFound"],
});

export const modrinthGetOwnUser = endpoint({
  ...shared,
  id: "modrinthGetOwnUser",
  path: "/v2/user",
  access: needs("user_read"),
  summary: "Get your account in Modrinth's form",
  answer: ModrinthUser,
});

export const modrinthGetUsers = endpoint({
  ...shared,
  id: "modrinthGetUsers",
  path: "/v2/users",
  access: readable("user_read"),
  rate: "bulk",
  summary: "Get several users in Modrinth's form",
  query: Type.Object({ ids: JsonList }),
  answer: Type.Array(ModrinthUser),
});

export const modrinthGetUserProjects = endpoint({
  ...shared,
  id: "modrinthGetUserProjects",
  path: "/v2/user/:ref/projects",
  access: readable("user_read", "project_read"),
  ready: true,
  rate: "bulk",
  summary: "List the projects of a user in Modrinth's form",
  params: userRef,
  answer: Type.Array(ModrinthProject),
  errors: ["userNotFound"],
});

export const modrinthGetFollows = endpoint({
  ...shared,
  id: "modrinthGetFollows",
  path: "/v2/user/:ref/follows",
  access: needs("user_read"),
  rate: "bulk",
  summary: "List the projects that you follow in Modrinth's form",
  params: userRef,
  answer: Type.Array(ModrinthProject),
  errors: ["userNotFound"],
});

const following = {
  ...shared,
  path: "/v2/project/:ref/follow",
  access: needs("user_write"),
  rate: "write",
  params: projectRef,
  answer: nothing,
} as const;

export const modrinthFollowProject = endpoint({
  ...following,
  id: "modrinthFollowProject",
  method: "POST",
  summary: "Follow a project",
  errors: ["projectNotFound", "alreadyFollowing"],
});

export const modrinthUnfollowProject = endpoint({
  ...following,
  id: "modrinthUnfollowProject",
  method: "DELETE",
  summary: "Unfollow a project",
  errors: ["projectNotFound", "notFollowing"],
});
