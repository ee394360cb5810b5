// The effects of a new taxonomy, before it is applied: entries that come and go, and the projects that use them.
import type { ListChanges, TaxonomyChanges } from "#content/taxonomy/changes.js";
import type { TaxonomyDocument } from "#content/taxonomy/document.js";
import { useFormat } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { Notice } from "#web/parts/notice.js";
import { texts } from "#words/texts.js";

interface Props {
  changes: TaxonomyChanges;
  document: TaxonomyDocument;
  /** The digest of the taxonomy that it would replace. */
  base: string;
  /** The taxonomy was changed since the last preview. */
  isStale: boolean;
}

/** Names of one kind that are shown. */
const mostNames = 100;

export const TaxonomyPreview = ({ changes, document, base, isStale }: Props) => {
  const t = useTexts(texts.admin.taxonomy);
  const format = useFormat();
  const { lists, isSame, misfits, isPartial } = changes;
  const back = (
    <ButtonLink kind="quiet" href="/admin/taxonomy">
      {t.back}
    </ButtonLink>
  );
  if (isSame)
    return (
      <>
        <p>{t.same}</p>
        <p>{back}</p>
      </>
    );
  return (
    <>
      <h2>{t.effects}</h2>
      {isStale && <Notice kind="warning" title={t.stale} />}
      {lists.map((list) => (
        <ListEffects key={list.list} changes={list} />
      ))}
      {misfits.count > 0 && (
        <Notice kind="warning" title={t.misfits(misfits.count, format.number(misfits.count))}>
          <p>{t.misfitsHint}</p>
          <ul>
            {misfits.examples.map(({ slug, name }) => (
              <li key={slug}>
                <a href={projectPath(slug)} dir="auto">
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {isPartial && <p class="muted">{t.partial}</p>}
      <Form class="form card" action="/admin/taxonomy">
        <input type="hidden" name="document" value={JSON.stringify(document)} />
        <input type="hidden" name="base" value={base} />
        <div class="actions">
          <Button>{t.save}</Button>
          {back}
        </div>
      </Form>
    </>
  );
};

const ListEffects = ({ changes }: { changes: ListChanges }) => {
  const t = useTexts(texts.admin.taxonomy);
  const format = useFormat();
  const { list, added, removed, changed, renamed, isReordered } = changes;
  if (added.length + removed.length + changed.length === 0 && !isReordered) return null;
  const isUsed = removed.some(({ use }) => use.projects > 0);
  const cut = <T,>(names: readonly T[]): readonly T[] => names.slice(0, mostNames);
  return (
    <section class="card stack">
      <h3>{t.lists[list]}</h3>
      <ul class="plain-list">
        {renamed && <li>{t.renamed(...renamed)}</li>}
        {added.length > 0 && (
          <li>
            + {t.added(format.number(added.length))}: {cut(added).join(", ")}
          </li>
        )}
        {changed.length > 0 && (
          <li>
            ± {t.changed(format.number(changed.length))}: {cut(changed).join(", ")}
          </li>
        )}
        {isReordered && <li>{t.reordered}</li>}
        {cut(removed).map(({ name, use }) => (
          <li key={name}>
            − <b>{name}</b>:{" "}
            {use.projects === 0
              ? t.unused
              : t.used(format.number(use.projects), use.versions > 0 ? format.number(use.versions) : "")}
          </li>
        ))}
        {removed.length > mostNames && <li>{t.moreRemoved(format.number(removed.length - mostNames))}</li>}
      </ul>
      {isUsed && <p class="muted">{t.keepHint}</p>}
    </section>
  );
};
