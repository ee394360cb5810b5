// What moderators decide about projects (earlier-service 4.15, decisions §5).
import Type from "typebox";
import { needs } from "../http/access.js";
import { endpoint } from "../http/endpoint.js";
import { Nullable, Text } from "../http/schemas.js";
import { projectRef } from "../projects/contract.js";
import { Status } from "../projects/shapes.js";

export const setProjectStatus = endpoint({
  id: "setProjectStatus",
  method: "POST",
  path: "/api/moderation/project/:ref",
  access: needs("project_write"),
  rate: "write",
  tag: "Moderation",
  summary: "Decide about a project",
  description: "For moderators. The message goes into the project's thread, and its owner is notified.",
  params: projectRef,
  body: Type.Object({ status: Status, message: Type.Optional(Nullable(Text("threadMessage"))) }),
  answer: Type.Object({ success: Type.Literal(true), message: Type.String(), status: Status }),
  errors: ["moderatorOnly", "projectNotFound", "wrongState"],
});
