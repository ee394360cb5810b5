// Following a project: with one click on its page, or with a choice of updates.
import type { FollowPreferences } from "#community/follows/shapes.js";
import { channels } from "#content/shapes/version.js";
import { useFrame } from "#web/context/frame.js";
import { nameSetup, type Setup } from "#web/context/preferences.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { setupFor } from "#web/shared/fits.js";
import type { ProjectView } from "#web/shared/project-view.js";
import { texts } from "#words/texts.js";

const modes = ["default", "all", "setup", "none"] as const;

type Mode = (typeof modes)[number];

const modeOf = (follow: FollowPreferences | undefined): Mode => {
  if (!follow) return "default";
  return follow.mode === "filtered" ? "setup" : follow.mode;
};

export const FollowForm = ({ view: { project, follow, taxonomy }, setup }: { view: ProjectView; setup: Setup }) => {
  const t = useTexts(texts.project.follow);
  const { url } = useFrame();
  const words = nameSetup(setupFor(setup, taxonomy, project.type), taxonomy.loaderLabel);
  const least = channels.findLast((channel) => follow?.channels.includes(channel)) ?? "dev";
  const offered = words === "" ? modes.filter((mode) => mode !== "setup") : modes;
  return (
    <section class="stack narrow">
      <h2>{t.title(project.name)}</h2>
      <p class="muted">{t.lead}</p>
      <Form class="form card" action={`${projectPath(project.slug)}/follow`}>
        <fieldset>
          <legend>{t.which}</legend>
          {offered.map((mode) => (
            <label key={mode} class="check">
              <input type="radio" name="mode" value={mode} checked={modeOf(follow) === mode} />
              {mode === "setup" ? t.choices.setup(words) : t.choices[mode]}
            </label>
          ))}
        </fieldset>
        {words === "" ? (
          <p class="small">
            <a href={`/settings?next=${encodeURIComponent(url)}#setup`}>{t.noSetup}</a>
          </p>
        ) : (
          <div class="field">
            <label for="channel">{t.channel}</label>
            <span class="hint">{t.channelHint}</span>
            <select id="channel" name="channel">
              {channels.toReversed().map((channel) => (
                <option key={channel} value={channel} selected={channel === least}>
                  {t.upTo[channel]}
                </option>
              ))}
            </select>
          </div>
        )}
        <Button>{follow ? t.save : t.follow}</Button>
      </Form>
    </section>
  );
};
