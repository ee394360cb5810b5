// Storage use, and the projects that use most of it.
import type { StorageUse } from "#discovery/statistics/contract.js";
import type { LargeProject } from "#operations/administration/storage-read.js";
import { useFormat } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";

export const Storage = ({ use, largest }: { use: StorageUse; largest: readonly LargeProject[] }) => {
  const t = useTexts(texts.admin.overview);
  const { project } = useTexts(texts.moderation.file);
  const format = useFormat();
  const { breakdown } = use;
  const figures = { total: use.totalUsed, ...breakdown };
  return (
    <>
      <h2>{t.storageUse}</h2>
      <dl class="desk-figures">
        {(Object.keys(t.kinds) as (keyof typeof figures)[]).map((kind) => (
          <div key={kind}>
            <dt>{t.kinds[kind]}</dt>
            <dd>{format.bytes(figures[kind])}</dd>
          </div>
        ))}
      </dl>
      <h2>{t.largest}</h2>
      {largest.length === 0 ? (
        <p class="muted">{t.noProjects}</p>
      ) : (
        <div class="desk-table">
          <table>
            <thead>
              <tr>
                <th>{project}</th>
                <th>{t.files}</th>
                <th>{t.bytes}</th>
              </tr>
            </thead>
            <tbody>
              {largest.map(({ id, slug, name, files, bytes }) => (
                <tr key={id}>
                  <td>
                    <a href={projectPath(slug)} dir="auto">
                      {name}
                    </a>
                  </td>
                  <td data-label={t.files}>{format.number(files)}</td>
                  <td data-label={t.bytes}>{format.bytes(bytes)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
};
