// Notes and strikes of a user, as moderators see them.

import { lengths } from "#lib/lengths.js";
import { noteKinds, type UserNote } from "#moderation/desk/notes.js";
import type { FormProblems } from "#web/context/form.js";
import { useFrame } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { FormCard } from "#web/parts/form-card.js";
import { SelectField, TextAreaField } from "#web/parts/input-fields.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";

export interface TypedNote {
  kind: string;
  body: string;
  problems: FormProblems;
}

interface Props {
  userName: string;
  notes: readonly UserNote[];
  typed?: TypedNote | undefined;
}

export const Notes = ({ userName, notes, typed }: Props) => {
  const t = useTexts(texts.moderation.personNotes);
  const { gone } = useTexts(texts.moderation.desk);
  const { viewer } = useFrame();
  const strikes = notes.filter(({ kind }) => kind === "strike").length;
  const mayRemove = ({ author_id }: UserNote) =>
    viewer.kind !== "anonymous" && (viewer.user.role === "admin" || viewer.user.id === author_id);
  return (
    <section class="stack" id="notes">
      <h2>
        {t.title} {strikes > 0 && <span class="pill alpha">▲ {t.strikes(strikes)}</span>}
      </h2>
      {notes.length === 0 && <p class="muted">{t.none}</p>}
      <ul class="plain-list thread">
        {notes.map((note) => (
          <li key={note.id} class="thread-message thread-private">
            <p class="small">
              <b>{t.kinds[note.kind]}</b> <span dir="auto">{note.authorName ?? gone}</span>{" "}
              <Time at={note.date_created} />
            </p>
            <p class="said-text" dir="auto">
              {note.body}
            </p>
            {mayRemove(note) && (
              <Form action={`/moderation/user/${userName}/notes/${note.id}/remove`}>
                <Button kind="quiet" small>
                  {t.remove}
                </Button>
              </Form>
            )}
          </li>
        ))}
      </ul>
      <FormCard
        action={`/moderation/user/${userName}/notes`}
        button={t.add}
        labels={{ kind: t.kind, body: t.body }}
        problems={typed?.problems}
      >
        <SelectField
          name="kind"
          label={t.kind}
          value={typed?.kind}
          problems={typed?.problems}
          options={noteKinds.map((kind) => ({ value: kind, text: t.kinds[kind] }))}
        />
        <TextAreaField
          name="body"
          label={t.body}
          hint={t.hint}
          rows={3}
          required
          lengths={lengths.userNote}
          value={typed?.body}
          problems={typed?.problems}
        />
      </FormCard>
    </section>
  );
};
