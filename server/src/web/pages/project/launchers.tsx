// Hands the file that a download button offers over to a program of the visitor: links that open an installed launcher,
// and a command to copy. Both are templates of the operator.
import type { LauncherLink } from "#config/launchers.js";
import type { PlannedFile } from "#content/resolve/shapes.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { fillCommand, fillLink, type LauncherValues } from "#lib/launcher-templates.js";
import { useFrame } from "#web/context/frame.js";
import type { Setup } from "#web/context/preferences.js";
import { useTexts } from "#web/context/texts.js";
import { ButtonLink } from "#web/parts/button.js";
import { CommandLine } from "#web/parts/command-line.js";
import { CopyButton } from "#web/parts/copy-button.js";
import { Icon } from "#web/parts/icon.js";
import type { PageView } from "#web/shared/project-view.js";
import { texts } from "#words/texts.js";
import { type DownloadChoice, readDownloadChoice } from "./download-plan.js";

/** The ways to hand over the version that the download button delivers. */
export interface HandOver {
  /** Opens each launcher. */
  links: readonly { name: string; href: string }[];
  /** Undefined if the operator has set none. */
  command: string | undefined;
}

type Place = Pick<DownloadChoice, "gameVersion" | "loader">;

interface Given {
  launchers: { links: readonly LauncherLink[]; command: string };
  taxonomy: Pick<Taxonomy, "projectTypes" | "isLoader">;
  siteUrl: string;
  types: readonly string[];
  place: Place;
  planned: {
    project: Pick<PlannedFile["project"], "id" | "slug" | "name">;
    version: Pick<PlannedFile["version"], "id" | "versionNumber">;
    file: Pick<PlannedFile["file"], "name" | "url" | "sha1_hash" | "sha512_hash">;
  };
}

export function toHandOver({ launchers, taxonomy, siteUrl, types, place, planned }: Given): HandOver {
  const { project, version, file } = planned;
  const values: LauncherValues = {
    ...{ project: project.slug, projectId: project.id, name: project.name },
    ...{ version: version.versionNumber, versionId: version.id },
    ...{ file: file.name, url: file.url, sha1: file.sha1_hash, sha512: file.sha512_hash },
    ...{ gameVersion: place.gameVersion, loader: place.loader, host: new URL(siteUrl).host },
  };
  return {
    links: launchers.links
      .filter(({ only }) => takes(only, taxonomy, types, place))
      .map(({ name, template }) => ({ name, href: fillLink(template, values) })),
    command: launchers.command === "" ? undefined : fillCommand(launchers.command, values),
  };
}

/** For the version that the download button of the project's page offers, or for the named one. */
export function findHandOver(view: PageView, setup: Setup, version?: string): HandOver | undefined {
  const { launchers, project, entry, taxonomy, siteUrl } = view;
  if (launchers.links.length === 0 && launchers.command === "") return undefined;
  const choice = readDownloadChoice(view, version === undefined ? {} : { version }, setup);
  const { match } = choice;
  // Programs have no session, and should not install what its author has withdrawn.
  if (!match || match.yanked || !entry.isPublic) return undefined;
  const planned = { project, version: match, file: match.own.value.primaryFile };
  return toHandOver({ launchers, taxonomy, siteUrl, types: project.type, place: choice, planned });
}

/** One of the named loaders, one of the types and one of the game versions, as far as the launcher names any. */
function takes(
  only: readonly string[],
  taxonomy: Given["taxonomy"],
  types: readonly string[],
  { gameVersion, loader }: Place,
): boolean {
  const isType = (word: string) => taxonomy.projectTypes.includes(word);
  const loaders = only.filter((word) => taxonomy.isLoader(word));
  const wantedTypes = only.filter(isType);
  const versions = only.filter((word) => !taxonomy.isLoader(word) && !isType(word));
  const isFamily = (word: string) => gameVersion === word || gameVersion.startsWith(`${word}.`);
  return (
    (loaders.length === 0 || loaders.includes(loader)) &&
    (wantedTypes.length === 0 || wantedTypes.some((type) => types.includes(type))) &&
    (versions.length === 0 || versions.some(isFamily))
  );
}

export const Launchers = ({ handOver: { links, command } }: { handOver: HandOver }) => {
  const t = useTexts(texts.project.download);
  return (
    <>
      {links.length > 0 && (
        <>
          <p class="actions">
            {links.map(({ name, href }) => (
              <ButtonLink key={href} kind="quiet" href={href} rel="nofollow">
                <Icon name="right" /> {t.openIn(name)}
              </ButtonLink>
            ))}
          </p>
          <p class="small muted">{t.openHint}</p>
        </>
      )}
      {command !== undefined && <CommandLine text={command} label={t.withCommand} />}
    </>
  );
};

/** The menu beside the download button of a project. Null if no launcher takes its version. */
export const LauncherMenu = ({
  view,
  downloadPage,
  kind,
}: {
  view: PageView;
  downloadPage: string;
  kind?: "quiet";
}) => {
  const t = useTexts(texts.project.download);
  const { setup } = useFrame();
  const handOver = findHandOver(view, setup);
  if (!handOver || (handOver.links.length === 0 && handOver.command === undefined)) return null;
  return (
    <details class="menu">
      <summary class={kind ? "button quiet" : "button"} aria-label={t.otherWays} title={t.otherWays}>
        <Icon name="down" />
      </summary>
      <ul>
        {handOver.links.map(({ name, href }) => (
          <li key={href}>
            <a href={href} rel="nofollow">
              {t.openIn(name)}
            </a>
          </li>
        ))}
        {handOver.command !== undefined && (
          <li>
            <CopyButton text={handOver.command} label={t.copyCommand} />
          </li>
        )}
        <li>
          <a href={downloadPage}>{t.otherWays}</a>
        </li>
      </ul>
    </details>
  );
};
