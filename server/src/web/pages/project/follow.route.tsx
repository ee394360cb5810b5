// The routes of the page in follow.tsx.
import Type from "typebox";
import { findFollow } from "#community/follows/read.js";
import type { FollowPreferencesInput } from "#community/follows/shapes.js";
import { followProject, setPreferences, unfollowProject } from "#community/follows/write.js";
import { projectRef } from "#content/projects/contract.js";
import { getVisibleProject } from "#content/projects/read.js";
import { channels } from "#content/shapes/version.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { write } from "#platform/changes/write.js";
import { Failure } from "#platform/errors.js";
import { needs, readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { formFields } from "#web/context/form.js";
import { safeNext, seeOther } from "#web/context/paths.js";
import { type Setup, setupOf } from "#web/context/preferences.js";
import { projectPath } from "#web/context/project-path.js";
import { memberFormRoute } from "#web/frame/page.js";
import { setupFor } from "#web/shared/fits.js";
import { channelsUpTo } from "#web/shared/version-filter.js";
import { texts, textsIn } from "#words/texts.js";
import { FollowForm } from "./follow.js";
import { projectPageRoute } from "./project-page.js";

const word = Type.Optional(Type.String({ maxLength: 16 }));

/** The page of the button. */
const place = formFields("next").properties;

/** Undefined: the account's default, or the earlier choice. */
function readPreferences(
  { mode, channel }: { mode?: string; channel?: string },
  { gameVersion, loaders }: Setup,
): FollowPreferencesInput | undefined {
  if (mode === "setup")
    return {
      mode: "filtered",
      gameVersions: gameVersion === "" ? null : [gameVersion],
      loaders: loaders.length === 0 ? null : [...loaders],
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
      summary: "The choice of updates of a followed project",
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
      summary: "Follow a project, or choose its updates",
      params: projectRef,
      body: Type.Object({ mode: word, channel: word, ...place }),
      errors: ["projectNotFound", "limitReached"],
    },
    async ({ params, body, viewer, actor, request, reply }, resources) => {
      const { id, slug, listItem } = await getVisibleProject(resources, viewer, params.ref);
      const setup = setupFor(setupOf(request), await getTaxonomy(resources), listItem.value.type);
      const input = readPreferences(body, setup);
      await write(resources, actor, async (tx) => {
        const isFollowed = (await findFollow(tx.db, viewer.user.id, id)) !== undefined;
        if (!isFollowed) await followProject(tx, viewer, id, input ?? {});
        else if (input) await setPreferences(tx, viewer, id, input);
      }).catch((error) => {
        // Clicked twice: the project is followed already.
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
