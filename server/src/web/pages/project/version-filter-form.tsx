// Three drop-downs above a list of versions: game version, loader, release channel. A plain form.
import { channels } from "#content/shapes/version.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Choose } from "#web/parts/choose.js";
import { Form } from "#web/parts/form.js";
import type { PageView } from "#web/shared/project-view.js";
import { type Choice, offeredBy } from "#web/shared/version-filter.js";
import { texts } from "#words/texts.js";

interface Props {
  view: PageView;
  action: string;
  choice: Choice;
}

export const VersionFilterForm = ({ view: { versions, taxonomy }, action, choice }: Props) => {
  const t = useTexts(texts.project.version);
  const offered = offeredBy(versions, taxonomy);
  const stable = channels.filter((channel) => channel === "release" || channel === "beta");
  return (
    <Form method="get" class="filter-row" action={action} aria-label={t.filter}>
      <Choose
        name="v"
        label={t.gameVersion}
        chosen={choice.gameVersion}
        options={[["", t.any], ...offered.gameVersions.map((value) => [value, value] as const)]}
      />
      {(offered.loaders.length > 0 || choice.loader !== "") && (
        <Choose
          name="l"
          label={t.loader}
          chosen={choice.loader}
          options={[["", t.any], ...offered.loaders.map((name) => [name, taxonomy.loaderLabel(name)] as const)]}
        />
      )}
      <Choose
        name="ch"
        label={t.channel}
        chosen={choice.channel === "alpha" ? "" : choice.channel}
        options={(["", ...stable, "dev"] as const).map((channel) => [channel, t.upTo[channel]] as const)}
      />
      <Button kind="quiet">{t.show}</Button>
    </Form>
  );
};
