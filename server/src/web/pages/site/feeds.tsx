// Every feed of the site, explained, with addresses to copy.
import { readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { useFrame } from "#web/frame.js";
import { pageRoute } from "#web/page.js";
import { CopyButton } from "#web/parts/copy-button.js";
import { localeOf } from "#web/preferences.js";
import { defineTexts, textsIn, useTexts } from "#web/texts.js";
import { FollowingFeed, findOwnKeyDate } from "./following-feed.js";

const texts = defineTexts({
  en: {
    title: "Feeds",
    lead: "A feed reader or a bot asks these addresses for what is new. No account is needed.",
    formats: "Each comes as Atom (.atom) and as JSON Feed (.json), with at most 50 entries, newest first.",
    ofAll: "Of the whole site",
    releases: "New versions of all projects",
    projects: "New projects",
    both: "Both in one",
    ofOne: "Of one project, person, organization or collection",
    ofOneText: "Put the name in place of the part in braces. Their pages link to them too.",
    project: "New versions of a project",
    user: "New versions of a user’s projects",
    organization: "New versions of an organization’s projects",
    collection: "New versions of the projects in a collection",
    filters: "Only what fits",
    filtersText: "Add to any of the addresses:",
    v: "a game version",
    l: "a loader",
    ch: "a release channel: release, beta, alpha or dev, each with the more stable ones",
    yours: "For your setup:",
    copy: (what: string) => `Copy the address: ${what}`,
  },
  de: {
    title: "Feeds",
    lead: "Ein Feedreader oder Bot fragt diese Adressen nach Neuem. Ein Konto ist nicht nötig.",
    formats: "Jeder kommt als Atom (.atom) und als JSON Feed (.json), mit höchstens 50 Einträgen, die neuesten zuerst.",
    ofAll: "Von der ganzen Seite",
    releases: "Neue Versionen aller Projekte",
    projects: "Neue Projekte",
    both: "Beides in einem",
    ofOne: "Von einem Projekt, einer Person, Organisation oder Sammlung",
    ofOneText: "Setze den Namen anstelle des Teils in Klammern ein. Ihre Seiten verlinken sie auch.",
    project: "Neue Versionen eines Projekts",
    user: "Neue Versionen der Projekte eines Benutzers",
    organization: "Neue Versionen der Projekte einer Organisation",
    collection: "Neue Versionen der Projekte in einer Sammlung",
    filters: "Nur, was passt",
    filtersText: "Hänge an jede der Adressen an:",
    v: "eine Spielversion",
    l: "einen Loader",
    ch: "einen Kanal: release, beta, alpha oder dev, jeder mit den stabileren",
    yours: "Für dein Setup:",
    copy: (what) => `Adresse kopieren: ${what}`,
  },
});

export const feedPageRoutes: Route[] = [
  pageRoute(
    { id: "getFeedsPage", path: "/feeds", access: readable("user_read"), summary: "Every feed, explained" },
    async ({ request, viewer }, resources) => {
      const t = textsIn(texts, localeOf(request));
      return {
        title: t.title,
        description: t.lead,
        isTranslated: true,
        feeds: [
          { href: "/feeds/releases.atom", type: "application/atom+xml", title: t.releases },
          { href: "/feeds/projects.atom", type: "application/atom+xml", title: t.projects },
        ],
        content: <Feeds made={await findOwnKeyDate(resources, viewer)} />,
      };
    },
  ),
];

const Feeds = ({ made }: { made: number | undefined }) => {
  const t = useTexts(texts);
  const { siteUrl, setup } = useFrame();
  const chosen = new URLSearchParams({
    ...(setup.gameVersion && { v: setup.gameVersion }),
    ...(setup.loader && { l: setup.loader }),
  }).toString();
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
  const t = useTexts(texts);
  const { siteUrl } = useFrame();
  const json = path.replace(".atom", ".json");
  return (
    <div class="card stack">
      <strong>{text}</strong>
      {[path, json].map((each) => (
        <p key={each} class="feed-line">
          <a href={each}>{siteUrl + each}</a>{" "}
          <CopyButton text={siteUrl + each} label={t.copy(/\.(\w+)/.exec(each)![1]!) as string} />
        </p>
      ))}
    </div>
  );
};
