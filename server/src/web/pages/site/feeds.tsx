// All feeds of the site, explained, with URLs to copy.
import { useFrame } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { CopyButton } from "#web/parts/copy-button.js";
import { texts } from "#words/texts.js";
import { FollowingFeed } from "./following-feed.js";

export const Feeds = ({ made }: { made: number | undefined }) => {
  const t = useTexts(texts.site.feeds);
  const { siteUrl, setup } = useFrame();
  const chosen = new URLSearchParams([
    ...(setup.gameVersion === "" ? [] : [["v", setup.gameVersion]]),
    ...setup.loaders.map((loader) => ["l", loader]),
  ]).toString();
  return (
    <div class="stack plain-page">
      <h1>{t.title}</h1>
      <p class="lead">{t.lead}</p>
      <p>{t.formats}</p>
      <h2>{t.ofAll}</h2>
      <FeedLine path="/feeds/releases.atom" text={t.releases} />
      <FeedLine path="/feeds/projects.atom" text={t.projects} />
      <FeedLine path="/feeds/all.atom" text={t.both} />
      {chosen !== "" && <FeedLine path={`/feeds/releases.atom?${chosen}`} text={t.yours} />}
      <FollowingFeed made={made} />
      <h2>{t.ofOne}</h2>
      <p>{t.ofOneText}</p>
      <dl class="plain-facts">
        {(["project", "user", "organization", "collection"] as const).map((kind) => (
          <div key={kind}>
            <dt>{t[kind]}</dt>
            <dd>
              <code>{`${siteUrl}/${kind}/{${{ project: "slug", user: "name", organization: "slug", collection: "id" }[kind]}}/feed.atom`}</code>
            </dd>
          </div>
        ))}
      </dl>
      <h2>{t.filters}</h2>
      <p>{t.filtersText}</p>
      <dl class="plain-facts">
        {(["v", "l", "ch"] as const).map((name) => (
          <div key={name}>
            <dt>
              <code>{`?${name}=`}</code>
            </dt>
            <dd>{t[name]}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
};

const FeedLine = ({ path, text }: { path: string; text: string }) => {
  const t = useTexts(texts.site.feeds);
  const { siteUrl } = useFrame();
  const [folder, file] = [path.slice(0, path.lastIndexOf("/") + 1), path.slice(path.lastIndexOf("/") + 1)];
  return (
    <div class="card stack">
      <strong>{text}</strong>
      {[
        ["Atom", file],
        ["JSON", file.replace(".atom", ".json")],
      ].map(([format, each]) => (
        <p key={format} class="feed-line">
          <a href={folder + each}>
            {siteUrl + folder}
            <wbr />
            {each}
          </a>{" "}
          <CopyButton text={siteUrl + folder + each} label={t.copy(format!)} />
        </p>
      ))}
    </div>
  );
};
