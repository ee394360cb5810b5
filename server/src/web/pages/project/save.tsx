// Saving a project in the user's own collections, existing or new.
import type { Collection } from "#community/collections/shapes.js";
import type { FormProblems } from "#web/context/form.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";
import type { ProjectView } from "#web/shared/project-view.js";
import { texts } from "#words/texts.js";

export interface Given {
  name?: string;
  visibility?: string;
}

interface Props {
  view: ProjectView;
  collections: readonly Collection[];
  isIn(collection: Collection): boolean;
  given?: Given;
  problems?: FormProblems;
}

export const SaveForm = ({ view: { project }, collections, isIn, given = {}, problems }: Props) => {
  const t = useTexts(texts.project.save);
  const wrong = problems?.fields.name;
  return (
    <section class="stack narrow">
      <h2>{t.heading(project.name)}</h2>
      {problems && <ProblemSummary problems={problems} labels={{ name: t.newName }} />}
      <Form class="form card" action={`${projectPath(project.slug)}/save`}>
        {collections.length === 0 ? (
          <p class="muted">{t.none}</p>
        ) : (
          <fieldset class="stack">
            <legend>{t.lead}</legend>
            {collections.map((each) => (
              <label key={each.id} class="check">
                <input type="checkbox" name="in" value={each.id} checked={isIn(each)} />
                <span dir="auto">{each.name}</span> <span class="muted small">{t.projects(each.projects.length)}</span>
              </label>
            ))}
          </fieldset>
        )}
        <div class="field">
          <label for="name">{t.newName}</label>
          <span class="hint" id="name-hint">
            {t.newHint}
          </span>
          <input
            id="name"
            name="name"
            value={given.name}
            maxlength={32}
            dir="auto"
            autocomplete="off"
            aria-invalid={wrong ? true : undefined}
            aria-describedby={wrong ? "name-hint name-wrong" : "name-hint"}
          />
          {wrong && (
            <span class="wrong" id="name-wrong">
              {wrong}
            </span>
          )}
        </div>
        <div class="field">
          <label for="visibility">{t.visibility}</label>
          <select id="visibility" name="visibility">
            {(["private", "unlisted", "public"] as const).map((value) => (
              <option key={value} value={value} selected={value === given.visibility}>
                {t.visibilities[value]}
              </option>
            ))}
          </select>
        </div>
        <Button>{t.save}</Button>
      </Form>
    </section>
  );
};
