// The taxonomy as text, and the forms to change it.

import type { TaxonomyDocument } from "#content/taxonomy/document.js";
import { presetNames } from "#content/taxonomy/presets.js";
import type { Problem } from "#content/taxonomy/yaml-source.js";
import type { Children } from "#lib/jsx-runtime.js";
import type { FormProblems } from "#web/context/form.js";
import { useFormat } from "#web/context/frame.js";
import { SentenceText } from "#web/context/sentence-text.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { FormCard } from "#web/parts/form-card.js";
import { FileField, SelectField } from "#web/parts/input-fields.js";
import { Notice } from "#web/parts/notice.js";
import { TextField } from "#web/parts/text-field.js";
import { texts } from "#words/texts.js";
import { TaxonomyEntries, type Typed } from "./taxonomy-entries.js";

interface Props {
  document: TaxonomyDocument;
  text: string;
  problems?: readonly Problem[] | undefined;
  /** A form for a new entry that was refused. */
  typed?: Typed | undefined;
  /** An import that was refused. */
  imported?: { url: string; problems: FormProblems } | undefined;
  lockedBy: string | undefined;
}

export const TaxonomyView = ({ document, text, problems, typed, imported, lockedBy }: Props) => {
  const t = useTexts(texts.admin.taxonomy);
  const { colon } = useTexts(texts.parts.common);
  const { licenses } = document;
  return (
    <>
      {lockedBy === undefined && <TaxonomyEntries document={document} typed={typed} />}
      <dl class="facts">
        {lockedBy !== undefined && (
          <>
            <Words name={t.lists.projectTypes} words={document.projectTypes.map(({ name }) => name)} />
            <Words name={t.lists.loaders} words={document.loaders.map(({ name }) => name)} />
            <Words name={t.lists.gameVersions} words={document.gameVersions.map(({ value }) => value)} />
            <Words name={t.lists.categories} words={document.categories.map(({ name }) => name)} />
          </>
        )}
        <Words
          name={t.lists.licenses}
          words={[...(licenses.spdx ? [t.spdx] : []), ...licenses.additional.map(({ name }) => name)]}
        />
      </dl>
      <p>
        {t.download}
        {colon}
        <a href="/admin/taxonomy/taxonomy.yaml">YAML</a>, <a href="/admin/taxonomy/taxonomy.json">JSON</a>
      </p>
      {lockedBy === undefined ? (
        <>
          <h2>{t.import}</h2>
          <ImportForm imported={imported} />
          <h2>{t.change}</h2>
          <ChangeForm text={text} problems={problems} />
        </>
      ) : (
        <Notice title={t.locked(lockedBy)} />
      )}
    </>
  );
};

const Words = ({ name, words }: { name: string; words: readonly string[] }): Children => {
  const t = useTexts(texts.admin.taxonomy);
  const format = useFormat();
  return (
    <>
      <dt>{name}</dt>
      <dd>{format.series(words) || t.none}</dd>
    </>
  );
};

const ImportForm = ({ imported }: Pick<Props, "imported">) => {
  const t = useTexts(texts.admin.taxonomy);
  const { presets } = useTexts(texts.setup.steps);
  const problems = imported?.problems;
  return (
    <FormCard
      action="/admin/taxonomy/import"
      button={t.preview}
      labels={{ url: t.url, file: t.file }}
      problems={problems}
      hasFiles
    >
      <SelectField
        name="preset"
        label={t.preset}
        options={[{ value: "", text: t.none }, ...presetNames.map((name) => ({ value: name, text: presets[name] }))]}
      />
      <TextField name="url" verbatim label={t.url} hint={t.urlHint} value={imported?.url} problems={problems} />
      <FileField name="file" label={t.file} hint={t.fileHint} accept=".yaml,.yml,.json" problems={problems} />
    </FormCard>
  );
};

const ChangeForm = ({ text, problems }: Pick<Props, "text" | "problems">) => {
  const t = useTexts(texts.admin.taxonomy);
  return (
    <>
      {problems && (
        <Notice kind="problem" title={t.wrong}>
          <ul id="document-wrong">
            {problems.map(({ line, column, message }) => (
              <li key={`${line}-${column}-${message}`}>
                <a href="#document">{t.place(line, column)}</a>: <SentenceText said={message} />
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <Form class="form card" action="/admin/taxonomy">
        <div class="field">
          <label for="document">{t.document}</label>
          <span class="hint" id="document-hint">
            {t.hint}
          </span>
          <textarea
            class="code-field"
            id="document"
            name="document"
            rows={24}
            spellcheck={false}
            required
            value={text}
            aria-invalid={problems ? true : undefined}
            aria-describedby={problems ? "document-hint document-wrong" : "document-hint"}
          />
        </div>
        <Button>{t.preview}</Button>
      </Form>
    </>
  );
};
