// Changing a version's details, and adding files. Published files never change.
import type { Version } from "#content/shapes/version.js";
import type { Upload } from "#content/uploads/contract.js";
import type { Resources } from "#platform/http/resources.js";
import type { FormProblems } from "#web/context/form.js";
import { useFormat } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { Notice } from "#web/parts/notice.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";
import { VersionLinks } from "#web/parts/version-links.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { texts } from "#words/texts.js";
import { anyFile } from "./new-version.js";
import type { VersionValues } from "./prefill.js";
import { UploadField } from "./upload-field.js";
import { VersionFields } from "./version-form.js";

export const path = "/project/:ref/version/:version/edit";

export const versionPath = (slug: string, version: Version): string => `${projectPath(slug)}/version/${version.slug}`;

export interface Shown {
  version: Version;
  values: VersionValues;
  uploads: readonly Upload[];
  /** Named dependencies that do not exist. */
  unknown?: ReadonlySet<string> | undefined;
  problems?: FormProblems | undefined;
}

interface Props extends Shown {
  view: SettingsView;
  limits: Resources["config"]["limits"];
}

export const EditVersion = ({ view, limits, version, values, uploads, unknown, problems }: Props) => {
  const t = useTexts(texts.publish.versionForm);
  const format = useFormat();
  const { project, taxonomy, permissions } = view;
  return (
    <>
      {problems && <ProblemSummary problems={problems} labels={t.labels} />}
      <Form
        class="form"
        action={`${versionPath(project.slug, version)}/edit`}
        hasFiles
        data-draft={`version-${version.id}`}
        data-draft-typed={problems ? "yes" : undefined}
      >
        {/* The first button of a form is the one that the Enter key presses. */}
        <Button class="visually-hidden" tabindex={-1} aria-hidden="true">
          {t.save}
        </Button>
        <VersionFields
          values={values}
          taxonomy={taxonomy}
          types={project.type}
          picturesOf={permissions.has("edit_details") ? project.slug : undefined}
          unknown={unknown}
          problems={problems}
        />
        <Notice title={t.files}>
          <ul>
            {version.files.map((file) => (
              <li key={file.id}>
                <span dir="auto">{file.name}</span> <span class="muted">{format.bytes(file.size)}</span>
              </li>
            ))}
          </ul>
          <p class="small">{t.immutable}</p>
        </Notice>
        {limits.additionalFiles > 0 && (
          <UploadField
            name="additionalFiles"
            uploadName="additionalUploads"
            label={t.labels.additionalFiles}
            hint={t.additionalHint}
            types={anyFile}
            maxBytes={limits.additionalFileBytes}
            isMultiple
            uploads={uploads}
            problems={problems}
          />
        )}
        <div class="actions">
          <Button>{t.save}</Button>
          <VersionLinks
            path={versionPath(project.slug, version)}
            isYanked={version.yanked}
            permissions={permissions}
            isEditing
          />
        </div>
      </Form>
    </>
  );
};
