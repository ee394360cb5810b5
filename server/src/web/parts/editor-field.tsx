// A field for markdown: a plain text area, to which a script (scripts/editor.ts) adds buttons, a preview and a draft.

import type { FormProblems } from "#web/context/form.js";
import { useFrame } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";

const playground = "/tools/markdown";

interface Props {
  name: string;
  label: string;
  hint?: string;
  value: string;
  rows?: number;
  lengths: readonly [number, number];
  required?: boolean;
  /** The project whose gallery stores pasted pictures; absent if the user may not add any. */
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
  const t = useTexts(texts.publish.editorField);
  const { path } = useFrame();
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
        {t.help} {path !== playground && <a href={playground}>{t.scratch}</a>}
      </span>
      <textarea
        id={name}
        name={name}
        rows={rows}
        required={required}
        minlength={lengths[0] || undefined}
        maxlength={lengths[1]}
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
