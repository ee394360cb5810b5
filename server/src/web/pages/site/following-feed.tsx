// The feed of followed projects: its URL contains a secret, which is created here, shown once, and revoked here.
import { useFrame } from "#web/context/frame.js";
import { signInPath } from "#web/context/paths.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { CopyButton } from "#web/parts/copy-button.js";
import { Form } from "#web/parts/form.js";
import { Notice } from "#web/parts/notice.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";

export const NewFeedKey = ({ keyText }: { keyText: string }) => {
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
