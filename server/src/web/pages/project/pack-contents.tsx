// The contents of a pack on the page of its version: the projects of this site with their updates, files from elsewhere, and
// the pack's own files.
import type { Contained } from "#content/packs/read.js";
import type { PackSummary } from "#lib/pack-summary.js";
import { useFormat } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Icon } from "#web/parts/icon.js";
import { Pagination } from "#web/parts/pagination.js";
import { Picture } from "#web/parts/picture.js";
import { iconOf } from "#web/parts/project-card.js";
import { versionPath } from "#web/shared/version-paths.js";
import { texts } from "#words/texts.js";

export interface ShownContents {
  pack: PackSummary;
  files: readonly Contained[];
  page: number;
  pages: number;
  /** The path of the version's page. */
  path: string;
}

export const filesPerPage = 50;

export const PackContents = ({ pack, files, page, pages, path }: ShownContents) => {
  const t = useTexts(texts.project.version).contents;
  const format = useFormat();
  const { own } = pack;
  const hrefOf = (wanted: number) => `${path}${wanted === 1 ? "" : `?page=${wanted}`}#contents`;
  return (
    <section class="stack pack" id="contents">
      <h2>
        {t.title} <span class="muted">{format.number(pack.files)}</span>
      </h2>
      {files.length > 0 && (
        <ul class="plain-list pack-files">
          {files.map((each) => (
            <li key={each.file.path}>{each.project ? <Known {...each} /> : <Unknown {...each} />}</li>
          ))}
        </ul>
      )}
      <Pagination page={page} pages={pages} hrefOf={hrefOf} />
      {own.files > 0 && (
        <p class="muted">
          {t.own(format.number(own.files), format.bytes(own.bytes))}{" "}
          {format.series(own.folders.map(({ name, files }) => t.folder(name, format.number(files))))}
        </p>
      )}
    </section>
  );
};

const Known = ({ file, project, version, update }: Contained) => {
  const t = useTexts(texts.project.version).contents;
  if (!project || !version) return null;
  const { name, slug } = project.project;
  return (
    <>
      <Picture src={iconOf(project.listItem.value)} size={40} />
      <div class="pack-file">
        <p>
          <a href={projectPath(slug)} dir="auto">
            <b>{name}</b>
          </a>{" "}
          <a class="small" href={versionPath(slug, version.slug)}>
            {version.versionNumber}
          </a>
        </p>
        <p class="muted small">
          <Side file={file} />
        </p>
      </div>
      {update && (
        <a class="pill pack-update" href={versionPath(slug, update.slug)}>
          {t.update(update.versionNumber)}
        </a>
      )}
    </>
  );
};

const Unknown = ({ file }: Contained) => {
  const t = useTexts(texts.project.version).contents;
  return (
    <>
      <span class="pack-blank" aria-hidden="true">
        <Icon name="download" />
      </span>
      <div class="pack-file">
        <p dir="auto">{file.path.slice(file.path.lastIndexOf("/") + 1)}</p>
        <p class="muted small">
          <Side file={file} /> · {file.is_inside === 1 ? t.inside : file.host === null ? t.notHere : t.from(file.host)}
        </p>
      </div>
    </>
  );
};

/** Where the file is needed, and whether it can be left out. */
const Side = ({ file: { client, server } }: Pick<Contained, "file">) => {
  const t = useTexts(texts.project.version).contents;
  const side = client === "unsupported" ? "server" : server === "unsupported" ? "client" : "both";
  const isOptional = (side === "server" ? server : client) === "optional";
  return <>{isOptional ? t.optional(t.sides[side]) : t.sides[side]}</>;
};
