// Files with both hashes, to look at and to copy.

import type { File } from "#content/shapes/version.js";
import { useFormat } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { ButtonLink } from "#web/parts/button.js";
import { CopyButton } from "#web/parts/copy-button.js";
import { Icon } from "#web/parts/icon.js";
import { texts } from "#words/texts.js";

const lettersShown = 16;

export const FileRows = ({ files }: { files: readonly File[] }) => {
  const t = useTexts(texts.project.version);
  const [first] = files;
  return (
    <>
      <ul class="plain-list files">
        {files.map((file) => (
          <FileRow key={file.id} file={file} />
        ))}
      </ul>
      {first && (
        <p class="small muted">
          {t.verify} <code>sha512sum {first.name}</code>
        </p>
      )}
    </>
  );
};

const FileRow = ({ file }: { file: File }) => {
  const t = useTexts(texts.project.version);
  const format = useFormat();
  return (
    <li class="card version-file">
      <div class="file-head">
        <b dir="auto">{file.name}</b>
        {file.isPrimary && <span class="pill">{t.primary}</span>}
        <span class="muted small" title={t.bytes(format.number(file.size))}>
          {format.bytes(file.size)}
        </span>
        <ButtonLink kind="quiet" small href={file.url} aria-label={t.downloadOf(file.name)}>
          <Icon name="download" /> {t.download}
        </ButtonLink>
      </div>
      <Hash name="SHA-512" value={file.sha512_hash} />
      <Hash name="SHA-1" value={file.sha1_hash} />
    </li>
  );
};

const Hash = ({ name, value }: { name: string; value: string }) => {
  const t = useTexts(texts.project.version);
  return (
    <div class="file-hash">
      <details>
        <summary>
          <span class="muted">{name}</span> <code>{value.slice(0, lettersShown)}…</code>
        </summary>
        <code class="file-hash-whole">{value}</code>
      </details>
      <CopyButton text={value} label={t.copyHash(name)} />
    </div>
  );
};
