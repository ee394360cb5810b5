// Following a project: one press from its page, or with a choice of what to be told of.

import Type from "typebox";
import { findFollow } from "#community/follows/read.js";
import type { FollowPreferences, FollowPreferencesInput } from "#community/follows/shapes.js";
import { followProject, setPreferences, unfollowProject } from "#community/follows/write.js";
import { projectRef } from "#content/projects/contract.js";
import { getVisibleProject } from "#content/projects/read.js";
import { channels } from "#content/shapes/version.js";
import { write } from "#platform/changes/write.js";
import { Failure } from "#platform/errors.js";
import { needs, readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { formFields } from "#web/context/form.js";
import { useFrame } from "#web/context/frame.js";
import { safeNext, seeOther } from "#web/context/paths.js";
import { type Setup, setupOf } from "#web/context/preferences.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { memberFormRoute } from "#web/frame/page.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import type { ProjectView } from "#web/shared/project-view.js";
import { channelsUpTo } from "#web/shared/version-filter.js";
import { texts, textsIn } from "#words/texts.js";
import { projectPageRoute } from "./project-page.js";

const word = Type.Optional(Type.String({ maxLength: 16 }));
/** Where the button was pressed. */
const place = formFields("next").properties;
const modes = ["default", "all", "setup", "none"] as const;
type Mode = (typeof modes)[number];

/** Undefined: whatever the account's settings say, or what was chosen before. */
function readPreferences(
  { mode, channel }: { mode?: string; channel?: string },
  { gameVersion, loader }: Setup,
): FollowPreferencesInput | undefined {
  if (mode === "setup")
    return {
      mode: "filtered",
      gameVersions: gameVersion === "" ? null : [gameVersion],
      loaders: loader === "" ? null : [loader],
      channels: [...channelsUpTo(channels.find((name) => name === channel) ?? "dev")],
    };
  return mode === "default" || mode === "all" || mode === "none" ? { mode } : undefined;
}

const isAlready = (error: unknown, code: string): boolean => error instanceof Failure && error.code === code;

export const followRoutes: Route[] = [
  projectPageRoute(
    {
      id: "getFollowPage",
      below: "/follow",
      summary: "What to be told of a project that one follows",
      access: needs("user_read"),
    },
    async (view, { request, locale }) => ({
      title: textsIn(texts.project.follow, locale).follow,
      isUnindexed: true,
      side: null,
      content: <FollowForm view={view} setup={setupOf(request)} />,
    }),
  ),

  memberFormRoute(
    {
      id: "submitFollow",
      path: "/project/:ref/follow",
      access: readable("user_write"),
      summary: "Follow a project, or choose what to be told of it",
      params: projectRef,
      body: Type.Object({ mode: word, channel: word, ...place }),
      errors: ["projectNotFound", "limitReached"],
    },
    async ({ params, body, viewer, actor, request, reply }, resources) => {
      const { id, slug } = await getVisibleProject(resources, viewer, params.ref);
      const input = readPreferences(body, setupOf(request));
      await write(resources, actor, async (tx) => {
        const isFollowed = (await findFollow(tx.db, viewer.user.id, id)) !== undefined;
        if (!isFollowed) await followProject(tx, viewer, id, input ?? {});
        else if (input) await setPreferences(tx, viewer, id, input);
      }).catch((error) => {
        // Pressed twice: the first time has done it.
        if (!isAlready(error, "alreadyFollowing")) throw error;
      });
      return seeOther(reply, safeNext(body.next, projectPath(slug)));
    },
  ),

  memberFormRoute(
    {
      id: "submitUnfollow",
      path: "/project/:ref/unfollow",
      access: readable("user_write"),
      summary: "Stop following a project",
      params: projectRef,
      body: Type.Object(place),
      errors: ["projectNotFound"],
    },
    async ({ params, body, viewer, actor, reply }, resources) => {
      const { slug } = await getVisibleProject(resources, viewer, params.ref);
      await write(resources, actor, (tx) => unfollowProject(tx, viewer, slug)).catch((error) => {
        if (!isAlready(error, "notFollowing")) throw error;
      });
      return seeOther(reply, safeNext(body.next, projectPath(slug)));
    },
  ),
];

const modeOf = (follow: FollowPreferences | undefined): Mode => {
  if (!follow) return "default";
  return follow.mode === "filtered" ? "setup" : follow.mode;
};

const FollowForm = ({ view: { project, follow, taxonomy }, setup }: { view: ProjectView; setup: Setup }) => {
  const t = useTexts(texts.project.follow);
  const { url } = useFrame();
  const words = [setup.gameVersion, setup.loader && taxonomy.loaderLabel(setup.loader)].filter(Boolean).join(" · ");
  const least = channels.findLast((channel) => follow?.channels.includes(channel)) ?? "dev";
  const offered = words === "" ? modes.filter((mode) => mode !== "setup") : modes;
  return (
    <section class="stack narrow">
      <h2>{t.title(project.name)}</h2>
      <p class="muted">{t.lead}</p>
      <Form class="form card" action={`${projectPath(project.slug)}/follow`}>
        <fieldset class="stack">
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
