// The button to follow a project, and a line about the chosen updates. Guests are redirected to the sign-in page and
// back.

import type { FollowPreferences } from "#community/follows/shapes.js";
import { channels } from "#content/shapes/version.js";
import { useFormat, useFrame } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { Icon } from "#web/parts/icon.js";
import { ToggleFaces } from "#web/parts/toggle.js";
import type { PageView } from "#web/shared/project-view.js";
import { texts } from "#words/texts.js";

export const FollowButton = ({ view }: { view: PageView }) => {
  const t = useTexts(texts.project.page);
  const { done } = useTexts(texts.project.follow);
  const { viewer, url } = useFrame();
  const path = projectPath(view.project.slug);
  if (viewer.kind === "anonymous")
    return (
      <ButtonLink kind="quiet" href={`${path}/follow`} rel="nofollow">
        <Icon name="heart" /> {t.follow}
      </ButtonLink>
    );
  const off = { icon: "heart", text: t.follow } as const;
  const on = { icon: "check", text: t.unfollow } as const;
  return (
    <Form
      action={view.follow ? `${path}/unfollow` : `${path}/follow`}
      data-swap="follow"
      done={view.follow ? done.unfollow(view.project.name) : done.follow(view.project.name)}
    >
      <input type="hidden" name="next" value={url} />
      <Button kind="quiet">
        <ToggleFaces now={view.follow ? on : off} then={view.follow ? off : on} />
      </Button>
    </Form>
  );
};

/** "Updates: 0.4.8 · Puzzle Loader, releases · change" */
export const FollowLine = ({ view: { follow, project, taxonomy } }: { view: PageView }) => {
  const t = useTexts(texts.project.follow);
  const words = useTexts(texts.project.page);
  const common = useTexts(texts.parts.common);
  const format = useFormat();
  if (!follow) return <p class="follow-line" data-swap="follow-line" />;
  const filter = (preferences: FollowPreferences): string => {
    const { gameVersions, loaders } = preferences;
    const places = [...(gameVersions ?? []), ...(loaders ?? []).map((loader) => taxonomy.loaderLabel(loader))];
    const isEveryChannel = channels.every((channel) => preferences.channels.includes(channel));
    const stable = isEveryChannel ? "" : format.list(preferences.channels.map((channel) => common.channels[channel]));
    return [places.join(" · "), stable].filter((part) => part !== "").join(", ") || t.told.all;
  };
  return (
    <p class="follow-line small muted" data-swap="follow-line">
      {words.followed} {t.updates} {follow.mode === "filtered" ? filter(follow) : t.told[follow.mode]} ·{" "}
      <a href={`${projectPath(project.slug)}/follow`}>{t.change}</a>
    </p>
  );
};
