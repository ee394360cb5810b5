// The offer to export a plan as a pack for launchers, below the files of a download page.
import {
  findPackTarget,
  loaderVersionPattern,
  type PackFormat,
  type PackProblem,
  type PackTarget,
  packFormats,
  packFormatsOf,
} from "#content/bundles/pack-target.js";
import { bundlePlan } from "#content/resolve/bundled-files.js";
import type { Plan } from "#content/resolve/shapes.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { guidePath } from "#lib/guides.js";
import type { Resources } from "#platform/http/resources.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { Icon } from "#web/parts/icon.js";
import { texts } from "#words/texts.js";
import { type Query, textOf } from "./version-filter.js";

export interface PackOffer {
  formats: readonly PackFormat[];
  target: PackTarget | PackProblem;
  taxonomy: Taxonomy;
}

export async function findPackOffer(
  resources: Resources,
  taxonomy: Taxonomy,
  plan: Plan,
  place: { gameVersion: string; loaders: readonly string[] },
): Promise<PackOffer> {
  const target = findPackTarget({ taxonomy, ...place, ...(await bundlePlan(resources, plan)) });
  return { formats: packFormatsOf(taxonomy), target, taxonomy };
}

/** The pack that the URL of an archive asks for: ?format=mrpack&lv=0.16.10. */
export function readPackQuery(query: Query): { format: PackFormat; loaderVersion: string } | undefined {
  const format = packFormats.find((name) => name === textOf(query, "format"));
  return format && { format, loaderVersion: textOf(query, "lv") };
}

interface Props {
  offer: PackOffer;
  /** The path of the archive, with the parameters that choose its files. */
  archive: string;
}

export const Packs = ({ offer: { formats, target, taxonomy }, archive }: Props) => {
  const t = useTexts(texts.project.packs);
  const { pathname, searchParams } = new URL(archive, "http://site");
  return (
    <section class="stack">
      <h3>{t.title}</h3>
      <p class="small muted">
        {t.lead} <a href={guidePath("exporting")}>{t.more}</a>
      </p>
      {typeof target === "string" ? (
        <p>{t.problems[target]}</p>
      ) : (
        <Form method="get" class="card stack" action={pathname} fields={Object.fromEntries(searchParams)}>
          {target.loader && (
            <>
              <div class="filter-row">
                <label class="choose">
                  <span>{t.loaderVersion(taxonomy.loaderLabel(target.loader))}</span>
                  <input
                    name="lv"
                    required
                    maxlength={64}
                    pattern={loaderVersionPattern}
                    title={t.loaderVersionHint}
                    autocomplete="off"
                    autocapitalize="none"
                    spellcheck={false}
                  />
                </label>
              </div>
              <p class="small muted">{t.loaderVersionHint}</p>
            </>
          )}
          <div class="actions">
            {formats.map((format) => (
              <Button key={format} kind="quiet" name="format" value={format}>
                <Icon name="download" /> {t.formats[format]}
              </Button>
            ))}
          </div>
        </Form>
      )}
    </section>
  );
};
