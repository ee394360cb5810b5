// What this server keeps in memory, and how much of it.
import type { CacheFigures, CacheName } from "#platform/changes/keep.js";
import { useFormat } from "#web/frame.js";
import { defineTexts, useTexts } from "#web/texts.js";

const names = {
  checksums: "Checksums of files in archives",
  guestPages: "Pages for guests without settings",
  lookUps: "Look-ups that were asked before",
  outcomes: "Outcomes of dependency searches",
  pages: "Pages for guests",
  plans: "Dependency plans",
  projectTypes: "Project types in use",
  reads: "Addresses of projects and versions",
  siteNotice: "Notice",
  sitemapRanges: "Ranges of sitemaps",
  sitemaps: "Sitemaps",
  storageUse: "Storage in use",
  taxonomy: "Taxonomy",
  watchList: "Denied contents",
} as const satisfies Record<CacheName, string>;

const texts = defineTexts({
  en: {
    title: "Caches of this server",
    name: "Cache",
    bytes: "Size",
    limit: "Limit",
    entries: "Entries",
    hits: "Found",
    misses: "Not found",
    names,
  },
  de: {
    title: "Zwischenspeicher dieses Servers",
    name: "Zwischenspeicher",
    bytes: "Größe",
    limit: "Grenze",
    entries: "Einträge",
    hits: "Gefunden",
    misses: "Nicht gefunden",
    names: {
      checksums: "Prüfsummen von Dateien in Archiven",
      guestPages: "Seiten für Gäste ohne Einstellungen",
      lookUps: "Abfragen, die schon gestellt wurden",
      outcomes: "Ergebnisse der Suche nach Abhängigkeiten",
      pages: "Seiten für Gäste",
      plans: "Pläne von Abhängigkeiten",
      projectTypes: "Verwendete Projektarten",
      reads: "Adressen von Projekten und Versionen",
      siteNotice: "Hinweis",
      sitemapRanges: "Bereiche der Sitemaps",
      sitemaps: "Sitemaps",
      storageUse: "Belegter Speicher",
      taxonomy: "Taxonomie",
      watchList: "Gesperrte Inhalte",
    },
  },
});

export const Caches = ({ caches }: { caches: readonly CacheFigures[] }) => {
  const t = useTexts(texts);
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
