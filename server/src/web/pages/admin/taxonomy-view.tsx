// The taxonomy in words, and the document to change it with.
import type { ComponentChildren } from "preact";
import type { TaxonomyDocument } from "#content/taxonomy/document.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { Notice } from "#web/parts/notice.js";
import { defineTexts, useTexts } from "#web/texts.js";

const texts = defineTexts({
  en: {
    types: "Project types",
    loaders: "Loaders",
    gameVersions: "Game versions",
    categories: "Categories",
    licences: "Licences",
    spdx: "All of the SPDX list",
    none: "none",
    download: "Download as a file",
    change: "Change",
    hint: "YAML or JSON. What projects use already should stay in it.",
    document: "Document",
    file: "Load a file into the field",
    save: "Put it in force",
    locked: (file: string) => `It comes from the file ${file}; change that, and restart the server`,
    wrong: "The document cannot be used; the old one is still in force",
    place: (line: number, column: number) => `Line ${line}, column ${column}`,
  },
  de: {
    types: "Arten von Projekten",
    loaders: "Loader",
    gameVersions: "Spielversionen",
    categories: "Kategorien",
    licences: "Lizenzen",
    spdx: "Alle der SPDX-Liste",
    none: "keine",
    download: "Als Datei herunterladen",
    change: "Ändern",
    hint: "YAML oder JSON. Was Projekte schon verwenden, sollte darin bleiben.",
    document: "Dokument",
    file: "Eine Datei in das Feld laden",
    save: "In Kraft setzen",
    locked: (file) => `Sie kommt aus der Datei ${file}; ändere die und starte den Server neu`,
    wrong: "Das Dokument lässt sich nicht verwenden; das alte gilt weiter",
    place: (line, column) => `Zeile ${line}, Spalte ${column}`,
  },
});

interface Props {
  document: TaxonomyDocument;
  text: string;
  problems?: readonly { line: number; column: number; message: string }[];
  lockedBy: string | undefined;
}

export const TaxonomyView = ({ document, text, problems, lockedBy }: Props) => {
  const t = useTexts(texts);
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
      <h2>{t.change}</h2>
      {lockedBy === undefined ? <ChangeForm text={text} problems={problems} /> : <Notice title={t.locked(lockedBy)} />}
    </>
  );
};

const Words = ({ name, words }: { name: string; words: readonly string[] }): ComponentChildren => {
  const t = useTexts(texts);
  return (
    <>
      <dt>{name}</dt>
      <dd>{words.join(", ") || t.none}</dd>
    </>
  );
};

const ChangeForm = ({ text, problems }: Pick<Props, "text" | "problems">) => {
  const t = useTexts(texts);
  return (
    <>
      {problems && (
        <Notice kind="problem" title={t.wrong}>
          <ul id="document-wrong">
            {problems.map(({ line, column, message }) => (
              <li key={`${line}-${column}-${message}`}>
                <a href="#document">{t.place(line, column)}</a>: <span dir="auto">{message}</span>
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
