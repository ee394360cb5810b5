// Three choices above a list of versions: game version, loader, release channel. A plain form.

import { channels } from "#content/versions/shapes.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { useTexts } from "#web/texts.js";
import { texts } from "#words/texts.js";
import type { ProjectView } from "./project-view.js";
import { type Choice, offeredBy } from "./version-filter.js";

interface Props {
  view: ProjectView;
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

interface ChooseProps {
  name: string;
  label: string;
  chosen: string;
  options: readonly (readonly [value: string, text: string])[];
}

/** What is chosen by the address is among the options, also where nothing of the kind is offered. */
export const Choose = ({ name, label, chosen, options }: ChooseProps) => (
  <label class="choose">
    <span>{label}</span>
    <select name={name} data-submits>
      {[...options, ...(options.some(([value]) => value === chosen) ? [] : [[chosen, chosen] as const])].map(
        ([value, text]) => (
          <option key={value} value={value} selected={value === chosen}>
            {text}
          </option>
        ),
      )}
    </select>
  </label>
);
