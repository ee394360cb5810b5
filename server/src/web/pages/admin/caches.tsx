// The caches of this server and their sizes.
import type { CacheFigures } from "#platform/changes/cache.js";
import { useFormat } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";

export const Caches = ({ caches }: { caches: readonly CacheFigures[] }) => {
  const t = useTexts(texts.admin.caches);
  const format = useFormat();
  return (
    <>
      <h2>{t.title}</h2>
      <div class="desk-table">
        <table>
          <thead>
            <tr>
              <th>{t.name}</th>
              <th>{t.bytes}</th>
              <th>{t.limit}</th>
              <th>{t.entries}</th>
              <th>{t.hits}</th>
              <th>{t.misses}</th>
            </tr>
          </thead>
          <tbody>
            {caches.map(({ name, bytes, limit, entries, hits, misses }) => (
              <tr key={name}>
                <th scope="row">{t.names[name]}</th>
                <td data-label={t.bytes}>{format.bytes(bytes)}</td>
                <td data-label={t.limit}>{format.bytes(limit)}</td>
                <td data-label={t.entries}>{format.number(entries)}</td>
                <td data-label={t.hits}>{format.number(hits)}</td>
                <td data-label={t.misses}>{format.number(misses)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
};
