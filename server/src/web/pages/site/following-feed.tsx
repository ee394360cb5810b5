// The feed of what one follows: its address holds a key, which is made here, shown once, and revoked here.

import { findFeedKeyDate } from "#integrations/feeds/read.js";
import { createFeedKey, deleteFeedKey } from "#integrations/feeds/write.js";
import { write } from "#platform/changes/write.js";
import { readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import { formFields } from "#web/context/form.js";
import { useFrame } from "#web/context/frame.js";
import { seeOther, signInPath } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { useTexts } from "#web/context/texts.js";
import { memberFormRoute } from "#web/frame/page.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { CopyButton } from "#web/parts/copy-button.js";
import { Form } from "#web/parts/form.js";
import { Notice } from "#web/parts/notice.js";
import { Time } from "#web/parts/time.js";
import { texts, textsIn } from "#words/texts.js";

export const followingFeedRoutes: Route[] = [
  memberFormRoute(
    {
      id: "submitFeedKey",
      path: "/feeds/key",
      access: readable("user_write"),
      summary: "Make the address of the feed of what one follows, or revoke it",
      body: formFields("act"),
    },
    async ({ body, viewer, actor, request, reply }, resources) => {
      if (body.act === "remove") {
        await write(resources, actor, (tx) => deleteFeedKey(tx, viewer.user.id));
        return seeOther(reply, "/feeds#following");
      }
      const key = await write(resources, actor, (tx) => createFeedKey(tx, viewer.user.id));
      return { title: textsIn(texts.site.followingFeed, localeOf(request)).title, content: <Made keyText={key} /> };
    },
  ),
];

const Made = ({ keyText }: { keyText: string }) => {
  const t = useTexts(texts.site.followingFeed);
  const { siteUrl } = useFrame();
  return (
    <div class="stack plain-page">
      <h1>{t.title}</h1>
      <Notice title={t.once}>
        {["atom", "json"].map((format) => {
          const address = `${siteUrl}/feeds/following.${format}?key=${keyText}`;
          return (
            <p key={format} class="feed-line">
              <code>{address}</code> <CopyButton text={address} label={t.copy} />
            </p>
          );
        })}
      </Notice>
      <p>
        <ButtonLink kind="quiet" href="/feeds">
          {t.back}
        </ButtonLink>
      </p>
    </div>
  );
};

/** When the visitor's key was made; undefined where there is none. */
export const findOwnKeyDate = async ({ db }: Resources, viewer: Viewer): Promise<number | undefined> =>
  viewer.kind === "anonymous" ? undefined : findFeedKeyDate(db, viewer.user.id);

export const FollowingFeed = ({ made }: { made: number | undefined }) => {
  const t = useTexts(texts.site.followingFeed);
  const { viewer } = useFrame();
  return (
    <section class="stack" id="following">
      <h2>{t.title}</h2>
      <p>{t.lead}</p>
      {viewer.kind === "anonymous" ? (
        <p>
          <a href={signInPath("/feeds#following")}>{t.signIn}</a>
        </p>
      ) : (
        <Form class="card stack" action="/feeds/key">
          {made !== undefined && (
            <p>
              {t.made} <Time at={made} />. <span class="muted">{t.renewHint}</span>
            </p>
          )}
          <p class="actions">
            <Button kind="quiet" name="act" value="make">
              {made === undefined ? t.make : t.renew}
            </Button>
            {made !== undefined && (
              <Button kind="quiet" name="act" value="remove">
                {t.remove}
              </Button>
            )}
          </p>
        </Form>
      )}
    </section>
  );
};
