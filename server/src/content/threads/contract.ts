// Conversations between users and moderators about a project or a report (earlier-service 4.14, 5.18).

import Type, { type Static } from "typebox";
import { Status } from "#content/shapes/project.js";
import { needs } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import {
  Choice,
  Described,
  Done,
  DoneWith,
  Id,
  ImageUrl,
  Named,
  Nullable,
  Ref,
  Text,
  Timestamp,
} from "#platform/http/schemas.js";
import { say } from "#words/said.js";
import type { MessageType } from "./messages.js";

export const ThreadMessage = Named(
  "ThreadMessage",
  {
    id: Described(Id, "Id of the message"),
    authorId: Nullable(Type.String({ description: 'User id; "moderator" where the name stays among moderators' })),
    createdAt: Described(Timestamp, "When it was written"),
    authorHidden: Type.Boolean({ description: "Written by a moderator; only moderators see the name" }),
    type: Choice(
      {
        text: "A text",
        status_change: "The status of the project changed",
        thread_closure: "The report was closed",
        thread_reopen: "The report was opened again",
        deleted: "A deleted message",
      } satisfies Record<MessageType, string>,
      { description: "Kind of message" },
    ),
    body: Nullable(
      Named(
        "ThreadMessageBody",
        {
          text: Type.Optional(Type.String({ description: "The text, in Markdown" })),
          replying_to: Type.Optional(Nullable(Id, "Id of the message that it replies to")),
          isPrivate: Type.Optional(Type.Boolean({ description: "Whether only moderators see it" })),
          prev_status: Type.Optional(Described(Status, "Previous status")),
          new_status: Type.Optional(Described(Status, "New status")),
        },
        {
          description:
            "text and deleted: text, replying_to, isPrivate; status_change: prev_status, new_status; otherwise null",
        },
      ),
    ),
  },
  { description: "A message of a thread" },
);
export type ThreadMessage = Static<typeof ThreadMessage>;

const ThreadMember = Named(
  "ThreadMember",
  {
    id: Type.String({ description: "Id of the user" }),
    userName: Type.String({ description: "Username" }),
    avatar: Nullable(ImageUrl, "URL of the user's picture; null for moderators"),
    role: Type.String({ description: "Role of the user on this site" }),
  },
  { description: "A participant of a thread" },
);

export const Thread = Named(
  "Thread",
  {
    id: Described(Id, "Id of the thread"),
    type: Choice(
      { project: "About a project", report: "About a report", direct_message: "Between users" },
      { description: "Subject" },
    ),
    relatedEntity: Type.String({ description: "Id of the project or report" }),
    members: Type.Array(ThreadMember, { description: "Participants; the first entry stands for all moderators" }),
    messages: Type.Array(ThreadMessage, { description: "Oldest first" }),
    hasMore: Type.Boolean({ description: "Whether there are older messages; use before to get them" }),
  },
  { description: "A thread between users and moderators" },
);
export type Thread = Static<typeof Thread>;

const threadId = Type.Object({ threadId: Ref("Thread id") });
const shared = { tag: "Reports and threads" } as const;

export const getThread = endpoint({
  ...shared,
  id: "getThread",
  method: "GET",
  path: "/api/thread/:threadId",
  access: needs("thread_read"),
  rate: "read",
  summary: "Get a thread",
  description:
    "For the participants: the reporter, or the accepted members of the project and its organization, and moderators. Returns the newest messages, oldest first.",
  params: threadId,
  query: Type.Object({
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, default: 100, description: "Maximum number of messages" }),
    ),
    before: Type.Optional(Ref("Id of a message; only older messages are returned")),
  }),
  answer: Thread,
  errors: ["threadNotFound"],
});

export const createThreadMessage = endpoint({
  ...shared,
  id: "createThreadMessage",
  method: "POST",
  path: "/api/thread/:threadId",
  access: needs("thread_write"),
  rate: "write",
  summary: "Post a message in a thread",
  description:
    "Only moderators can write and see private notes. A closed report accepts only such notes. A user can write 30 messages in a row without an answer.",
  params: threadId,
  body: Type.Object({
    message: Text("threadMessage", {
      pattern: "[^\\s]",
      description: "The text, in Markdown",
      examples: ["The license is in the archive now."],
      "x-problem": say.problems.notBlank(1, 2048),
    }),
    replyingTo: Type.Optional(Nullable(Ref("Id of a message of this thread"))),
    isPrivate: Type.Optional(Type.Boolean({ default: false, description: "A note that only moderators see" })),
  }),
  answer: DoneWith({ messageId: Described(Id, "Id of the message") }),
  errors: ["threadNotFound", "moderatorOnly", "wrongState"],
});

export const deleteThreadMessage = endpoint({
  ...shared,
  id: "deleteThreadMessage",
  method: "DELETE",
  path: "/api/thread/message/:messageId",
  access: needs("thread_write"),
  rate: "write",
  summary: "Delete a message of a thread",
  description:
    "For moderators: their own messages and those of users. Administrators can also delete messages of moderators. The message stays, with the type deleted and without text.",
  params: Type.Object({ messageId: Ref("Message id") }),
  answer: Done,
  errors: ["messageNotFound", "moderatorOnly", "othersMessage", "wrongState"],
});
