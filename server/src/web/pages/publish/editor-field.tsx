// A field for markdown: a plain text area, to which a script (scripts/editor.ts) adds buttons, a preview and a draft.
import type { FormProblems } from "#web/form.js";
import { defineTexts, useTexts } from "#web/texts.js";

const texts = defineTexts({
  en: {
    help: "Markdown: **bold**, *italic*, # heading, - list, [link](https://…), ```code```.",
    scratch: "Try it out",
    words: {
      toolbar: "Formatting",
      write: "Write",
      preview: "Preview",
      bold: "Bold",
      italic: "Italic",
      heading: "Heading",
      link: "Link",
      list: "List",
      quote: "Quote",
      code: "Code",
      table: "Table",
      details: "Folded text",
      picture: "Picture",
      loading: "Rendering…",
      empty: "Nothing to show yet.",
      failed: "The preview is not available just now.",
      signIn: "Sign in to see a preview.",
      uploading: "Adding the picture…",
      pictureFailed: "The picture could not be added:",
      restored: "Your unsaved text is back.",
      discard: "Discard it",
      restore: "Restore it",
      offered: "There is unsaved text from before.",
    },
  },
  de: {
    help: "Markdown: **fett**, *kursiv*, # Überschrift, - Liste, [Verweis](https://…), ```Code```.",
    scratch: "Ausprobieren",
    words: {
      toolbar: "Gestaltung",
      write: "Schreiben",
      preview: "Vorschau",
      bold: "Fett",
      italic: "Kursiv",
      heading: "Überschrift",
      link: "Verweis",
      list: "Liste",
      quote: "Zitat",
      code: "Code",
      table: "Tabelle",
      details: "Eingeklappter Text",
      picture: "Bild",
      loading: "Wird dargestellt…",
      empty: "Noch nichts zu zeigen.",
      failed: "Die Vorschau geht gerade nicht.",
      signIn: "Melde dich an, um eine Vorschau zu sehen.",
      uploading: "Das Bild wird hinzugefügt…",
      pictureFailed: "Das Bild konnte nicht hinzugefügt werden:",
      restored: "Dein ungespeicherter Text ist wieder da.",
      discard: "Verwerfen",
      restore: "Wiederherstellen",
      offered: "Es gibt noch ungespeicherten Text.",
    },
  },
});

interface Props {
  name: string;
  label: string;
  hint?: string;
  value: string;
  rows?: number;
  lengths: readonly [number, number];
  required?: boolean;
  /** The project whose gallery takes pictures that are pasted; absent where the visitor may not add any. */
  picturesOf?: string | undefined;
  problems?: FormProblems | undefined;
}

export const EditorField = ({
  name,
  label,
  hint,
  value,
  rows = 16,
  lengths,
  required,
  picturesOf,
  problems,
}: Props) => {
  const t = useTexts(texts);
  const wrong = problems?.fields[name];
  return (
    <div
      class="field editor"
      data-editor={JSON.stringify(t.words)}
      data-pictures={picturesOf === undefined ? undefined : `/api/project/${picturesOf}/gallery`}
    >
      <label for={name}>{label}</label>
      <span class="hint" id={`${name}-hint`}>
        {hint && `${hint} `}
        {t.help} <a href="/tools/markdown">{t.scratch}</a>
      </span>
      <textarea
        id={name}
        name={name}
        rows={rows}
        required={required}
        minLength={lengths[0] || undefined}
        maxLength={lengths[1]}
        value={value}
        dir="auto"
        aria-invalid={wrong ? true : undefined}
        aria-describedby={wrong ? `${name}-hint ${name}-wrong` : `${name}-hint`}
      />
      {wrong && (
        <span class="wrong" id={`${name}-wrong`}>
          {wrong}
        </span>
      )}
    </div>
  );
};
