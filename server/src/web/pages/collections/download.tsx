// The view of a collection's download page.

import type { Collection } from "#community/collections/shapes.js";
import type { Plan } from "#content/resolve/shapes.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { useFormat, useFrame } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { ChannelPill } from "#web/parts/channel-pill.js";
import { Choose } from "#web/parts/choose.js";
import { CommandLine } from "#web/parts/command-line.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { Icon } from "#web/parts/icon.js";
import { Reason } from "#web/shared/clash-reason.js";
import { type PackOffer, Packs } from "#web/shared/pack-offer.js";
import { choiceQuery } from "#web/shared/version-filter.js";
import { versionPath } from "#web/shared/version-paths.js";
import { texts } from "#words/texts.js";
import { type CollectionChoice, type CollectionPlan, type Contents, type LeftOut, loadersOf } from "./plan.js";

interface Props {
  collection: Collection;
  contents: Contents;
  taxonomy: Taxonomy;
  choice: CollectionChoice;
  /** Undefined until a set-up is chosen. */
  planned: CollectionPlan | undefined;
  packs: PackOffer | undefined;
}

export const DownloadView = (props: Props) => {
  const { collection, contents, taxonomy, choice, planned } = props;
  const { take } = useTexts(texts.collections.collection);
  const base = `/collection/${collection.id}`;
  return (
    <div class="stack loose">
      <header class="stack">
        <p class="small">
          <a href={base} dir="auto">
            {collection.name}
          </a>
        </p>
        <h1 dir="auto">{take.title(collection.name)}</h1>
      </header>
      {contents.items.length === 0 ? (
        <EmptyState title={take.empty} action={{ href: base, text: take.back }} />
      ) : (
        <>
          <DownloadChoiceForm action={`${base}/download`} taxonomy={taxonomy} choice={choice} />
          {planned ? <Planned {...props} planned={planned} /> : <p class="muted">{take.choose}</p>}
        </>
      )}
    </div>
  );
};

const loaderNames = (taxonomy: Taxonomy, loader: string): string =>
  loadersOf({ loader }).map(taxonomy.loaderLabel).join(", ");

const DownloadChoiceForm = ({
  action,
  taxonomy,
  choice,
}: {
  action: string;
  taxonomy: Taxonomy;
  choice: CollectionChoice;
}) => {
  const t = useTexts(texts.project.download);
  const { upTo, any } = useTexts(texts.project.version);
  const { gameVersion, loader, channel, offered } = choice;
  const withChosen = (values: readonly string[], chosen: string) =>
    ["", ...(values.includes(chosen) ? [] : [chosen]), ...values].filter((value, at) => value !== "" || at === 0);
  return (
    <Form method="get" class="filter-row card" action={action} aria-label={t.choose}>
      <Choose
        name="v"
        label={t.gameVersion}
        chosen={gameVersion}
        options={withChosen(offered.gameVersions, gameVersion).map((value) => [value, value || any] as const)}
      />
      {offered.loaders.length > 0 && (
        <Choose
          name="l"
          label={t.loader}
          chosen={loader}
          options={withChosen(offered.loaders, loader).map(
            (value) => [value, value === "" ? any : loaderNames(taxonomy, value)] as const,
          )}
        />
      )}
      <Choose
        name="ch"
        label={t.channel}
        chosen={channel}
        options={(["release", "beta", "alpha", "dev"] as const).map((name) => [name, upTo[name]] as const)}
      />
      <Button kind="quiet">{t.show}</Button>
    </Form>
  );
};

const Planned = ({ collection, contents, taxonomy, choice, planned, packs }: Props & { planned: CollectionPlan }) => {
  const { take } = useTexts(texts.collections.collection);
  const { plan, isTooHard, leftOut } = planned;
  return (
    <>
      {plan ? (
        <Files collection={collection} contents={contents} choice={choice} plan={plan} packs={packs} />
      ) : (
        <EmptyState title={isTooHard ? take.tooHard : take.nothing}>
          <p>{isTooHard ? take.tooHardHint : take.nothingHint}</p>
        </EmptyState>
      )}
      {leftOut.length > 0 && <LeftOutList leftOut={leftOut} taxonomy={taxonomy} choice={choice} />}
    </>
  );
};

const Files = ({
  collection,
  contents,
  choice,
  plan,
  packs,
}: Pick<Props, "collection" | "contents" | "choice" | "packs"> & { plan: Plan }) => {
  const t = useTexts(texts.project.download);
  const { take } = useTexts(texts.collections.collection);
  const format = useFormat();
  const { siteUrl } = useFrame();
  const archive = `/collection/${collection.id}/download.zip${choiceQuery(choice)}`;
  const own = new Set(contents.items.map(({ id }) => id));
  // The projects of the collection first, then their dependencies.
  const files = plan.files.toSorted((a, b) => Number(own.has(b.project.id)) - Number(own.has(a.project.id)));
  return (
    <section class="stack">
      <h2>{t.files}</h2>
      <p>
        <ButtonLink href={archive} data-download>
          <Icon name="download" /> {take.all(files.length, format.bytes(plan.downloadSize))}
        </ButtonLink>
      </p>
      <p class="small muted">{t.allHint}</p>
      <ul class="tree">
        {files.map(({ project, version, file }) => (
          <li key={project.id} class="tree-row">
            <span class="tree-text">
              <a href={projectPath(project.slug)} dir="auto">
                {project.name}
              </a>{" "}
              <a href={versionPath(project.slug, version.slug)}>{version.versionNumber}</a>{" "}
              <ChannelPill channel={version.releaseChannel} />{" "}
              {!own.has(project.id) && <span class="pill need-required">{t.needed}</span>}
            </span>
            <a class="tree-file" href={file.url}>
              <Icon name="download" /> <span dir="auto">{file.name}</span>{" "}
              <span class="muted">{format.bytes(file.size)}</span>
            </a>
          </li>
        ))}
      </ul>
      <CommandLine text={`curl -OJ "${siteUrl}${archive}"`} />
      {packs && <Packs offer={packs} archive={archive} />}
    </section>
  );
};

interface LeftOutProps {
  leftOut: readonly LeftOut[];
  taxonomy: Taxonomy;
  choice: CollectionChoice;
}

const LeftOutList = ({ leftOut, taxonomy, choice }: LeftOutProps) => {
  const { take } = useTexts(texts.collections.collection);
  // The page of a project finds its own loader among those of the visitor.
  const link = choiceQuery({ ...choice, loader: loadersOf(choice).length > 1 ? "" : choice.loader });
  return (
    <section class="stack">
      <h2>{take.leftOut(leftOut.length)}</h2>
      <ul class="tree">
        {leftOut.map(({ project, because, reasons }) => (
          <li key={project.id} class="tree-row">
            <span class="tree-text">
              <a href={`${projectPath(project.slug)}/download${link}`} dir="auto">
                {project.name}
              </a>
            </span>
            <span class="muted small">
              {because !== "clash"
                ? take.because[because]
                : reasons.map((reason) => (
                    <Reason
                      key={`${reason.kind} ${reason.projectId}`}
                      taxonomy={taxonomy}
                      choice={{ ...choice, loader: loaderNames(taxonomy, choice.loader) }}
                      reason={reason}
                    />
                  ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
};
