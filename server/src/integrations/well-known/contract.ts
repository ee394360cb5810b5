// Files that are looked for under fixed names: what crawlers may read, and whom to tell of a security problem.
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
  summary: "What crawlers may read",
  answer: { raw: "text/plain", description: "RFC 9309" },
});

export const getSecurityText = endpoint({
  ...shared,
  id: "getSecurityText",
  path: "/.well-known/security.txt",
  summary: "Whom to tell of a security problem of this site",
  description: "Only where the operator has set MODSHELF_SECURITY_CONTACT.",
  answer: { raw: "text/plain", description: "RFC 9116" },
  errors: ["notFound"],
});
