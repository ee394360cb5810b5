// The public interface of users: profiles, the own account and its email address.

import Type, { type Static } from "typebox";
import { needs, open, readable, sessionOnly } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import {
  Choice,
  Described,
  Done,
  DoneWith,
  Id,
  IdList,
  ImageUrl,
  Named,
  Nullable,
  pictureText,
  Ref,
  Text,
  Timestamp,
} from "#platform/http/schemas.js";
import { say } from "#words/said.js";

export const Role = Choice(
  { user: "An ordinary user", moderator: "Reviews projects and reports", admin: "Runs the site; may do everything" },
  { description: "The user's role on this site" },
);

export const User = Named(
  "User",
  {
    id: Described(Id, "Id of the user"),
    name: Type.String({ description: "Display name; the username where none was chosen" }),
    userName: Type.String({ description: "Username, which is also the name in URLs" }),
    role: Role,
    avatar: Described(ImageUrl, "Address of the user's picture"),
    bio: Nullable(Type.String(), "The user's text about themselves; null if there is none"),
    dateJoined: Described(Timestamp, "When the account was made"),
    profilePageBg: Nullable(ImageUrl, "Address of the background picture of the profile; null where there is none"),
  },
  { description: "A user's public profile" },
);
export type User = Static<typeof User>;

export const UserName = Text("userName", {
  pattern: "^[A-Za-z0-9_-]*$",
  description: "Username; unique without regard to case",
  examples: ["ada"],
  "x-problem": say.problems.userName,
});

export const Email = Text("email", {
  // One address in the usual form; only a mail can show whether it exists.
  pattern: '^[^\\s@,;:<>()\\[\\]"\\\\\\p{Cc}]+@[^\\s@,;:<>()\\[\\]"\\\\\\p{Cc}]+\\.[^\\s@,;:<>()\\[\\]"\\\\\\p{Cc}.]+$',
  description: "Email address",
  examples: ["ada@example.org"],
  "x-problem": say.problems.email,
});

const password = "correct horse battery";
export const NewPassword = Text("password", {
  description: "The new password",
  examples: [password],
  "x-problem": say.problems.password,
});
/** A password that is only compared: its length is not our business, its size is. */
export const GivenPassword = Type.String({
  minLength: 1,
  maxLength: 512,
  description: "The present password of the account",
  examples: [password],
});
export const GivenCode = Type.String({
  minLength: 1,
  maxLength: 128,
  description: "From the mail, the link or the log",
});

export const userRef = Type.Object({ ref: Ref("Id or username, in any case", "ada") });

export const getUser = endpoint({
  id: "getUser",
  method: "GET",
  path: "/api/user/:ref",
  access: readable("user_read"),
  rate: "read",
  tag: "Users",
  summary: "Get a user",
  params: userRef,
  answer: User,
  errors: ["userNotFound"],
});

export const getUsers = endpoint({
  id: "getUsers",
  method: "GET",
  path: "/api/users",
  access: readable("user_read"),
  rate: "bulk",
  tag: "Users",
  summary: "Get several users",
  description:
    "In the order of the request. Unknown users are left out; a user who is named twice, for example by id and by username, appears once.",
  query: Type.Object({
    ids: IdList("user ids or usernames, also mixed", "kX3vQ9aB,ada"),
  }),
  answer: Type.Array(User),
});

export const getOwnUser = endpoint({
  id: "getOwnUser",
  method: "GET",
  path: "/api/user",
  access: needs("user_read"),
  rate: "read",
  tag: "Users",
  summary: "Get your profile",
  answer: User,
});

export const updateProfile = endpoint({
  id: "updateProfile",
  method: "PATCH",
  path: "/api/user",
  access: needs("user_write"),
  rate: "write",
  tag: "Users",
  summary: "Edit your profile",
  description: "Fields that are absent stay; an empty name or bio is removed.",
  body: Type.Object({
    name: Type.Optional(Nullable(Type.String({ maxLength: 64 }), "Display name")),
    userName: Type.Optional(UserName),
    bio: Type.Optional(Nullable(Text("bio", { examples: ["I make shaders"] }), "A text about yourself")),
    avatar: Type.Optional(Nullable(Type.String({ maxLength: 512 }), pictureText)),
    profilePageBg: Type.Optional(Nullable(Type.String({ maxLength: 512 }), pictureText)),
  }),
  files: {
    avatar: {
      maxBytes: ({ config }) => config.limits.iconBytes,
      description: "Your picture: PNG, JPEG, GIF or WebP",
      example: "avatar.png",
    },
    profilePageBg: {
      maxBytes: ({ config }) => config.limits.galleryImageBytes,
      description: "Background of your profile: PNG, JPEG, GIF or WebP",
      example: "background.png",
    },
  },
  answer: DoneWith({ profileData: User }),
  errors: ["userNameTaken", "nameReserved", "imageUnusable", "quotaReached", "fileTooLarge"],
});

export const changeEmail = endpoint({
  id: "changeEmail",
  method: "PATCH",
  path: "/api/user/email",
  access: needs("user_write_email"),
  rate: "mail",
  tag: "Account",
  summary: "Change the email address of the signed-in user",
  description:
    "Needs the current password, or a session that was signed in within the last 10 minutes if the account has none. If mail is set up, the new address counts once its code is confirmed, and the answer is the same whether or not another account has it; otherwise it counts immediately.",
  body: Type.Object({ email: Email, password: Type.Optional(GivenPassword) }),
  answer: DoneWith({
    confirmed: Type.Boolean({
      description: "Whether the new address counts already; otherwise its code must be confirmed",
    }),
  }),
  errors: ["passwordWrong", "emailTaken", "freshSessionNeeded", "rateLimited"],
});

export const confirmEmail = endpoint({
  id: "confirmEmail",
  method: "POST",
  path: "/api/user/email/confirm",
  access: open,
  rate: "signIn",
  tag: "Account",
  summary: "Confirm an email address with the mailed code",
  description: "The new address of an account, or the one that it was made with.",
  body: Type.Object({ code: GivenCode }),
  answer: Done,
  errors: ["codeInvalid", "emailTaken"],
});

export const requestConfirmation = endpoint({
  id: "requestConfirmation",
  method: "POST",
  path: "/api/user/email/confirmation",
  access: sessionOnly("user_auth_write"),
  rate: "mail",
  tag: "Account",
  summary: "Send the confirmation of the email address again",
  description: "Links of the last day keep working.",
  answer: Done,
  errors: ["addressConfirmed"],
});

export const createFirstAdmin = endpoint({
  id: "createFirstAdmin",
  method: "POST",
  path: "/api/setup",
  access: open,
  rate: "signIn",
  tag: "Account",
  summary: "Create the first administrator with the setup code from the log",
  body: Type.Object({ code: GivenCode, userName: UserName, email: Email, password: NewPassword }),
  answer: Done,
  errors: ["setupDone", "codeInvalid", "userNameTaken", "emailTaken"],
});
