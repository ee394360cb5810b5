// A place for files: a label for a real file input. A script (scripts/uploader.ts) sends what is dropped there in parts; what
// has arrived before stands below it and travels with the form as an id.

import type { Upload } from "#content/uploads/contract.js";
import type { FormProblems } from "#web/context/form.js";
import { useFormat } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { Icon } from "#web/parts/icon.js";
import { texts } from "#words/texts.js";

interface Props {
  /** Of the file input; files sent without script come under it. */
  name: string;
  /** Under which the ids of uploads come. */
  uploadName: string;
  label: string;
  hint?: string;
  /** Endings, without dot. */
  types: readonly string[];
  maxBytes: number;
  isMultiple?: boolean;
  isRequired?: boolean;
  /** What is here already. */
  uploads?: readonly Upload[];
  /** Where the page is that forgets them. */
  without?: string;
  /** Where a script goes once the file is here, with the upload's id at the end. Without it, the form is filled in place. */
  goesTo?: string;
  problems?: FormProblems | undefined;
}

export const UploadField = (props: Props) => {
  const { name, uploadName, label, hint, types, maxBytes, isMultiple = false, isRequired = false } = props;
  const { uploads = [], without, goesTo, problems } = props;
  const t = useTexts(texts.publish.upload);
  const format = useFormat();
  const wrong = problems?.fields[name];
  const endings = types.map((type) => `.${type}`);
  const described = [`${name}-limit`, hint && `${name}-hint`, wrong && `${name}-wrong`].filter(Boolean).join(" ");
  return (
    <div
      class="field uploader"
      data-uploader={JSON.stringify(t.words)}
      data-name={uploadName}
      data-limit={maxBytes}
      data-goes-to={goesTo}
    >
      <span class="field-label" id={`${name}-label`}>
        {label}
      </span>
      {hint && (
        <span class="hint" id={`${name}-hint`}>
          {hint}
        </span>
      )}
      <label class="drop-zone" for={name}>
        <Icon name="upload" />
        <span>
          <strong>{isMultiple ? t.chooseMany : t.choose}</strong> {isMultiple ? t.dropMany : t.drop}
        </span>
        <span class="hint" id={`${name}-limit`}>
          {t.limit(endings.join(", "), format.bytes(maxBytes))}
        </span>
        <input
          type="file"
          id={name}
          name={name}
          accept={endings.join(",")}
          multiple={isMultiple}
          required={isRequired && uploads.length === 0}
          aria-labelledby={`${name}-label`}
          aria-describedby={described}
          aria-invalid={wrong ? true : undefined}
        />
      </label>
      <ul class="upload-list" aria-labelledby={`${name}-label`}>
        {uploads.map((upload) => (
          <Attached key={upload.id} upload={upload} uploadName={uploadName} without={without} />
        ))}
      </ul>
      {wrong && (
        <span class="wrong" id={`${name}-wrong`}>
          {wrong}
        </span>
      )}
      <p class="visually-hidden" aria-live="polite" data-live />
    </div>
  );
};

const Attached = ({
  upload,
  uploadName,
  without,
}: {
  upload: Upload;
  uploadName: string;
  without: string | undefined;
}) => {
  const t = useTexts(texts.publish.upload);
  const format = useFormat();
  const isWhole = upload.offset === upload.size;
  return (
    <li class="upload" data-upload={upload.id}>
      {isWhole && <input type="hidden" name={uploadName} value={upload.id} />}
      <p>
        <strong dir="auto">{upload.name}</strong> <span class="muted">{format.bytes(upload.size)}</span>
      </p>
      {upload.file?.problem ? (
        <p class="wrong">{upload.file.problem}</p>
      ) : (
        <p class="small muted">
          {isWhole ? t.kept : t.unfinished(format.bytes(upload.offset), format.bytes(upload.size))}
        </p>
      )}
      {without && (
        <p>
          <a href={without}>{t.another}</a>
        </p>
      )}
    </li>
  );
};
