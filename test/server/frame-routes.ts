// Endpoints that exist only in tests of the HTTP layer: one for each of its features.
import Type from "typebox";
import { findNewestTaxonomy } from "#content/taxonomy/read.js";
import { write } from "#platform/changes/write.js";
import { needs, open, readable, sessionOnly } from "#platform/http/access.js";
import { sendText } from "#platform/http/answers.js";
import { endpoint, type Route, route } from "#platform/http/endpoint.js";

const shared = { access: open, rate: "read", tag: "Frame", summary: "For tests" } as const;
const get = { ...shared, method: "GET" } as const;
const post = { ...shared, method: "POST", rate: "write" } as const;
const Who = Type.Object({ who: Type.String() });

/** Lets a test control requests that are in progress. */
export class FrameControl {
  /** The handlers of /frame/slow and /frame/act wait for this, and /frame/stream before it reads. */
  gate: Promise<unknown> = Promise.resolve();
  /** The number of requests that wait, or have waited, at the gate. */
  arrived = 0;
  /** The number of forms that were requested at /frame/stream. */
  asked = 0;
  /** Thrown by /frame/throw. */
  error: unknown = new Error("a fault of ours");
  /** Thrown by /frame/act after its change. */
  errorAfter: unknown;
}

export const frameRoutes = (control: FrameControl): Route[] => [
  route(
    endpoint({
      ...get,
      id: "frameText",
      path: "/frame/text",
      query: Type.Object({ size: Type.Integer({ minimum: 0, default: 10 }) }),
      answer: Type.Object({ text: Type.String() }),
    }),
    async ({ query }) => ({ text: "x".repeat(query.size) }),
  ),
  route(
    endpoint({ ...get, id: "frameReadable", path: "/frame/readable", access: readable("user_read"), answer: Who }),
    async ({ viewer }) => ({
      who: viewer.kind,
    }),
  ),
  route(
    endpoint({ ...get, id: "framePrivate", path: "/frame/private", access: needs("user_read"), answer: Who }),
    async ({ viewer }) => ({
      who: viewer.kind,
    }),
  ),
  route(
    endpoint({
      ...get,
      id: "frameSession",
      path: "/frame/session",
      access: sessionOnly("user_session_read"),
      answer: Who,
    }),
    async ({ viewer }) => ({ who: viewer.kind }),
  ),
  route(endpoint({ ...get, id: "frameMixed", path: "/frame/mixed", answer: Who }), async ({ viewer }) => ({
    who: viewer.kind,
  })),
  route(
    endpoint({ ...post, id: "frameMixedWrite", path: "/frame/mixed", access: needs("user_write"), answer: Who }),
    async ({ viewer }) => ({
      who: viewer.kind,
    }),
  ),
  route(
    endpoint({
      ...post,
      id: "frameEcho",
      path: "/frame/echo/:name",
      params: Type.Object({ name: Type.String({ maxLength: 64 }) }),
      query: Type.Object({ q: Type.Optional(Type.String()) }),
      body: Type.Object({
        text: Type.Optional(Type.String()),
        number: Type.Optional(Type.Integer()),
        anything: Type.Optional(Type.Unknown()),
      }),
      answer: Type.Object({ name: Type.String(), body: Type.Unknown() }),
    }),
    async ({ params, body }) => ({ name: params.name, body }),
  ),
  route(
    endpoint({
      ...post,
      id: "frameLookup",
      path: "/frame/lookup",
      crossOrigin: true,
      body: Type.Object({}),
      answer: Who,
    }),
    async ({ viewer }) => ({ who: viewer.kind }),
  ),
  route(
    endpoint({
      ...post,
      id: "frameForm",
      path: "/frame/form",
      htmlForm: true,
      body: Type.Object({ text: Type.String() }),
      answer: Type.Object({ text: Type.String() }),
    }),
    async ({ body }) => ({ text: body.text }),
  ),
  route(
    endpoint({
      ...post,
      id: "frameUpload",
      path: "/frame/upload",
      access: needs("user_write"),
      body: Type.Object({ text: Type.Optional(Type.String()) }),
      files: { picture: { maxBytes: () => 100_000, description: "Bytes" } },
      answer: Type.Object({ text: Type.String(), size: Type.Integer() }),
    }),
    async ({ body, files }) => ({ text: body.text ?? "", size: files.picture?.bytes.length ?? -1 }),
  ),
  route(
    endpoint({
      ...post,
      id: "frameStream",
      path: "/frame/stream",
      access: needs("user_write"),
      streams: true,
      body: Type.Object({ text: Type.Optional(Type.String()) }),
      files: {
        file: { maxBytes: () => 10_000_000, description: "Bytes" },
        more: { maxBytes: () => 1000, maxCount: () => 2, description: "Bytes" },
      },
      answer: Type.Object({ text: Type.String(), files: Type.Array(Type.String()) }),
    }),
    async ({ body, staged }) => {
      const files = [...staged.file, ...staged.more].map(({ name, blob }) => `${name} ${blob.size}`);
      control.arrived++;
      return { text: body.text ?? "", files };
    },
    {
      before: async () => {
        control.asked++;
        await control.gate;
      },
    },
  ),
  route(
    endpoint({
      ...post,
      id: "frameAct",
      path: "/frame/act",
      access: needs("user_write"),
      body: Type.Object({ name: Type.String() }),
      answer: Type.Object({ id: Type.Integer() }),
    }),
    async ({ body, actor }, resources) => {
      control.arrived++;
      await control.gate;
      const { id } = await write(resources, actor, async (tx) => {
        // The newest one is in force, so it must be a good one.
        const { document } = (await findNewestTaxonomy(tx.db))!;
        return tx.db
          .insertInto("taxonomies")
          .values({ digest: body.name, source: "frame", document, date_created: tx.now })
          .returning("id")
          .executeTakeFirstOrThrow();
      });
      if (control.errorAfter) throw control.errorAfter;
      return { id };
    },
  ),
  route(
    endpoint({
      ...post,
      id: "frameSecret",
      path: "/frame/secret",
      access: needs("user_write"),
      secretAnswer: true,
      answer: Type.Object({ secret: Type.String() }),
    }),
    async () => ({ secret: "canary-4711" }),
  ),
  route(endpoint({ ...get, id: "frameThrow", path: "/frame/throw", answer: Who }), async () => {
    throw control.error;
  }),
  route(endpoint({ ...get, id: "frameMisfit", path: "/frame/misfit", answer: Who }), async () => ({ who: 5 }) as never),
  route(endpoint({ ...get, id: "frameExtra", path: "/frame/extra", answer: Who }), async () => ({
    who: "me",
    secret: "x",
  })),
  route(endpoint({ ...get, id: "frameSlow", path: "/frame/slow", answer: Who }), async ({ viewer }) => {
    control.arrived++;
    await control.gate;
    return { who: viewer.kind };
  }),
  route(
    endpoint({ ...get, id: "frameRaw", path: "/frame/raw", answer: { raw: "text/plain", description: "Text" } }),
    ({ request, reply }) => sendText(request, reply.type("text/plain; charset=utf-8"), "raw"),
  ),
];
