// Routes of threads.
import { write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import { type Route, route } from "#platform/http/endpoint.js";
import { done } from "#platform/http/schemas.js";
import * as contract from "./contract.js";
import { findThread, readThread } from "./read.js";
import { deleteMessage, postMessage } from "./write.js";

export const threadRoutes: Route[] = [
  route(contract.getThread, async ({ params, query, viewer }, { db, config }) => {
    const thread = await findThread(db, viewer, params.threadId);
    if (!thread) throw fail.threadNotFound();
    const page = { limit: query.limit ?? 100, before: query.before };
    return readThread(db, viewer, thread, config.http.cdnUrl, page);
  }),

  route(contract.createThreadMessage, async ({ params, body, viewer, actor }, resources) => {
    const { message, replyingTo = null, isPrivate = false } = body;
    const messageId = await write(resources, actor, (tx) =>
      postMessage(tx, viewer, params.threadId, { text: message, replyingTo, isPrivate }),
    );
    return { ...done("Message sent"), messageId };
  }),

  route(contract.deleteThreadMessage, async ({ params, viewer, actor }, resources) => {
    await write(resources, actor, (tx) => deleteMessage(tx, viewer, params.messageId));
    return done("Message deleted");
  }),
];
