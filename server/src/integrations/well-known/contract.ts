// Endpoints of files at fixed URLs: robots.txt for crawlers, and security.txt with the contact for security problems.
import { open } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";

const shared = {
  method: "GET",
  access: open,
  rate: "read",
  tag: "Website",
  cacheControl: "public, max-age=3600",
} as const;

export const getRobotsText = endpoint({
  ...shared,
  id: "getRobotsText",
  path: "/robots.txt",
  summary: "The rules for crawlers",
  answer: { raw: "text/plain", description: "RFC 9309" },
});

export const getSecurityText = endpoint({
  ...shared,
  id: "getSecurityText",
  path: "/.well-known/security.txt",
  summary: "The contact for security problems of this site",
  description: "Only if the operator has set MODSHELF_SECURITY_CONTACT.",
  answer: { raw: "text/plain", description: "RFC 9116" },
  errors: ["notFound"],
});
