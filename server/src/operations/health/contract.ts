// The API for operators and monitoring: liveness, readiness, metrics, and a description of the service.
import Type from "typebox";
import { open } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";

const shared = { method: "GET", access: open, rate: "read", tag: "Service", cacheControl: "no-store" } as const;

export const getHealth = endpoint({
  ...shared,
  id: "getHealth",
  path: "/healthz",
  summary: "Whether the process is alive",
  isProbe: true,
  answer: Type.Object({ status: Type.Literal("ok", { description: "Always ok" }) }),
});

export const getReadiness = endpoint({
  ...shared,
  id: "getReadiness",
  path: "/readyz",
  summary: "Whether this server should get traffic",
  isProbe: true,
  description:
    "503 while the database or the storage cannot be written, and from the moment the server begins to stop.",
  answer: Type.Object({
    ready: Type.Boolean({ description: "Whether this server should get traffic" }),
    components: Type.Record(Type.String(), Type.String(), { description: "State of each part: ok, or the problem" }),
  }),
});

export const getMetrics = endpoint({
  ...shared,
  id: "getMetrics",
  path: "/metrics",
  summary: "Figures for Prometheus",
  description:
    "Only with the setting MODSHELF_METRICS_TOKEN, sent as Authorization: Bearer. With MODSHELF_METRICS_PORT the metrics have a separate port.",
  answer: { raw: "text/plain", description: "Prometheus text format" },
  ownAuthorization: true,
});

export const getService = endpoint({
  ...shared,
  id: "getService",
  path: "/api",
  summary: "The name of the service",
  answer: Type.Object({
    message: Type.String({ description: "A greeting" }),
    version: Type.String({ description: "Version of the program" }),
    website: Type.String({ description: "Address of the website" }),
    docs: Type.String({ description: "Address of this reference" }),
    status: Type.String({ description: "Address of the status page" }),
    cdn: Type.String({ description: "Address of the content host" }),
  }),
});
