// What is new in a project that was decided about before: its author's answers, and what differs from what was seen then.
import { Fragment } from "preact";
import { isUnchanged, type SnapshotChanges } from "#content/submissions/snapshot-changes.js";
import type { Since } from "#moderation/desk/since.js";
import { Time } from "#web/parts/time.js";
import { defineTexts, useTexts } from "#web/texts.js";
import { checkTexts } from "./checks.js";

const texts = defineTexts({
  en: {
    title: "Changed since the last decision",
    nothing: "Nothing has changed.",
    answers: "What the author says",
    done: "done",
    open: "not done",
    fields: {
      name: "Name",
      slug: "Address",
      summary: "Summary",
      types: "Types",
      categories: "Categories",
      sides: "Client / server",
      licence: "Licence",
      issueTracker: "Issue tracker",
      source: "Source",
      wiki: "Wiki",
      discord: "Chat",
      donations: "Donations",
      icon: "Icon",
    },
    description: "Description",
    pictures: "Pictures",
    files: "Files",
    none: "none",
    added: "new",
    removed: "gone",
  },
  de: {
    title: "Seit der letzten Entscheidung geändert",
    nothing: "Nichts hat sich geändert.",
    answers: "Was dazu gesagt wird",
    done: "erledigt",
    open: "nicht erledigt",
    fields: {
      name: "Name",
      slug: "Adresse",
      summary: "Zusammenfassung",
      types: "Arten",
      categories: "Kategorien",
      sides: "Client / Server",
      licence: "Lizenz",
      issueTracker: "Fehlerverfolgung",
      source: "Quelltext",
      wiki: "Wiki",
      discord: "Chat",
      donations: "Spenden",
      icon: "Icon",
    },
    description: "Beschreibung",
    pictures: "Bilder",
    files: "Dateien",
    none: "keine",
    added: "neu",
    removed: "weg",
  },
});

export const SinceView = ({ since }: { since: Since }) => {
  const t = useTexts(texts);
  const { titles } = useTexts(checkTexts);
  const { changes, answers, dateDecided } = since;
  return (
    <section class="card stack since" id="since" aria-label={t.title}>
      <h2>
        {t.title}{" "}
        <span class="muted small">
          <Time at={dateDecided} />
        </span>
      </h2>
      {answers.length > 0 && (
        <>
          <h3>{t.answers}</h3>
          <ul class="plain">
            {answers.map(({ problem, isDone, note }) => (
              <li key={problem}>
                <span class={isDone ? "pill release" : "pill beta"}>
                  {isDone ? "✓" : "○"} {isDone ? t.done : t.open}
                </span>{" "}
                {(titles as Record<string, string>)[problem] ?? problem}
                {note !== "" && (
                  <p class="said" dir="auto">
                    {note}
                  </p>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {isUnchanged(changes) ? <p class="muted">{t.nothing}</p> : <Changes changes={changes} />}
    </section>
  );
};

const Changes = ({ changes }: { changes: SnapshotChanges }) => {
  const t = useTexts(texts);
  const { fields, description, addedPictures, removedPictures, addedFiles, removedFiles } = changes;
  const nameOf = ({ version, name, sha512 }: SnapshotChanges["addedFiles"][number]) =>
    `${version}: ${name} (${sha512.slice(0, 12)}…)`;
  return (
    <dl class="facts">
      {fields.map(({ field, before, after }) => (
        <Fragment key={field}>
          <dt>{t.fields[field]}</dt>
          <dd class="whole">
            {before !== "" && <del dir="auto">{before}</del>} {after === "" ? t.none : <ins dir="auto">{after}</ins>}
          </dd>
        </Fragment>
      ))}
      {description.length > 0 && (
        <>
          <dt>{t.description}</dt>
          <dd class="said">
            {description.map(({ kind, text }, at) => (
              <div key={`${at}`} dir="auto">
                {kind === "same" && <span class="muted">{text || " "}</span>}
                {kind === "added" && <ins>+ {text}</ins>}
                {kind === "removed" && <del>− {text}</del>}
              </div>
            ))}
          </dd>
        </>
      )}
      <Things title={t.pictures} added={addedPictures} removed={removedPictures} />
      <Things title={t.files} added={addedFiles.map(nameOf)} removed={removedFiles.map(nameOf)} />
    </dl>
  );
};

const Things = ({ title, added, removed }: { title: string; added: readonly string[]; removed: readonly string[] }) => {
  const t = useTexts(texts);
  if (added.length + removed.length === 0) return null;
  return (
    <>
      <dt>{title}</dt>
      <dd class="whole">
        {added.map((name) => (
          <div key={name}>
            <ins dir="auto">{name}</ins> <span class="muted small">{t.added}</span>
          </div>
        ))}
        {removed.map((name) => (
          <div key={name}>
            <del dir="auto">{name}</del> <span class="muted small">{t.removed}</span>
          </div>
        ))}
      </dd>
    </>
  );
};
