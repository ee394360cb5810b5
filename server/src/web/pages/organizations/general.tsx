// The forms to create and change an organization.

import { lengths } from "#lib/lengths.js";
import type { FormProblems } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { ButtonLink } from "#web/parts/button.js";
import { ConflictNotice, StampField, stampOf } from "#web/parts/conflict.js";
import { FormCard } from "#web/parts/form-card.js";
import { IconFields } from "#web/parts/icon-fields.js";
import { TextAreaField } from "#web/parts/input-fields.js";
import { Picture } from "#web/parts/picture.js";
import { TextField } from "#web/parts/text-field.js";
import { texts } from "#words/texts.js";
import { type Managed, Missing, OrgFrame } from "./settings-frame.js";

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
  const { name, slug, description, icon } = useTexts(texts.organizations.settings);
  return { name, slug, description, icon };
};

type Lengths = (typeof lengths)["newOrgDescription" | "editedOrgDescription"];

const Fields = ({ given, problems, descriptionLengths }: Props & { descriptionLengths: Lengths }) => {
  const t = useTexts(texts.organizations.settings);
  return (
    <>
      <TextField
        name="name"
        required
        label={t.name}
        hint={t.nameHint}
        lengths={lengths.orgName}
        value={given.name}
        problems={problems}
      />
      <TextField
        name="slug"
        required
        verbatim
        label={t.slug}
        hint={t.slugHint}
        lengths={lengths.slug}
        value={given.slug}
        problems={problems}
      />
      <TextAreaField
        name="description"
        label={t.description}
        rows={3}
        lengths={descriptionLengths}
        value={given.description}
        problems={problems}
      />
    </>
  );
};

export const NewOrgForm = (props: Props) => {
  const t = useTexts(texts.organizations.settings);
  return (
    <div class="stack narrow">
      <h1>{t.newTitle}</h1>
      <p class="lead">{t.newLead}</p>
      <FormCard action="/organizations/new" button={t.create} problems={props.problems} labels={useLabels()}>
        <Fields {...props} descriptionLengths={lengths.newOrgDescription} />
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
  const t = useTexts(texts.organizations.settings);
  const common = useTexts(texts.parts.common);
  const { org, rights, path } = managed;
  const labels = useLabels();
  return (
    <OrgFrame managed={managed} section="general">
      {isConflict && <ConflictNotice saved={savedOf(managed)} typed={{ ...given }} labels={labels} />}
      {rights.permissions.has("edit_details") ? (
        <FormCard action={path} button={common.save} problems={problems} labels={labels} hasFiles>
          <StampField stamp={stampOf(savedOf(managed))} />
          <Fields given={given} problems={problems} descriptionLengths={lengths.editedOrgDescription} />
          <Picture src={org.icon} size={64} />
          <IconFields words={t} problems={problems} hasIcon />
        </FormCard>
      ) : (
        <Missing managed={managed} permission="edit_details" />
      )}
      {rights.permissions.has("delete_organization") && (
        <section class="card stack danger-zone">
          <h2>{t.danger}</h2>
          <p>{t.dangerText}</p>
          <p>
            <ButtonLink kind="danger" href={`${path}/delete`}>
              {t.delete}
            </ButtonLink>
          </p>
        </section>
      )}
    </OrgFrame>
  );
};
