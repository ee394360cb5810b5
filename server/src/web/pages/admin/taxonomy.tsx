// The taxonomy as text, and the document to change it.

import type { TaxonomyDocument } from "#content/taxonomy/document.js";
import type { Problem } from "#content/taxonomy/yaml-source.js";
import type { Children } from "#lib/jsx-runtime.js";
import { SentenceText } from "#web/context/sentence-text.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { Notice } from "#web/parts/notice.js";
import type { Said } from "#words/said.js";
import { texts } from "#words/texts.js";
import { TaxonomyEntries } from "./taxonomy-entries.js";

interface Props {
  document: TaxonomyDocument;
  text: string;
  problems?: readonly Problem[];
  /** The problems of an entry that was not added. */
  refused?: readonly Said[];
  lockedBy: string | undefined;
}

export const TaxonomyView = ({ document, text, problems, refused, lockedBy }: Props) => {
  const t = useTexts(texts.admin.taxonomy);
  const { licenses } = document;
  return (
    <>
      <dl class="facts">
        <Words name={t.types} words={document.projectTypes.map(({ name }) => name)} />
        <Words name={t.loaders} words={document.loaders.map(({ name }) => name)} />
        <Words name={t.gameVersions} words={document.gameVersions.map(({ value }) => value)} />
        <Words name={t.categories} words={document.categories.map(({ name }) => name)} />
        <Words
          name={t.licences}
          words={[...(licenses.spdx ? [t.spdx] : []), ...licenses.additional.map(({ id }) => id)]}
        />
      </dl>
      <p>
        {t.download}: <a href="/admin/taxonomy/taxonomy.yaml">YAML</a>, <a href="/admin/taxonomy/taxonomy.json">JSON</a>
      </p>
      {refused && (
        <Notice kind="problem" title={t.notAdded}>
          <ul>
            {refused.map((said) => (
              <li key={String(said)}>
                <SentenceText said={said} />
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {lockedBy === undefined && <TaxonomyEntries document={document} />}
      <h2>{t.change}</h2>
      {lockedBy === undefined ? <ChangeForm text={text} problems={problems} /> : <Notice title={t.locked(lockedBy)} />}
    </>
  );
};

const Words = ({ name, words }: { name: string; words: readonly string[] }): Children => {
  const t = useTexts(texts.admin.taxonomy);
  return (
    <>
      <dt>{name}</dt>
      <dd>{words.join(", ") || t.none}</dd>
    </>
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
        <div class="field needs-script-block">
          <label for="document-file">{t.file}</label>
          <input type="file" id="document-file" accept=".yaml,.yml,.json" data-fills="document" />
        </div>
        <Button>{t.save}</Button>
      </Form>
    </>
  );
};
