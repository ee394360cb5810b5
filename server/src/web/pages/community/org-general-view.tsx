// The forms with which an organization is made, changed and ended, as they look.
import { lengths } from "../../../lib/lengths.js";
import type { ProjectListItem } from "../../../projects/shapes.js";
import type { FormProblems } from "../../form.js";
import { commonTexts } from "../../parts/common-texts.js";
import { ConfirmForm } from "../../parts/confirm-form.js";
import { ConflictNotice, StampField, stampOf } from "../../parts/conflict.js";
import { Field } from "../../parts/field.js";
import { CheckboxField, FileField, TextAreaField } from "../../parts/input-fields.js";
import { Picture } from "../../parts/picture.js";
import { projectPath } from "../../parts/project-card.js";
import { useTexts } from "../../texts.js";
import { FreshNeeded } from "../account/settings-frame.js";
import { FormCard } from "./form-card.js";
import { type Managed, Missing, OrgFrame } from "./org-frame.js";
import { orgSettingsTexts } from "./org-settings-texts.js";

export interface OrgFields {
  name?: string;
  slug?: string;
  description?: string;
}

interface Props {
  given: OrgFields;
  problems?: FormProblems | undefined;
}

const useLabels = () => {
  const { name, slug, description, icon } = useTexts(orgSettingsTexts);
  return { name, slug, description, icon };
};

const Fields = ({ given, problems }: Props) => {
  const t = useTexts(orgSettingsTexts);
  return (
    <>
      <Field
        name="name"
        label={t.name}
        hint={t.nameHint}
        autoComplete="off"
        lengths={lengths.orgName}
        value={given.name}
        problems={problems}
      />
      <Field
        name="slug"
        label={t.slug}
        hint={t.slugHint}
        autoComplete="off"
        lengths={lengths.slug}
        value={given.slug}
        problems={problems}
      />
      <TextAreaField
        name="description"
        label={t.description}
        rows={3}
        lengths={lengths.orgDescription}
        value={given.description}
        problems={problems}
      />
    </>
  );
};

export const NewOrgForm = (props: Props) => {
  const t = useTexts(orgSettingsTexts);
  return (
    <div class="stack narrow">
      <h1>{t.newTitle}</h1>
      <p class="lead">{t.newLead}</p>
      <FormCard action="/organizations/new" button={t.create} problems={props.problems} labels={useLabels()}>
        <Fields {...props} />
      </FormCard>
    </div>
  );
};

export const savedOf = ({ org: { name, slug, description } }: Managed) => ({ name, slug, description });

interface GeneralProps extends Props {
  managed: Managed;
  isConflict?: boolean;
}

export const GeneralSettings = ({ managed, given, problems, isConflict = false }: GeneralProps) => {
  const t = useTexts(orgSettingsTexts);
  const common = useTexts(commonTexts);
  const { org, standing, path } = managed;
  const labels = useLabels();
  return (
    <OrgFrame managed={managed}>
      {isConflict && <ConflictNotice saved={savedOf(managed)} typed={{ ...given }} labels={labels} />}
      {standing.permissions.has("edit_details") ? (
        <FormCard action={path} button={common.save} problems={problems} labels={labels} hasFiles>
          <StampField stamp={stampOf(savedOf(managed))} />
          <Fields given={given} problems={problems} />
          <Picture src={org.icon} size={64} />
          <FileField
            name="icon"
            label={t.icon}
            hint={t.iconHint}
            accept="image/png,image/jpeg,image/gif,image/webp"
            problems={problems}
          />
          <CheckboxField name="removeIcon" label={t.removeIcon} />
        </FormCard>
      ) : (
        <Missing managed={managed} permission="edit_details" />
      )}
      {standing.permissions.has("delete_organization") && (
        <section class="stack">
          <h2>{t.danger}</h2>
          <p>
            <a class="button danger" href={`${path}/delete`}>
              {t.delete}
            </a>
          </p>
        </section>
      )}
    </OrgFrame>
  );
};

interface DeleteProps {
  managed: Managed;
  isFresh: boolean;
  projects: readonly ProjectListItem[];
  problems?: FormProblems | undefined;
}

export const DeleteOrgForm = ({ managed: { org, owner, path }, projects, isFresh, problems }: DeleteProps) => {
  const t = useTexts(orgSettingsTexts);
  return (
    <div class="stack narrow">
      <h1 dir="auto">{t.deleteTitle(org.name)}</h1>
      <p class="lead">{t.deleteLead}</p>
      {projects.length === 0 ? <p>{t.deleteNone}</p> : <p>{t.deleteProjects(owner.userName)}</p>}
      {projects.length > 0 && (
        <ul class="roll card">
          {projects.map(({ id, slug, name, icon }) => (
            <li key={id}>
              <Picture src={icon} size={24} />
              <a href={projectPath(slug)} dir="auto">
                {name}
              </a>
            </li>
          ))}
        </ul>
      )}
      {isFresh ? (
        <ConfirmForm action={`${path}/delete`} button={t.delete} back={path} word={org.slug} problems={problems} />
      ) : (
        <FreshNeeded next={`${path}/delete`} />
      )}
    </div>
  );
};
