// The forms with which a collection is made and changed, as they look.

import type { Collection } from "#community/collections/shapes.js";
import type { ProjectListItem } from "#content/shapes/project.js";
import { lengths } from "#lib/lengths.js";
import type { FormProblems } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { FormCard } from "#web/parts/form-card.js";
import { IconFields } from "#web/parts/icon-fields.js";
import { SelectField, TextAreaField } from "#web/parts/input-fields.js";
import { ProjectRoll } from "#web/parts/project-roll.js";
import { TextField } from "#web/parts/text-field.js";
import { texts } from "#words/texts.js";

export interface CollectionFields {
  name?: string;
  description?: string;
  visibility?: string;
}

interface FieldsProps {
  given: CollectionFields;
  problems?: FormProblems | undefined;
}

const Fields = ({ given, problems }: FieldsProps) => {
  const { form } = useTexts(texts.collections.collection);
  return (
    <>
      <TextField
        name="name"
        required
        label={form.name}
        hint={form.nameHint}
        lengths={lengths.collectionName}
        value={given.name}
        problems={problems}
      />
      <TextAreaField
        name="description"
        label={form.description}
        rows={3}
        lengths={lengths.collectionDescription}
        value={given.description}
        problems={problems}
      />
      <SelectField
        name="visibility"
        label={form.visibility}
        value={given.visibility}
        options={(["public", "unlisted", "private"] as const).map((value) => ({
          value,
          text: form.visibilities[value],
        }))}
        problems={problems}
      />
    </>
  );
};

const useLabels = () => {
  const { form } = useTexts(texts.collections.collection);
  return { name: form.name, description: form.description, visibility: form.visibility, icon: form.icon };
};

export const NewCollectionForm = ({ given, problems, project }: FieldsProps & { project: string }) => {
  const { form } = useTexts(texts.collections.collection);
  return (
    <div class="stack narrow">
      <h1>{form.newTitle}</h1>
      <p class="lead">{form.newLead}</p>
      <FormCard action="/collections/new" button={form.create} problems={problems} labels={useLabels()}>
        {project !== "" && <input type="hidden" name="project" value={project} />}
        <Fields given={given} problems={problems} />
      </FormCard>
    </div>
  );
};

interface EditProps extends FieldsProps {
  collection: Collection;
  projects: readonly ProjectListItem[];
  adding?: { project: string; problems: FormProblems };
}

export const EditCollectionForms = ({ collection, projects, given, problems, adding }: EditProps) => {
  const { form } = useTexts(texts.collections.collection);
  const common = useTexts(texts.parts.common);
  const path = `/collection/${collection.id}`;
  return (
    <div class="stack narrow">
      <h1 dir="auto">{form.editTitle(collection.name)}</h1>
      <p>
        <a href={path}>{form.back}</a>
      </p>
      <FormCard action={`${path}/edit`} button={common.save} problems={problems} labels={useLabels()} hasFiles>
        <Fields given={given} problems={problems} />
        <IconFields words={form} hasIcon={collection.icon !== null} problems={problems} />
      </FormCard>
      <div class="stack" data-swap="projects">
        <h2>{form.projects}</h2>
        <FormCard
          done={form.added}
          action={`${path}/projects`}
          button={form.add}
          problems={adding?.problems}
          labels={{ project: form.addLabel }}
        >
          <TextField
            name="project"
            required
            verbatim
            label={form.addLabel}
            hint={form.addHint}
            value={adding?.project}
            problems={adding?.problems}
          />
        </FormCard>
        {projects.length > 0 && (
          <ProjectRoll
            projects={projects}
            act={({ id, name }) => (
              <Form action={`${path}/projects/remove`} done={form.removed(name)}>
                <input type="hidden" name="project" value={id} />
                <Button kind="quiet" small aria-label={`${common.remove}: ${name}`}>
                  {common.remove}
                </Button>
              </Form>
            )}
          />
        )}
      </div>
      <p>
        <ButtonLink kind="danger" href={`${path}/delete`}>
          {form.delete}
        </ButtonLink>
      </p>
    </div>
  );
};
