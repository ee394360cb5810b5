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
    authorHidden: Type.Boolean({ description: "Written by a moderator: only moderators see by which" }),
    type: Choice(
      {
        text: "A text",
        status_change: "The status of the project changed",
        thread_closure: "The report was closed",
        thread_reopen: "The report was opened again",
        deleted: "A text that was taken out",
      } satisfies Record<MessageType, string>,
      { description: "Kind of message" },
    ),
    body: Nullable(
      Named(
        "ThreadMessageBody",
        {
          text: Type.Optional(Type.String({ description: "The text, in Markdown" })),
          replying_to: Type.Optional(Nullable(Id, "Id of the message that it answers")),
          isPrivate: Type.Optional(Type.Boolean({ description: "A note among moderators" })),
          prev_status: Type.Optional(Described(Status, "Status before")),
          new_status: Type.Optional(Described(Status, "Status since then")),
        },
        {
          description:
            "text and deleted: text, replying_to, isPrivate; status_change: prev_status, new_status; otherwise null",
        },
      ),
    ),
  },
  { description: "A message of a conversation" },
);
export type ThreadMessage = Static<typeof ThreadMessage>;

const ThreadMember = Named(
  "ThreadMember",
  {
    id: Type.String({ description: "Id of the user" }),
    userName: Type.String({ description: "User name" }),
    avatar: Nullable(ImageUrl, "Address of the user's picture; null for moderators"),
    role: Type.String({ description: "What the user is on this site" }),
  },
  { description: "A user who takes part in a conversation" },
);

export const Thread = Named(
  "Thread",
  {
    id: Described(Id, "Id of the conversation"),
    type: Choice(
      { project: "About a project", report: "About a report", direct_message: "Between users" },
      { description: "What it is about" },
    ),
    relatedEntity: Type.String({ description: "Id of the project or report" }),
    members: Type.Array(ThreadMember, { description: "The first stands for all moderators" }),
    messages: Type.Array(ThreadMessage, { description: "Oldest first" }),
    hasMore: Type.Boolean({ description: "There are older ones; ask with before" }),
  },
  { description: "A conversation between users and moderators" },
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
  summary: "Read a conversation",
  description:
    "For those who take part: the reporter, or the accepted members of the project and its organization, and moderators. The newest messages, oldest first.",
  params: threadId,
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 100, description: "Most messages" })),
    before: Type.Optional(Ref("Id of a message: only older ones")),
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
  summary: "Say something in a conversation",
  description:
    "Private notes are for moderators, and are seen by them alone. A closed report takes nothing but such notes. Whoever waits for an answer can write 30 messages in a row.",
  params: threadId,
  body: Type.Object({
    message: Text("threadMessage", {
      pattern: "[^\\s]",
      description: "The text, in Markdown",
      examples: ["The licence is in the archive now."],
      "x-problem": say.problems.notBlank(1, 2048),
    }),
    replyingTo: Type.Optional(Nullable(Ref("Id of a message of this conversation"))),
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
  summary: "Take a text out of a conversation",
  description:
    "For moderators: what they wrote themselves, and what people wrote. What another moderator wrote, an administrator can take out. The message stays, with the type deleted and without text.",
  params: Type.Object({ messageId: Ref("Message id") }),
  answer: Done,
  errors: ["messageNotFound", "moderatorOnly", "othersMessage", "wrongState"],
});
