// The view of the form for a new project: a file first, then the few required fields.

import type { Organization } from "#content/organizations/shapes.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import type { Upload } from "#content/uploads/contract.js";
import { lengths } from "#lib/lengths.js";
import type { FormProblems } from "#web/context/form.js";
import { useFrame } from "#web/context/frame.js";
import { useTypes } from "#web/context/project-types.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Choices } from "#web/parts/choices.js";
import { Form } from "#web/parts/form.js";
import { SelectField, TextAreaField } from "#web/parts/input-fields.js";
import { LicenseSelect } from "#web/parts/license-select.js";
import { Notice } from "#web/parts/notice.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";
import { TextField } from "#web/parts/text-field.js";
import { texts } from "#words/texts.js";
import { UploadField } from "./upload-field.js";

export interface ProjectForm {
  name: string;
  slug: string;
  summary: string;
  types: readonly string[];
  license: string;
  visibility: string;
  /** The id of an organization; empty for the user themselves. */
  owner: string;
}

interface Props {
  values: ProjectForm;
  upload?: Upload | undefined;
  problems?: FormProblems | undefined;
  fileProblems?: FormProblems | undefined;
  free?: readonly string[] | undefined;
  taxonomy: Taxonomy;
  orgs: readonly Organization[];
  userName: string;
  maxBytes: number;
  /** The maximum number of projects, if the user has reached it. */
  most: number | undefined;
}

export const NewProject = (props: Props) => {
  const t = useTexts(texts.publish.newProject);
  const { upload, problems, fileProblems, taxonomy, maxBytes } = props;
  const types = [...new Set(taxonomy.projectTypes.flatMap((type) => taxonomy.primaryFileTypes([type])))];
  return (
    <div class="stack loose author-page">
      <div class="stack">
        <h1>{t.title}</h1>
        <p class="lead">{t.lead}</p>
      </div>
      {props.most !== undefined && (
        <Notice kind="warning" title={t.full(props.most)}>
          <p>
            {t.fullText} <a href="/about">{t.fullLink}</a>
          </p>
        </Notice>
      )}
      {problems && <ProblemSummary problems={problems} labels={t.labels} />}
      {fileProblems && <ProblemSummary problems={fileProblems} labels={{ primaryFile: t.file }} />}
      {upload ? (
        <Notice title={t.fromFile(upload.name)}>
          {upload.file?.problem && <p class="wrong">{upload.file.problem}</p>}
        </Notice>
      ) : (
        <Form class="form card" action="/new/file" hasFiles>
          <h2>{t.fileTitle}</h2>
          <p>{t.fileText}</p>
          <UploadField
            name="primaryFile"
            uploadName="upload"
            label={t.file}
            types={types}
            maxBytes={maxBytes}
            isRequired
            goesTo="/new?upload="
            problems={fileProblems}
          />
          <Button kind="quiet" class="no-script">
            {t.readFile}
          </Button>
        </Form>
      )}
      <ByHand {...props} />
    </div>
  );
};

const ByHand = ({ values, upload, problems, free = [], taxonomy, orgs, userName }: Props) => {
  const t = useTexts(texts.publish.newProject);
  const { found } = useTexts(texts.projectSettings.license);
  const { siteUrl } = useFrame();
  const { typeName } = useTypes();
  const visibilities = ["listed", "unlisted", "private"] as const;
  return (
    <Form class="form card" action="/new" data-new-project={t.taken}>
      {/* The first button of a form is the one that the Enter key presses. */}
      <Button class="visually-hidden" tabindex={-1} aria-hidden="true">
        {t.create}
      </Button>
      <h2>{upload ? t.checkTitle : t.handTitle}</h2>
      {upload && <input type="hidden" name="upload" value={upload.id} />}
      <TextField
        name="name"
        label={t.labels.name}
        value={values.name}
        required
        lengths={lengths.projectName}
        problems={problems}
      />
      <TextField
        name="slug"
        label={t.labels.slug}
        hint={t.slugHint(siteUrl.replace(/^https?:\/\//, ""))}
        value={values.slug}
        required
        lengths={lengths.slug}
        problems={problems}
      />
      {free.length > 0 && (
        <p class="actions">
          <span class="hint">{t.free}</span>
          {free.map((slug) => (
            <Button key={slug} kind="quiet" small name="freeSlug" value={slug}>
              {slug}
            </Button>
          ))}
        </p>
      )}
      <TextAreaField
        name="summary"
        label={t.labels.summary}
        hint={t.summaryHint}
        rows={2}
        required
        lengths={lengths.projectSummary}
        value={values.summary}
        problems={problems}
      />
      <Choices
        name="type"
        legend={t.labels.type}
        hint={t.typeHint}
        options={taxonomy.projectTypes.map((type) => ({ value: type, text: typeName(type) }))}
        chosen={values.types}
        problems={problems}
      />
      <LicenseSelect
        taxonomy={taxonomy}
        name="license"
        value={values.license}
        hint={upload?.file?.license ? found(upload.file.license) : undefined}
        isShort
        problems={problems}
      />
      <div class="side-by-side">
        <SelectField
          name="visibility"
          label={t.labels.visibility}
          value={values.visibility}
          options={visibilities.map((one) => ({ value: one, text: t.visibilities[one] }))}
          problems={problems}
        />
        {orgs.length > 0 && (
          <SelectField
            name="owner"
            label={t.labels.owner}
            value={values.owner}
            options={[{ value: "", text: t.me(userName) }, ...orgs.map(({ id, name }) => ({ value: id, text: name }))]}
            problems={problems}
          />
        )}
      </div>
      <Button>{t.create}</Button>
    </Form>
  );
};
