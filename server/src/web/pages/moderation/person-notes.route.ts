// The forms that add and remove notes about a user.
import Type from "typebox";
import { addNote, noteKinds, removeNote, type UserNote } from "#moderation/desk/notes.js";
import { getModeratedUser } from "#moderation/desk/people-read.js";
import { write } from "#platform/changes/write.js";
import type { Route } from "#platform/http/endpoint.js";
import { Id, Ref, Text } from "#platform/http/schemas.js";
import { parse } from "#platform/http/validation.js";
import { attempt, formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { memberFormRoute } from "#web/frame/page.js";
import { forModerators } from "#web/shared/staff-access.js";
import { loadPerson, pathOf, personPage } from "./person.route.js";

const NoteInput = Type.Object({ kind: Type.Enum([...noteKinds]), body: Text("userNote") });
const errors = ["userNotFound", "notFound", "othersMessage"] as const;

export const personNoteRoutes: Route[] = [
  memberFormRoute(
    {
      id: "submitUserNote",
      once: true,
      path: "/moderation/user/:name/notes",
      access: forModerators,
      summary: "Add a note about a user",
      params: Type.Object({ name: Ref("Username or id") }),
      body: formFields("kind", "body"),
      errors,
    },
    async ({ viewer, actor, params: { name }, body, reply }, resources) => {
      const view = await loadPerson(resources, viewer, name);
      const typed = { kind: body.kind ?? "note", body: body.body?.replaceAll("\r\n", "\n").trim() ?? "" };
      const problems = await attempt(async () => {
        const input = parse<Pick<UserNote, "kind" | "body">>("body", NoteInput, typed, "body");
        await write(resources, actor, (tx) => addNote(tx, viewer.user.id, view.person.user.id, input));
      });
      return problems ? personPage(view, { ...typed, problems }) : seeOther(reply, `${pathOf(name)}#notes`);
    },
  ),

  memberFormRoute(
    {
      id: "submitUserNoteRemoval",
      path: "/moderation/user/:name/notes/:noteId/remove",
      access: forModerators,
      summary: "Remove a note about a user",
      params: Type.Object({ name: Ref("Username or id"), noteId: Id }),
      errors,
    },
    async ({ viewer, actor, params: { name, noteId }, reply }, resources) => {
      const { user } = await getModeratedUser(resources.db, name, resources.config.http.cdnUrl);
      await write(resources, actor, (tx) => removeNote(tx, viewer, user.id, noteId));
      return seeOther(reply, `${pathOf(name)}#notes`);
    },
  ),
];
