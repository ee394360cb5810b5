// Version files on the content host (decisions §1, §6).
import Type from "typebox";
import { readable } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { fileContent, Ref } from "#platform/http/schemas.js";

export const getVersionFile = endpoint({
  id: "getVersionFile",
  method: "GET",
  path: "/cdn/data/project/:id/version/:versionId/:fileName",
  access: readable("version_read"),
  rate: "content",
  tag: "Content",
  summary: "Download a version's file",
  description: "Takes ids only, no slugs: the content behind such an address never changes.",
  params: Type.Object({
    id: Ref("Project id"),
    versionId: Ref("Version id"),
    fileName: Type.String({
      minLength: 1,
      maxLength: 255,
      description: "File name",
      examples: ["better-grass-1.4.0.jar"],
    }),
  }),
  answer: fileContent,
  errors: ["fileNotFound"],
});
