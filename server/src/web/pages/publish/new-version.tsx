// A new version: the file first, then the fields that were filled in from it, to be checked. One page with one form;
// uploaded files are kept if the form has to be shown again.
import type { Upload } from "#content/uploads/contract.js";
import type { SameVersion } from "#content/versions/read.js";
import type { Resources } from "#platform/http/resources.js";
import type { FormProblems } from "#web/context/form.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { CheckboxField } from "#web/parts/input-fields.js";
import { Notice } from "#web/parts/notice.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { versionPath } from "#web/shared/version-paths.js";
import { texts } from "#words/texts.js";
import type { VersionValues } from "./prefill.js";
import { UploadField } from "./upload-field.js";
import { VersionFields } from "./version-form.js";

export interface Shown {
  values: VersionValues;
  primary: readonly Upload[];
  additional: readonly Upload[];
  /** The version that has the same file already. */
  same?: SameVersion | undefined;
  /** Named dependencies that do not exist. */
  unknown?: ReadonlySet<string> | undefined;
  problems?: FormProblems | undefined;
}

export const Archived = ({ slug }: { slug: string }) => {
  const t = useTexts(texts.publish.versionForm);
  return (
    <EmptyState title={t.archived} action={{ href: `${projectPath(slug)}/settings`, text: t.archivedAction }}>
      <p>{t.archivedText}</p>
    </EmptyState>
  );
};

interface Props extends Shown {
  view: SettingsView;
  limits: Resources["config"]["limits"];
}

export const NewVersion = ({ view, limits, values, primary, additional, same, unknown, problems }: Props) => {
  const t = useTexts(texts.publish.versionForm);
  const { project, taxonomy, permissions } = view;
  const action = `${projectPath(project.slug)}/version/new`;
  return (
    <>
      {problems && <ProblemSummary problems={problems} labels={t.labels} />}
      <Form
        class="form"
        action={action}
        hasFiles
        data-draft={`version-${project.id}`}
        data-draft-once
        data-draft-file="primaryUpload"
        data-draft-kept="changelog"
        data-draft-typed={problems ? "yes" : undefined}
      >
        {/* The first button of a form is the one that the Enter key presses. */}
        <Button class="visually-hidden" tabindex={-1} aria-hidden="true">
          {t.publish}
        </Button>
        <UploadField
          name="primaryFile"
          uploadName="primaryUpload"
          label={t.labels.primaryFile}
          types={taxonomy.primaryFileTypes(project.type)}
          maxBytes={limits.primaryFileBytes}
          isRequired
          uploads={primary}
          without={action}
          problems={problems}
        />
        <div data-from-file="">
          {same && (
            <Notice kind="warning" title={t.same(same.version_number)}>
              <p>
                {t.sameText} <a href={versionPath(project.slug, same.slug)}>{t.sameLink(same.version_number)}</a>
              </p>
              <CheckboxField name="again" label={t.labels.again} problems={problems} />
            </Notice>
          )}
        </div>
        <VersionFields
          isNew
          values={values}
          taxonomy={taxonomy}
          types={project.type}
          picturesOf={permissions.has("edit_details") ? project.slug : undefined}
          unknown={unknown}
          problems={problems}
        />
        {limits.additionalFiles > 0 && (
          <UploadField
            name="additionalFiles"
            uploadName="additionalUploads"
            label={t.labels.additionalFiles}
            hint={t.additionalHint}
            types={anyFile}
            maxBytes={limits.additionalFileBytes}
            isMultiple
            uploads={additional}
            problems={problems}
          />
        )}
        <Button>{t.publish}</Button>
      </Form>
    </>
  );
};

export const anyFile = ["jar", "zip", "mrpack", "7z", "gz", "tar", "png", "jpg", "webp", "gif", "mp4", "webm", "mkv"];
