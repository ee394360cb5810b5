// The changes in a project since an earlier decision: the author's answers, and the differences.

import { isUnchanged, type SnapshotChanges } from "#content/submissions/snapshot-changes.js";
import { Fragment } from "#lib/jsx-runtime.js";
import type { Since } from "#moderation/desk/since.js";
import { useTexts } from "#web/context/texts.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";

export const SinceView = ({ since }: { since: Since }) => {
  const t = useTexts(texts.moderation.since);
  const { titles } = useTexts(texts.moderation.check);
  const { changes, answers, dateDecided } = since;
  return (
    <section class="card stack since-submission" id="since" aria-label={t.title}>
      <h2>
        {t.title}{" "}
        <span class="muted small">
          <Time at={dateDecided} />
        </span>
      </h2>
      {answers.length > 0 && (
        <>
          <h3>{t.answers}</h3>
          <ul class="plain-list">
            {answers.map(({ problem, isDone, note }) => (
              <li key={problem}>
                <span class={isDone ? "pill release" : "pill beta"}>
                  {isDone ? "✓" : "○"} {isDone ? t.done : t.open}
                </span>{" "}
                {(titles as Record<string, string>)[problem] ?? problem}
                {note !== "" && (
                  <p class="said-text" dir="auto">
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
  const t = useTexts(texts.moderation.since);
  const { fields, description, addedPictures, removedPictures, addedFiles, removedFiles } = changes;
  const nameOf = ({ version, name, sha512 }: SnapshotChanges["addedFiles"][number]) =>
    `${version}: ${name} (${sha512.slice(0, 12)}…)`;
  return (
    <dl class="facts">
      {fields.map(({ field, before, after }) => (
        <Fragment key={field}>
          <dt>{t.fields[field]}</dt>
          <dd class="whole-text">
            {before !== "" && <del dir="auto">{before}</del>} {after === "" ? t.none : <ins dir="auto">{after}</ins>}
          </dd>
        </Fragment>
      ))}
      {description.length > 0 && (
        <>
          <dt>{t.description}</dt>
          <dd class="said-text">
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
  const t = useTexts(texts.moderation.since);
  if (added.length + removed.length === 0) return null;
  return (
    <>
      <dt>{title}</dt>
      <dd class="whole-text">
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
