// The endpoint of the Maven repository (decisions §1, earlier-service 4.21).
import Type from "typebox";
import { readable } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { fileContent } from "#platform/http/schemas.js";

export const getMavenFile = endpoint({
  id: "getMavenFile",
  method: "GET",
  path: "/maven/*",
  access: readable("version_read"),
  rate: "content",
  tag: "Maven",
  summary: "Get a file of the Maven repository",
  description:
    "Below the group's folder: {project}/maven-metadata.xml, {project}/{version}/{project}-{version}.pom, the primary file as {project}-{version}.{extension}, every file under its own name, and .md5, .sha1, .sha256 or .sha512 of each. Project and version by id or slug. Give a personal access token as the password for what is not public.",
  params: Type.Object({
    path: Type.String({
      maxLength: 600,
      description: "Folders and file name, as Maven and Gradle make them from coordinates",
      examples: ["maven/modshelf/better-grass/maven-metadata.xml"],
    }),
  }),
  answer: {
    ...fileContent,
    types: [...fileContent.types, "text/xml", "text/plain"],
    description: "The file's content: text/xml for metadata and pom, text/plain for checksums",
  },
  errors: ["artifactHidden", "artifactNotFound"],
});
