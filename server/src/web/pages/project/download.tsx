// The download page: choose a set-up, see the files for it, and download all of them or single ones.
import type { Plan } from "#content/resolve/shapes.js";
import { useFrame } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Choose } from "#web/parts/choose.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { setupFor } from "#web/shared/fits.js";
import type { PackOffer } from "#web/shared/pack-offer.js";
import type { ProjectView } from "#web/shared/project-view.js";
import { choiceQuery, offeredBy } from "#web/shared/version-filter.js";
import { texts } from "#words/texts.js";
import { Conflicts, Files, Optional, Trouble } from "./download-parts.js";
import { type DownloadChoice, nearest } from "./download-plan.js";
import type { HandOver } from "./launchers.js";
import type { NamedDependency } from "./named-dependencies.js";
import { VersionTable } from "./version-rows.js";

interface Props {
  view: ProjectView;
  choice: DownloadChoice;
  plan: Plan | undefined;
  conflicts: readonly NamedDependency[];
  handOver: HandOver | undefined;
  packs: PackOffer | undefined;
}

export const Download = ({ view, choice, plan, conflicts, handOver, packs }: Props) => {
  const t = useTexts(texts.project.download);
  if (view.versions.length === 0)
    return (
      <EmptyState title={t.noVersions}>
        <p>{t.noVersionsHint}</p>
      </EmptyState>
    );
  return (
    <>
      <h2>{t.choose}</h2>
      <DownloadChoiceForm view={view} choice={choice} />
      {!choice.match && <NoMatch view={view} choice={choice} />}
      {choice.match && !plan?.resolved && <Trouble view={view} choice={choice} match={choice.match} plan={plan} />}
      {plan?.resolved && <Files view={view} choice={choice} plan={plan} handOver={handOver} packs={packs} />}
      {conflicts.length > 0 && <Conflicts conflicts={conflicts} />}
      {plan && plan.optional.length > 0 && <Optional optional={plan.optional} choice={choice} />}
    </>
  );
};

const DownloadChoiceForm = ({
  view: { project, versions, taxonomy },
  choice,
}: {
  view: ProjectView;
  choice: DownloadChoice;
}) => {
  const t = useTexts(texts.project.download);
  const { upTo } = useTexts(texts.project.version);
  const { setup } = useFrame();
  const offered = offeredBy(versions, taxonomy);
  const withChosen = (values: readonly string[], chosen: string) =>
    chosen === "" || values.includes(chosen) ? values : [chosen, ...values];
  // A project without loaders may still have dependencies for the visitor's loader.
  const loaders = withChosen(offered.loaders, choice.loader);
  const { gameVersion, loader } = choice;
  const isNew = gameVersion !== setup.gameVersion || (loader !== "" && !setup.loaders.includes(loader));
  return (
    <>
      <Form method="get" class="filter-row card" action={`${projectPath(project.slug)}/download`}>
        <Choose
          name="v"
          label={t.gameVersion}
          chosen={gameVersion}
          options={withChosen(offered.gameVersions, gameVersion).map((value) => [value, value] as const)}
        />
        {loaders.length > 0 && (
          <Choose
            name="l"
            label={t.loader}
            chosen={loader}
            options={loaders.map((name) => [name, taxonomy.loaderLabel(name)] as const)}
          />
        )}
        <Choose
          name="ch"
          label={t.channel}
          chosen={choice.channel}
          options={(["release", "beta", "alpha", "dev"] as const).map((channel) => [channel, upTo[channel]] as const)}
        />
        <Button kind="quiet">{t.show}</Button>
      </Form>
      {isNew ? <RememberForm view={{ project, taxonomy }} choice={choice} /> : <p class="small muted">{t.withSetup}</p>}
    </>
  );
};

interface RememberProps {
  view: Pick<ProjectView, "project" | "taxonomy">;
  choice: DownloadChoice;
}

const RememberForm = ({ view: { project, taxonomy }, choice }: RememberProps) => {
  const t = useTexts(texts.project.download);
  const { setup } = useFrame();
  const { gameVersion, loader, channel } = choice;
  // Loaders for other project types stay in the set-up.
  const replaced = setupFor(setup, taxonomy, project.type).loaders;
  const loaders = [...setup.loaders.filter((name) => !replaced.includes(name)), loader];
  const next = `${projectPath(project.slug)}/download${choiceQuery({ gameVersion, loader, channel })}`;
  return (
    <Form class="remember" action="/settings/setup">
      <input type="hidden" name="gameVersion" value={gameVersion} />
      {loaders.map((name) => (
        <input key={name} type="hidden" name="loader" value={name} />
      ))}
      <input type="hidden" name="next" value={next} />
      <button class="link" type="submit">
        {t.rememberSetup}
      </button>
    </Form>
  );
};

const NoMatch = ({ view: { project, versions, taxonomy }, choice }: { view: ProjectView; choice: DownloadChoice }) => {
  const t = useTexts(texts.project.download);
  const { upTo } = useTexts(texts.project.version);
  const setup = [choice.gameVersion, choice.loader && taxonomy.loaderLabel(choice.loader), upTo[choice.channel]];
  return (
    <>
      <EmptyState title={t.noMatch}>
        <p>{t.noMatchFor(setup.filter(Boolean).join(" · "))}</p>
      </EmptyState>
      <h2>{t.nearest}</h2>
      <VersionTable slug={project.slug} versions={nearest(versions, choice)} taxonomy={taxonomy} />
    </>
  );
};
