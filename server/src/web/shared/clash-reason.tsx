// Explains in a sentence why the files of a download conflict.
import type { ClashReason } from "#content/resolve/shapes.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";
import type { Choice } from "./version-filter.js";

interface ReasonProps {
  taxonomy: Taxonomy;
  choice: Pick<Choice, "gameVersion" | "loader">;
  reason: ClashReason;
}

export const Reason = ({ taxonomy, choice, reason }: ReasonProps) => {
  const t = useTexts(texts.project.download);
  const { projectSlug, kind, missing } = reason;
  const name = projectSlug ?? t.something;
  const loader = taxonomy.loaderLabel(choice.loader);
  const words = {
    project: t.reasons.project(name),
    gameVersion: t.reasons.gameVersion(name, choice.gameVersion),
    loader: t.reasons.loader(name, loader),
    setup: t.reasons.setup(name, `${choice.gameVersion} · ${loader}`),
    releaseChannel: t.reasons.releaseChannel(name),
    version: t.reasons.version(name),
  };
  return (
    <>
      {kind === "noVersion" ? words[missing ?? "version"] : t.reasons[kind](name)}{" "}
      {projectSlug !== null && <a href={projectPath(projectSlug)}>{projectSlug}</a>}
    </>
  );
};
