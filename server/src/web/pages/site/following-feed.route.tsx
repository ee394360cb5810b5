// The routes of the page in following-feed.tsx.
import { findFeedKeyDate } from "#integrations/feeds/read.js";
import { createFeedKey, deleteFeedKey } from "#integrations/feeds/write.js";
import { write } from "#platform/changes/write.js";
import { readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import { formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { memberFormRoute } from "#web/frame/page.js";
import { texts, textsIn } from "#words/texts.js";
import { NewFeedKey } from "./following-feed.js";

export const followingFeedRoutes: Route[] = [
  memberFormRoute(
    {
      id: "submitFeedKey",
      path: "/feeds/key",
      access: readable("user_write"),
      summary: "Create the URL of the feed of followed projects, or revoke it",
      body: formFields("act"),
    },
    async ({ body, viewer, actor, request, reply }, resources) => {
      if (body.act === "remove") {
        await write(resources, actor, (tx) => deleteFeedKey(tx, viewer.user.id));
        return seeOther(reply, "/feeds#following");
      }
      const key = await write(resources, actor, (tx) => createFeedKey(tx, viewer.user.id));
      return {
        title: textsIn(texts.site.followingFeed, localeOf(request)).title,
        content: <NewFeedKey keyText={key} />,
      };
    },
  ),
];

/** The date of the visitor's key; undefined if there is none. */
export const findOwnKeyDate = async ({ db }: Resources, viewer: Viewer): Promise<number | undefined> =>
  viewer.kind === "anonymous" ? undefined : findFeedKeyDate(db, viewer.user.id);
